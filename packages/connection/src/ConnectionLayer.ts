/** Connects to the forge that the settings name: the embedded one, or a remote one. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import type { ConnectionError } from "./base/ConnectionError.ts"
import type { Connection } from "./Connection.ts"
import type { ConnectionSettings } from "./ConnectionSettings.ts"

/** Provides the connection, the typed client and the scheduler. Loads only the code for the forge in use. */
export const layer = (settings: ConnectionSettings): Layer.Layer<Connection | Forge | Scheduler, ConnectionError> => {
  const { url } = settings
  return Layer.unwrap(
    url === undefined
      ? Effect.map(
          Effect.promise(() => import("./EmbeddedConnection.ts")),
          ({ layer }) => layer(settings)
        )
      : Effect.map(
          Effect.promise(() => import("./RemoteConnection.ts")),
          ({ layer }) => layer({ ...settings, url })
        )
  )
}
