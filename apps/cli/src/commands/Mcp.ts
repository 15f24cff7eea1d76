/** `tongs mcp`: serves the forge to agents. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { Options } from "@tongs/mcp/Mcp"
import * as ServerSecretConfig from "../session/ServerSecretConfig.ts"
import * as Flags from "../session/Flags.ts"
import { Output } from "../base/Output.ts"
import * as Session from "../session/Session.ts"
import * as McpOptions from "./McpOptions.ts"

/** The environment variable with the bearer token. */
const VARIABLE = "TONGS_MCP_TOKEN"

const config = {
  http: Flags.port("http").pipe(
    Flag.optional,
    Flag.withMetavar("PORT"),
    Flag.withDescription(
      `Serve Streamable HTTP on this port of 127.0.0.1 instead of stdio; clients authenticate with the bearer token in ${VARIABLE}, or the one printed at start`
    )
  ),
  ...McpOptions.config
}

type Given = Command.Command.Config.Infer<typeof config>

const run = Effect.fnUntraced(function* ({ http }: Given, options: Options) {
  const Mcp = yield* Effect.promise(() => import("@tongs/mcp/Mcp"))
  if (Option.isNone(http)) return yield* Mcp.serveStdio(options)
  const { note, print } = yield* Output
  const { isChosen, token } = yield* ServerSecretConfig.load(VARIABLE)
  const { url } = yield* Mcp.serveHttp({ ...options, port: http.value, token })
  if (yield* Flags.Json) {
    yield* print(JSON.stringify({ url, token: Redacted.value(token), pid: process.pid }))
  } else {
    yield* print(url)
    yield* note(
      isChosen
        ? `Clients send the token in ${VARIABLE}: Authorization: Bearer TOKEN`
        : `Clients send this token, which is valid until the server stops: Authorization: Bearer ${Redacted.value(token)}`
    )
  }
  return yield* Effect.never
})

/** The command `tongs mcp`. */
export const mcp = Command.make("mcp", config, (given) =>
  Effect.flatMap(McpOptions.options(given), (options) =>
    run(given, options).pipe(Effect.scoped, Effect.provide(Session.layer))
  )
).pipe(Command.withDescription("Serve the forge to agents as tools (Model Context Protocol)"))
