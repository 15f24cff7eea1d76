/**
 * Limits the protocol versions of `effect/ai/McpServer` to the capabilities that the server has. `McpServer` always
 * advertises completions, log messages, changes of lists and subscriptions to resources.
 */
import * as Effect from "effect/Effect"
import * as McpProtocol from "effect/ai/McpProtocol"

/** The optional capabilities of servers. Clients see the capabilities that are true. */
export interface Capabilities {
  /** Suggests values for the arguments of prompts and resource templates. */
  readonly completions?: boolean
  /** Sends log messages to the client. */
  readonly logging?: boolean
}

/** The supported protocol versions, newest first. The first is stateless; the older ones use sessions. */
export const protocolVersions = (capabilities: Capabilities) =>
  [
    limit(McpProtocol.v2026_07_28, capabilities),
    limit(McpProtocol.v2025_11_25, capabilities),
    limit(McpProtocol.v2025_06_18, capabilities),
    limit(McpProtocol.v2025_03_26, capabilities),
    limit(McpProtocol.v2024_11_05, capabilities)
  ] as const // a tuple type

/** The members of a server's capabilities that depend on `Capabilities`, before the encoding. */
interface Advertised {
  readonly completions?: unknown
  readonly logging?: unknown
  readonly tools?: object
  readonly resources?: object
  readonly prompts?: object
}

interface Result {
  readonly capabilities: Advertised
}

interface Lifecycle {
  readonly initialize: (...args: ReadonlyArray<unknown>) => Effect.Effect<Result>
}

type Handlers = Readonly<Record<string, (...args: ReadonlyArray<unknown>) => Effect.Effect<Result, unknown>>>

interface Methods {
  readonly omit: (...names: ReadonlyArray<string>) => Methods
}

interface Target {
  readonly install: (protocol: unknown, methods: Methods, handlers: Handlers) => Effect.Effect<void>
}

/**
 * Removes the methods of absent capabilities from a protocol version, so that the server treats calls of these methods
 * as unknown.
 */
const limit = <Version extends McpProtocol.ProtocolVersion, Runtime extends McpProtocol.RuntimeDescriptor>(
  protocol: McpProtocol.ProtocolAdapter<Version, Runtime>,
  capabilities: Capabilities
): McpProtocol.ProtocolAdapter<Version, Runtime> => {
  const absent = [
    "resources/subscribe",
    "resources/unsubscribe",
    "subscriptions/listen",
    ...(capabilities.completions === true ? [] : ["completion/complete"]),
    ...(capabilities.logging === true ? [] : ["logging/setLevel"])
  ]
  const limited = (result: Result): Result => ({
    ...result,
    capabilities: advertised(result.capabilities, capabilities)
  })
  return {
    // Lists the members instead of a spread, which would copy a hidden member that lists the absent methods.
    protocolVersion: protocol.protocolVersion,
    runtime: protocol.runtime,
    clientRpcs: {
      requests: new Map([...protocol.clientRpcs.requests].filter(([method]) => !absent.includes(method))),
      prefix: (prefix) => protocol.clientRpcs.prefix(prefix).omit(...absent.map((method) => `${prefix}${method}`))
    },
    clientNotificationRpcs: protocol.clientNotificationRpcs,
    serverRequestRpcs: protocol.serverRequestRpcs,
    serverNotificationRpcs: protocol.serverNotificationRpcs,
    payloadCodecs: protocol.payloadCodecs,
    makeReverseClient: protocol.makeReverseClient,
    projectNotification: (notification: { readonly _tag: string }) =>
      changes.has(notification._tag) ? Effect.undefined : protocol.projectNotification(notification),
    normalizeCancellation: protocol.normalizeCancellation,
    installHandlers: (core: unknown, lifecycle: Lifecycle | undefined, target: Target) =>
      protocol.installHandlers(
        core,
        lifecycle === undefined
          ? undefined
          : {
              ...lifecycle,
              initialize: (...args: ReadonlyArray<unknown>) => Effect.map(lifecycle.initialize(...args), limited)
            },
        {
          ...target,
          install: (version: unknown, methods: Methods, handlers: Handlers) => {
            const discover = handlers["server/discover"]
            return target.install(
              version,
              methods.omit(...absent),
              discover === undefined
                ? handlers
                : { ...handlers, "server/discover": (...args) => Effect.map(discover(...args), limited) }
            )
          }
        }
      )
  }
}

/** Notifications of changed lists. No client knows the tools that are registered after the answer to `initialize`. */
const changes = new Set(["ToolsChanged", "ResourcesChanged", "PromptsChanged"])

/** Lists never change while the server runs, so the members of `tools`, `resources` and `prompts` are dropped. */
const advertised = (
  { completions, logging, prompts, resources, tools, ...others }: Advertised,
  capabilities: Capabilities
): Advertised => ({
  ...others,
  ...(capabilities.completions === true ? { completions } : {}),
  ...(capabilities.logging === true ? { logging } : {}),
  ...(tools === undefined ? {} : { tools: {} }),
  ...(resources === undefined ? {} : { resources: {} }),
  ...(prompts === undefined ? {} : { prompts: {} })
})
