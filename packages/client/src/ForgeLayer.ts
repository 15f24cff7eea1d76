/** The client that the options of `createForge` describe. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type { Credential, Token } from "@tongs/core/client/Credential"
import * as Engine from "@tongs/core/client/Engine"
import { BudgetStore } from "@tongs/core/limits/BudgetStore"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as ClientContract from "./contract/ClientContract.ts"
import * as FetchTransport from "./FetchTransport.ts"
import * as ForgeOptions from "./ForgeOptions.ts"

export class ForgeEngine extends Context.Service<ForgeEngine, Engine.Engine<ClientContract.Endpoint>>()(
  "@tongs/client/ForgeLayer/ForgeEngine"
) {}

/** Provides the engine. Throws a `TypeError` for an invalid option. */
export const make = (options: ForgeOptions.ForgeOptions): Layer.Layer<ForgeEngine> => {
  const { clientOptions, fetch, makeCredential, openStore, warn } = ForgeOptions.resolve(options)
  const client = Effect.gen(function* () {
    const transport = FetchTransport.make(fetch)
    const scheduler = yield* Scheduler
    const makeAs = (token: Token | Credential | undefined) =>
      Effect.provideService(
        Engine.make({ ...clientOptions, token }, transport, ClientContract.contract),
        Scheduler,
        scheduler
      )
    const requestAs = (token: Credential) => Effect.map(makeAs(token), ({ request }) => request)
    return yield* makeAs(yield* makeCredential(requestAs))
  })
  return Layer.effect(ForgeEngine, client).pipe(
    Layer.provide(
      openStore === undefined
        ? Scheduler.layerMemory
        : Layer.provide(Scheduler.layer, Layer.effect(BudgetStore, openStore))
    ),
    Layer.provideMerge(Layer.succeed(Logger.CurrentLoggers, new Set([toLogger(warn)])))
  )
}

const toLogger = (log: (message: string) => void) =>
  Logger.make<unknown, void>(({ message }) => log(Array.isArray(message) ? message.join(" ") : String(message)))
