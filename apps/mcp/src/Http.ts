/** The agent tool server over Streamable HTTP. */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as McpServer from "effect/ai/McpServer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Description from "./Description.ts"
import * as ToolServer from "./ToolServer.ts"
import * as Capabilities from "./transport/Capabilities.ts"
import * as HttpGuard from "./transport/HttpGuard.ts"
import * as HttpSessions from "./transport/HttpSessions.ts"

/** Serves MCP over Streamable HTTP at `/mcp` on 127.0.0.1 until the Effect scope closes. Requires a bearer token. */
export const serveHttp = Effect.fnUntraced(function* (
  options: Description.Options & { readonly port: number; readonly token: Redacted.Redacted }
) {
  const { port, token } = options
  const server = yield* NodeHttpServer.make(() => createServer(), {
    host: "127.0.0.1",
    port,
    // Interrupts the tool calls in flight when the server closes.
    gracefulShutdownTimeout: Duration.zero
  })
  const bound = server.address._tag === "UnixPathAddress" ? port : server.address.port
  const origin = `http://127.0.0.1:${bound}`
  const url = `${origin}/mcp`
  const app = yield* HttpRouter.toHttpEffect(
    McpServer.layerHttp({
      ...Description.make(options),
      registrations: Layer.merge(ToolServer.layer(options), options.registrations ?? Layer.empty),
      path: "/mcp",
      // Some clients send the server's own origin as `Origin`. Web pages cannot have this origin.
      allowedOrigins: [origin, `http://localhost:${bound}`],
      allowSessionTermination: true
    })
  ).pipe(Effect.orDie) // the tools and protocol versions are constants
  const versions = Capabilities.protocolVersions({})
    .filter(({ runtime }) => runtime._tag === "Stateful")
    .map((one) => one.protocolVersion)
  const sessions = HttpSessions.make()
  yield* Effect.forkScoped(HttpGuard.endIdleSessions(app, url, sessions))
  yield* server
    .serve(HttpGuard.guard(app, { token, url, versions, sessions }))
    .pipe(Effect.provide(NodeHttpServer.layerHttpServices))
  return { port: bound, url }
})
