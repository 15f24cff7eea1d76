/** Starts with many concurrent calls: `node BurstClient.ts STORE URL CALLS`. Prints the outcome as JSON. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as LimitsScheduler from "../../../packages/connection/src/limits/LimitsScheduler.ts"

export interface BurstOutcome {
  readonly passed: number
  readonly problems: ReadonlyArray<string>
  readonly milliseconds: number
  /** CPU time that the scheduler counted for the calls. */
  readonly cpuMilliseconds: number
}

const [, , store = "", baseUrl = "", calls = "0"] = process.argv

const main = Effect.gen(function* () {
  const forge = yield* Forge
  const begun = Date.now()
  const exits = yield* Effect.forEach(
    Array.from({ length: Number(calls) }).keys(),
    (index) => {
      const call = { priority: "interactive", deadline: begun + 60_000 } as const // a literal priority
      return Effect.exit(
        forge.request("GET /repos/{owner}/{repo}", { owner: `p${process.pid}`, repo: `r${index}` }, call)
      )
    },
    { concurrency: "unbounded" }
  )
  const [view] = yield* (yield* Scheduler).status
  const outcome: BurstOutcome = {
    passed: exits.filter(Exit.isSuccess).length,
    problems: exits.flatMap((exit) => (Exit.isFailure(exit) ? [String(exit.cause)] : [])),
    milliseconds: Date.now() - begun,
    cpuMilliseconds: view?.meters.find(({ name }) => name === "cpu")?.used ?? 0
  }
  process.stdout.write(JSON.stringify(outcome))
})

if (baseUrl !== "") {
  await Effect.runPromise(
    Effect.provide(
      main,
      Forge.layer({ baseUrl }).pipe(
        Layer.provide(NodeHttpClient.layerNodeHttp),
        Layer.provideMerge(LimitsScheduler.layer(store))
      )
    )
  )
  process.exit()
}
