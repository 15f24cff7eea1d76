/** The client that the options of `createForge` describe. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import type { Credential } from "@tongs/core/client/Credential"
import { Forge } from "@tongs/core/client/Forge"
import { BudgetStore } from "@tongs/core/limits/BudgetStore"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as ForgeOptions from "./ForgeOptions.ts"

/** Provides the client. Throws a `TypeError` for an invalid option. */
export const make = (options: ForgeOptions.ForgeOptions): Layer.Layer<Forge> => {
  const { clientOptions, fetch, makeCredential, openStore, warn } = ForgeOptions.resolve(options)
  const client = Effect.gen(function* () {
    const context = yield* Effect.context<HttpClient.HttpClient | Scheduler>()
    const requestAs = (token: Credential) =>
      Effect.map(Effect.provide(Forge.make({ ...clientOptions, token }), context), ({ request }) => request)
    return yield* Forge.make({ ...clientOptions, token: yield* makeCredential(requestAs) })
  })
  return Layer.effect(Forge, client).pipe(
    Layer.provide([
      openStore === undefined
        ? Scheduler.layerMemory
        : Layer.provide(Scheduler.layer, Layer.effect(BudgetStore, openStore)),
      FetchHttpClient.layer
    ]),
    Layer.provideMerge(Layer.succeed(Logger.CurrentLoggers, new Set([toLogger(warn)]))),
    Layer.provide([
      Layer.succeed(FetchHttpClient.Fetch, fetch),
      Layer.succeed(FetchHttpClient.RequestInit, { redirect })
    ])
  )
}

const toLogger = (log: (message: string) => void) =>
  Logger.make<unknown, void>(({ message }) => log(Array.isArray(message) ? message.join(" ") : String(message)))

/** Browsers hide redirects from scripts: they follow a redirect themselves, and drop the token for other origins. */
const redirect = "document" in globalThis || "WorkerGlobalScope" in globalThis ? "follow" : "manual"
