/** Malicious servers and client processes: each attack ends with the expected failure, in bounded time and memory. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { isLong } from "../../LongTests.test-support.ts"
import * as MaliciousServer from "./MaliciousServer.test-support.ts"
import { type AttackOutcome, TOKEN } from "./AttackedClient.ts"

const run = promisify(execFile)
const program = fileURLToPath(new URL("AttackedClient.ts", import.meta.url))

/** Memory limit of a client (megabytes). */
const MOST_MEMORY = 500

/** Time limit of an attack on a busy machine (milliseconds). */
const MOST_TIME = 60_000

for (const transport of isLong ? ["node", "fetch"] : ["node"]) {
  it.live(
    `${transport}: each attack ends with its failure, below ${MOST_MEMORY} MB`,
    () =>
      Effect.gen(function* () {
        const { baseUrl, counts } = yield* MaliciousServer.make
        const { stdout } = yield* Effect.promise((signal) =>
          run(process.execPath, ["--conditions=@tongs/source", program, transport, baseUrl], {
            env: { PATH: process.env["PATH"], HOME: "/nonexistent", ...(isLong ? { TONGS_LONG_TESTS: "1" } : {}) },
            maxBuffer: 64 * 1024 * 1024,
            signal
          })
        )
        const outcomes = stdout
          .trim()
          .split("\n")
          .map((line): AttackOutcome => JSON.parse(line))
        if (process.env["TONGS_VERBOSE"] !== undefined) {
          for (const { megabytes, milliseconds, name, tag } of outcomes) console.log(name, tag, milliseconds, megabytes)
        }
        assert.deepStrictEqual(
          outcomes.map(({ name, tag }) => [name, tag]),
          MaliciousServer.attacksToTry.map(([name, { failure }]) => [name, failure])
        )
        for (const { megabytes, milliseconds, name, output } of outcomes) {
          assert.isBelow(megabytes, MOST_MEMORY, `${name}: megabytes`)
          assert.isBelow(milliseconds, MOST_TIME, `${name}: milliseconds`)
          assert.notInclude(output, TOKEN, name)
          assert.notInclude(output, Buffer.from(`x:${TOKEN}`).toString("base64").slice(4, -4), name)
          assert.notMatch(output, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/, name)
        }
        const tried = new Set(outcomes.map(({ name }) => name))
        // Only failures that a retry can fix are retried, a few times.
        for (const name of ["gzipBomb", "nestedJson", "farReset", "farRetry", "echo"]) {
          if (tried.has(name)) assert.strictEqual(counts.get(name), 1, name)
        }
        for (const [name, count] of counts) assert.isAtMost(count, 25, name)
      }).pipe(Effect.scoped),
    300_000
  )
}
