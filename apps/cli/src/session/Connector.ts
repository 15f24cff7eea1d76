import * as Context from "effect/Context"
import type * as Layer from "effect/Layer"
import type { Connection } from "@tongs/connection/Connection"
import * as ConnectionLayer from "@tongs/connection/ConnectionLayer"
import type { ConnectionError } from "@tongs/connection/base/ConnectionError"
import type { ConnectionSettings } from "@tongs/connection/ConnectionSettings"
import type { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"

type Connect = (settings: ConnectionSettings) => Layer.Layer<Connection | Forge | Scheduler, ConnectionError>

/** The function that creates a connection from settings. Tests replace this function. */
export const Connector = Context.Reference<Connect>("tongs/Session/Connector", {
  defaultValue: () => ConnectionLayer.layer
})
