/**
 * The typed client as a service of a program.
 *
 * ```ts
 * const ref = yield* forge.gitRefs.get({ owner: "octo", repo: "hello", ref: "heads/main" })
 * const log = forge.commits.list({ owner: "octo", repo: "hello" }, { perPage: 100 }).items
 * ```
 */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type { CatalogEntry } from "../contract/CatalogEntry.ts"
import { Scheduler } from "../limits/Scheduler.ts"
import type { Client } from "./Client.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import { forgeContract } from "./contract/ForgeContract.ts"
import * as Engine from "./Engine.ts"
import * as GroupMethods from "./GroupMethods.ts"
import * as LoadingEngine from "./LoadingEngine.ts"
import * as Telemetry from "./Telemetry.ts"

const idOf = ({ group, name }: CatalogEntry) => `${group}.${name}`

/**
 * The typed client as a service. The layers need an `HttpClient` and a `Scheduler`: `Forge.layerDefaults` has both, and
 * `BudgetStore` shares the budget of a credential between processes.
 */
export class Forge extends Context.Service<Forge, Client>()("@tongs/core/client/Forge") {
  /**
   * Creates a client that uses the `HttpClient` and `Scheduler` in the context. Throws a `TypeError` for an invalid
   * `baseUrl`.
   */
  static readonly make = Effect.fn("Forge.make")(function* (options: ClientOptions) {
    const made = yield* Engine.make(options, yield* HttpClient.HttpClient, forgeContract, Telemetry.make)
    const engine = LoadingEngine.make(made, forgeContract)
    const methods: Engine.Engine & Pick<Client, "baseUrl"> = {
      ...engine,
      call: (entry, ...rest) => engine.call(idOf(entry), ...rest),
      list: (entry, ...rest) => engine.list(idOf(entry), ...rest),
      stream: (entry, ...rest) => engine.stream(idOf(entry), ...rest),
      baseUrl: options.baseUrl
    }
    const client: object = GroupMethods.defineGroups(methods, forgeContract.methods, Engine.methodOf(engine))
    return client as Client // oxlint-disable-line typescript/no-unsafe-type-assertion -- derived by the same reflection that the types are
  })

  /** Provides a client. Each layer has a separate response cache. */
  static readonly layer = (options: ClientOptions) => Layer.effect(Forge, Forge.make(options))

  /** Provides a client whose options are read from the configuration, by default from environment variables. */
  static readonly layerConfig = (options: Config.Wrap<ClientOptions>) =>
    Layer.effect(Forge, Effect.flatMap(Config.unwrap<ClientOptions>(options), Forge.make))

  /** Provides what the other layers need: requests with `fetch`, and the budget of this process. */
  static readonly layerDefaults = Layer.merge(FetchHttpClient.layer, Scheduler.layerMemory)
}
