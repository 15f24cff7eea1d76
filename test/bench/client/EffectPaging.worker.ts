/** Reads many pages with the Effect client. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as ForkedWorker from "../ForkedWorker.ts"
import { respond, assertComplete, LATENCY_MILLIS } from "./PagedStub.ts"

const transport = HttpClient.make((request, url) =>
  Effect.map(Effect.sleep(LATENCY_MILLIS), () => HttpClientResponse.fromWeb(request, respond(url.href)))
)

const runtime = ManagedRuntime.make(
  Forge.layer({ baseUrl: "https://forge.example" }).pipe(
    Layer.provide(Scheduler.layerMemory),
    Layer.provide(Layer.succeed(HttpClient.HttpClient, transport))
  )
)
const forge = await runtime.runPromise(Forge)
await runtime.runPromise(Effect.ignore(forge.request("GET /rate_limit")))

const decode = Schema.decodeUnknownPromise(Schema.Struct({ concurrency: Schema.Int }))

ForkedWorker.respond(async (question) => {
  const { concurrency } = await decode(question)
  const started = performance.now()
  const { items } = forge.branches.list({ owner: "ada", repo: "bench" }, { concurrency })
  assertComplete(await runtime.runPromise(Stream.runCollect(Stream.map(items, ({ name }) => name))))
  return performance.now() - started
})
