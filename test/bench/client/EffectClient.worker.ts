/** The Effect client. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import { serveClient } from "./ClientWorker.ts"
import { respond, BASE_URL, TOKEN } from "./StubTransport.ts"

const transport = HttpClient.make((request, url) =>
  Effect.sync(() => HttpClientResponse.fromWeb(request, respond(url.href)))
)

const runtime = ManagedRuntime.make(
  Forge.layer({ baseUrl: BASE_URL, token: Redacted.make(TOKEN) }).pipe(
    Layer.provide(Scheduler.layerMemory),
    Layer.provide(Layer.succeed(HttpClient.HttpClient, transport))
  )
)
const forge = await runtime.runPromise(Forge)

// The response shows the client that this forge has no limits.
await runtime.runPromise(Effect.ignore(forge.request("GET /rate_limit")))

const repository = { owner: "ada", repo: "bench" }

serveClient({
  get: (branch) => runtime.runPromise(forge.gitRefs.get({ ...repository, ref: `heads/${branch}` })),
  page: (sha) =>
    runtime.runPromise(
      Effect.map(forge.commits.list({ ...repository, sha }, { perPage: 30 }).first, ({ items }) => items)
    )
})
