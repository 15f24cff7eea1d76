import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { folder } from "../Fixture.test-support.ts"
import { Git, type GitLimits } from "./Git.ts"
import type { GitError } from "../values/GitError.ts"

/** Runs a program in place of git, and gives the output and the errors after the first output. */
const run = Effect.fnUntraced(
  function* (code: string, limits: Partial<GitLimits>, input: Stream.Stream<Uint8Array, GitError> = Stream.empty) {
    const path = join(yield* folder, "program")
    writeFileSync(path, `#!/usr/bin/env node\n${code}\n`)
    chmodSync(path, 0o755)
    const failures: Array<string> = []
    const transferred = Effect.gen(function* () {
      const git = yield* Git
      const output = yield* git.transfer(["x"], { input }, ({ reason }) => failures.push(reason._tag))
      const text = yield* Effect.promise(async () => {
        let text = ""
        try {
          for await (const chunk of output) text += String(chunk)
        } catch {
          text += "…"
        }
        return text
      })
      // The process ends after its output.
      yield* Effect.sleep("200 millis")
      return { text, failures }
    })
    return yield* transferred.pipe(Effect.scoped, Effect.provide(Git.layerWith(path, limits)))
  },
  (effect) => Effect.scoped(effect)
)

it.live("gives the output, and reports a failure before or after it starts", () =>
  Effect.gen(function* () {
    const echo = `process.stdin.pipe(process.stdout)`
    const input = Stream.make(Buffer.from("a"), Buffer.from("b"))
    assert.deepStrictEqual(yield* run(echo, {}, input), { text: "ab", failures: [] })
    assert.deepStrictEqual(yield* run("", {}), { text: "", failures: [] })
    const early = yield* Effect.flip(run("process.exit(128)", {}))
    assert.strictEqual(early.reason._tag, "CommandFailed")
    const late = yield* run(`process.stdout.write("text", () => process.exit(128))`, {})
    assert.deepStrictEqual(late, { text: "text", failures: ["CommandFailed"] })
  })
)

it.live("ends a silent command and one whose consumer stalls, but not one that makes progress", () =>
  Effect.gen(function* () {
    const silent = yield* Effect.flip(run("setInterval(() => {}, 1000)", { silenceMillis: 300 }))
    assert.strictEqual(silent.reason._tag, "TimedOut")
    const late = yield* run(`process.stdout.write("text"); setInterval(() => {}, 1000)`, { silenceMillis: 300 })
    assert.deepStrictEqual(late, { text: "text…", failures: ["TimedOut"] })
    const slow = `let n = 0; setInterval(() => ++n > 12 ? process.exit() : process.stdout.write("."), 100)`
    assert.deepStrictEqual(yield* run(slow, { silenceMillis: 1000 }), { text: ".".repeat(12), failures: [] })
    const total = yield* run(`setInterval(() => process.stdout.write("."), 100)`, { totalMillis: 2000 })
    assert.deepStrictEqual(total.failures, ["TimedOut"])
  })
)
