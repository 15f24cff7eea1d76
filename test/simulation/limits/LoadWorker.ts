/** Sends requests on a shared budget until killed: `node LoadWorker.ts STORE URL ROUTE FIBERS`. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Forge } from "@tongs/core/client/Forge"
import * as LimitsScheduler from "../../../packages/connection/src/limits/LimitsScheduler.ts"

const [, , store = "", baseUrl = "", route = "", fibers = "1"] = process.argv

const forever = Effect.gen(function* () {
  const forge = yield* Forge
  const send = (index: number) => Effect.forever(forge.request(route, { owner: `p${process.pid}`, repo: `r${index}` }))
  process.stdout.write("ready\n")
  yield* Effect.forEach(Array.from({ length: Number(fibers) }).keys(), send, { concurrency: "unbounded" })
})

NodeRuntime.runMain(
  Effect.provide(
    forever,
    Forge.layer({ baseUrl }).pipe(
      Layer.provide(NodeHttpClient.layerNodeHttp),
      Layer.provideMerge(LimitsScheduler.layer(store))
    )
  )
)
