/** The mixed load of `full-use.test.ts` with Octokit and the throttling and retry plugins, for comparison. */
import { Octokit } from "@octokit/core"
import { retry } from "@octokit/plugin-retry"
import { throttling } from "@octokit/plugin-throttling"
import * as Effect from "effect/Effect"
import { assert, it, vi } from "vitest"
import * as MixedLoad from "./MixedLoad.test-support.ts"
import * as StrictForge from "./StrictForge.test-support.ts"

const MINUTES = 10

it("Octokit with the same load for ten minutes", async () => {
  vi.useFakeTimers({
    now: 1_800_000_000_370,
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"]
  })
  try {
    const strict = await Effect.runPromise(StrictForge.make({ cpuMillis: MixedLoad.cpuMillis(1) }))
    const again = (retryAfter: number, _options: object, _octokit: unknown, retries: number) =>
      retryAfter > 0 && retries < 4
    const octokit = new (Octokit.plugin(throttling, retry))({
      baseUrl: "https://forge.test",
      throttle: { onRateLimit: again, onSecondaryRateLimit: again },
      log: { debug() {}, info() {}, warn() {}, error() {} },
      request: {
        fetch: (url: string, { method = "GET" }: RequestInit) =>
          Effect.runPromise(strict.answer(method, new URL(url).pathname))
      }
    })
    const state = { isOver: false }
    let failed = 0
    for (const [index, kind] of MixedLoad.kindsOfFibers(500).entries()) {
      const forever = async () => {
        while (!state.isOver) {
          await octokit
            .request(MixedLoad.routes[kind], { owner: "octo", repo: `r${index}`, q: `word${index}` })
            .catch(() => failed++)
        }
      }
      void forever()
    }
    for (let step = 0; step < MINUTES * 600; step++) await vi.advanceTimersByTimeAsync(100)
    state.isOver = true
    const outcome = { used: MixedLoad.servedByKind(strict), refused: strict.refused().length }
    console.log(MixedLoad.table({ octokit: outcome }), `${failed} calls failed`)
    // Octokit learns of a limit only from rate-limit responses.
    assert.isAbove(outcome.refused, 0)
  } finally {
    vi.useRealTimers()
  }
})
