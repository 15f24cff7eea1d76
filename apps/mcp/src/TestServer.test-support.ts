/** An MCP client of a server in this process, over a forge that a test provides. */
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type * as McpProtocol from "effect/ai/McpProtocol"
import * as McpTest from "effect/ai/McpTest"
import * as HttpClient from "effect/http/HttpClient"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import type { ClientOptions } from "@tongs/core/client/ClientOptions"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type { RepositoryName } from "./call/Call.ts"
import * as ToolServer from "./ToolServer.ts"
import * as Capabilities from "./transport/Capabilities.ts"

/** The base URL of forges in tests. */
export const BASE_URL = "http://forge.test"

/** Settings of a server that only reads. */
export const settings: ToolServer.Options = {
  allowWrites: false,
  confirm: "ask",
  dryRun: false,
  structured: false,
  deadline: 45
}

/** The server's connection to the forge. */
export interface Target {
  readonly kind: Connection["Service"]["kind"]
  readonly defaultRepository: RepositoryName | undefined
  readonly client: Partial<ClientOptions>
}

/** Creates a connection to `http://forge.test`. Default: embedded, without a default repository. */
export const connection = ({ defaultRepository, kind = "embedded" }: Partial<Target> = {}): Connection["Service"] => ({
  kind,
  label: "forge.test",
  baseUrl: BASE_URL,
  repository: defaultRepository,
  notices: [],
  changes: Stream.empty
})

/** Creates a forge whose responses come from `http`. */
export const forge = (http: HttpClient.HttpClient, target: Partial<Target> = {}) =>
  Layer.mergeAll(
    Layer.provide(Forge.layer({ baseUrl: BASE_URL, ...target.client }), Layer.succeed(HttpClient.HttpClient, http)),
    Layer.succeed(Connection, connection(target))
  ).pipe(Layer.provideMerge(Scheduler.layerMemory))

/** Connects a client to the tools of a forge. Default: the stateless protocol version. */
export const connect = <E>(
  forge: Layer.Layer<Connection | Forge | Scheduler, E>,
  options: Partial<ToolServer.Options> = {},
  protocolVersion: McpProtocol.ProtocolVersion = "2026-07-28"
) =>
  McpTest.makeClient(ToolServer.layer({ ...settings, ...options }).pipe(Layer.provide(forge)), {
    protocols: Capabilities.protocolVersions({ completions: options.toolsets === undefined }),
    protocolVersion
  })
