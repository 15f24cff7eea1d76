/** Processes that start with 200 concurrent calls, while the headers report enough budget. */
import { execFile } from "node:child_process"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it, type TestContext } from "vitest"
import { isLong } from "../../LongTests.test-support.ts"
import type { BurstOutcome } from "./BurstClient.ts"
import * as SharedBudgetProcesses from "./SharedBudgetProcesses.test-support.ts"

const run = promisify(execFile)
const program = fileURLToPath(new URL("BurstClient.ts", import.meta.url))
const CALLS = 200

/** A forge with a response delay (milliseconds) that depends on the time since the first request. */
const serve = (test: TestContext, delay: (age: number) => number) => {
  let since: number | undefined
  let remaining = 5000
  const reset = Math.ceil(Date.now() / 1000) + 3600
  const server = createServer((_request, response) => {
    since ??= Date.now()
    setTimeout(
      () => {
        response.writeHead(200, {
          "content-type": "application/json",
          "x-ratelimit-limit": 5000,
          "x-ratelimit-remaining": --remaining,
          "x-ratelimit-reset": reset,
          "x-ratelimit-resource": "core"
        })
        response.end("{}")
      },
      delay(Date.now() - since)
    )
  })
  return SharedBudgetProcesses.listen(test, server)
}

const start = async (home: string, url: string): Promise<BurstOutcome> => {
  const { stdout } = await run(
    process.execPath,
    ["--conditions=@tongs/source", program, "sqlite", url, String(CALLS)],
    {
      env: { PATH: process.env["PATH"], HOME: home }
    }
  )
  return JSON.parse(stdout)
}

const forges = [
  { name: "a fast forge", counts: [1, 2], delay: () => 0 },
  {
    name: "a forge that takes 2 s for each request of its first second",
    counts: [2],
    delay: (age: number) => (age < 1000 ? 2000 : 5)
  }
]

describe.each(isLong ? forges : forges.slice(0, 1))("200 first calls to $name", ({ counts, delay }) => {
  for (const processes of counts) {
    it(`succeed in ${processes} processes with one budget`, async (test) => {
      const url = await serve(test, delay)
      const home = SharedBudgetProcesses.temporaryFolder(test)
      const outcomes = await Promise.all(Array.from({ length: processes }, () => start(home, url)))
      if (process.env["TONGS_VERBOSE"] !== undefined) console.log(outcomes)
      for (const { passed, problems } of outcomes)
        assert.deepStrictEqual({ passed, problems }, { passed: CALLS, problems: [] })
      // The estimated CPU time of these requests does not delay a later process.
      const after = await start(home, url)
      assert.strictEqual(after.passed, CALLS)
    }, 180_000)
  }
})
