/** A connection for a command: what the flags, the environment and the config file lead to. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Connection } from "@tongs/connection/Connection"
import type { ConnectionError } from "@tongs/connection/ConnectionError"
import * as Credentials from "@tongs/connection/Credentials"
import * as Resolve from "@tongs/connection/Resolve"
import type { Settings } from "@tongs/connection/Settings"
import { UserDirectories } from "@tongs/connection/UserDirectories"
import type { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import * as Flags from "./Flags.ts"

type Connect = (settings: Settings) => Layer.Layer<Connection | Forge | Scheduler, ConnectionError>

/** How settings become a connection; tests put their own here. */
export const Connector = Context.Reference<Connect>("tongs/Session/Connector", { defaultValue: () => Connection.layer })

/** The settings that hold for this run. */
export const settings = Effect.flatMap(Flags.settings, Resolve.resolve)

/** The person's folders and stored credentials. */
export const layerPerson = Layer.provideMerge(Credentials.Credentials.layer, UserDirectories.layer)

/** The Forge, its Scheduler and where they lead. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const connect = yield* Connector
    return connect(yield* settings)
  })
)
