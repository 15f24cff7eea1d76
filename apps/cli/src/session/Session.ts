/** A connection for a command: what the flags, the environment and the config file lead to. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Connection } from "@tongs/connection/Connection"
import * as ConnectionLayer from "@tongs/connection/ConnectionLayer"
import type { ConnectionError } from "@tongs/connection/base/ConnectionError"
import * as CredentialStore from "@tongs/connection/credentials/CredentialStore"
import * as SettingsResolver from "@tongs/connection/SettingsResolver"
import type { ConnectionSettings } from "@tongs/connection/ConnectionSettings"
import { UserDirectories } from "@tongs/connection/base/UserDirectories"
import type { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import * as Flags from "./Flags.ts"

type Connect = (settings: ConnectionSettings) => Layer.Layer<Connection | Forge | Scheduler, ConnectionError>

/** How settings become a connection; tests put their own here. */
export const Connector = Context.Reference<Connect>("tongs/Session/Connector", {
  defaultValue: () => ConnectionLayer.layer
})

/** The settings that hold for this run. */
export const settings = Effect.flatMap(Flags.settings, SettingsResolver.resolve)

/** The person's folders and stored credentials. */
export const layerUser = Layer.provideMerge(CredentialStore.CredentialStore.layer, UserDirectories.layer)

/** The Forge, its Scheduler and where they lead. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const connect = yield* Connector
    return connect(yield* settings)
  })
)
