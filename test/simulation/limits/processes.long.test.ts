/** Processes that share one budget, in an SQLite file or a Redis, on a strict forge. */
import { setTimeout as pause } from "node:timers/promises"
import { rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { CONCURRENCY, INTERACTIVE_CONCURRENCY } from "@tongs/core/limits/Limits"
import { hasPrograms } from "../../InstalledPrograms.test-support.ts"
import * as SharedBudgetProcesses from "./SharedBudgetProcesses.test-support.ts"

const ROUTE = "GET /repos/{owner}/{repo}/commits"
const SERVED = "GET /repos/:owner/:repo/commits"

const stores = [
  { name: "an SQLite file", isThere: true, start: () => Promise.resolve("sqlite") },
  { name: "a Redis", isThere: hasPrograms("redis-server"), start: SharedBudgetProcesses.startRedis }
]

describe.concurrent("three processes on", () => {
  for (const { isThere, name, start } of stores) {
    it.skipIf(!isThere)(
      `${name} together use the writes of two minutes and are never limited`,
      async (test) => {
        const forge = await SharedBudgetProcesses.serveStrictForge(test, { latency: 5, cpuMillis: () => 10 })
        const [store, home] = [await start(test), SharedBudgetProcesses.temporaryFolder(test)]
        const worker = () => SharedBudgetProcesses.startLoad(test, store, home, forge, "POST /repos/{owner}/{repo}", 4)
        await Promise.all([worker(), worker(), worker()])
        const sent = () => forge.seen.length
        await SharedBudgetProcesses.waitUntil(() => sent() === 80, 60_000)
        const from = forge.seen[0]?.at ?? 0
        await SharedBudgetProcesses.waitUntil(() => Date.now() > from + 59_000, 90_000)
        assert.strictEqual(sent(), 80)
        // A strict forge counts in slots, so a window is slightly longer than a minute.
        await SharedBudgetProcesses.waitUntil(() => sent() >= 0.9 * 160, 20_000)
        await pause(1000)
        assert.isAtMost(sent(), 160)
        assert.deepStrictEqual(forge.refused(), [])
        assert.isAtLeast(new Set(forge.seen.map(({ path }) => path.split("/")[2])).size, 2)
      },
      180_000
    )
  }
})

describe.each(stores)("processes on $name", ({ isThere, start }) => {
  it.skipIf(!isThere)("get the share of a killed one within five seconds", async (test) => {
    const forge = await SharedBudgetProcesses.serveStrictForge(test, {
      latency: 5,
      cpuMillis: () => 10,
      responseLatency: (route) => (route === "GET /hang" ? 100_000 : 5)
    })
    const [store, home] = [await start(test), SharedBudgetProcesses.temporaryFolder(test)]
    // The first process learns the limits and the response time; the second uses all concurrent requests.
    const first = await SharedBudgetProcesses.startLoad(test, store, home, forge, "GET /user", 1)
    await SharedBudgetProcesses.waitUntil(() => forge.served("GET /user").length >= 50, 20_000)
    await SharedBudgetProcesses.kill(first)
    const greedy = await SharedBudgetProcesses.startLoad(test, store, home, forge, "GET /hang?{owner}{repo}", 110)
    const all = CONCURRENCY - INTERACTIVE_CONCURRENCY
    await SharedBudgetProcesses.waitUntil(() => forge.served("GET /hang").length === all, 20_000)
    const third = await SharedBudgetProcesses.startLoad(test, store, home, forge, ROUTE, 20)
    await pause(3000)
    assert.strictEqual(forge.seen.length, forge.served("GET /user").length + all)
    assert.isNull(third.process.exitCode)
    const killed = Date.now()
    await SharedBudgetProcesses.kill(greedy)
    await SharedBudgetProcesses.waitUntil(() => forge.served(SERVED).length > 0, 20_000)
    assert.isAtMost((forge.served(SERVED)[0]?.at ?? Infinity) - killed, 5000)
    assert.deepStrictEqual(forge.refused(), [])
  })
})

describe("a budget file that is", () => {
  for (const [what, harm] of [
    ["deleted", (file: string) => rmSync(file)],
    ["broken", (file: string) => writeFileSync(file, "this is no database\n".repeat(500))]
  ] as const) {
    it(`${what} is recreated with a warning, and requests continue`, async (test) => {
      const forge = await SharedBudgetProcesses.serveStrictForge(test, { latency: 5, cpuMillis: () => 10 })
      const home = SharedBudgetProcesses.temporaryFolder(test)
      const workers = [
        await SharedBudgetProcesses.startLoad(test, "sqlite", home, forge, ROUTE, 3),
        await SharedBudgetProcesses.startLoad(test, "sqlite", home, forge, ROUTE, 3)
      ]
      const sent = () => forge.served(SERVED).length
      await SharedBudgetProcesses.waitUntil(() => sent() > 100, 20_000)
      const file = join(home, ".local", "state", "tongs", "limits.sqlite")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      harm(file)
      const before = sent()
      await SharedBudgetProcesses.waitUntil(() => sent() > before + 200, 20_000)
      assert.match(
        workers.map((worker) => worker.output()).join(""),
        /WARN.*limits\.sqlite (were deleted|cannot be read)/s
      )
    })
  }
})
