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

const runStdio = Effect.fnUntraced(function* (options: Options) {
  const connection = yield* Session.connection
  const { serveStdio } = yield* Effect.promise(() => import("@tongs/mcp/Mcp"))
  yield* serveStdio(options, connection)
})

const runHttp = Effect.fnUntraced(function* (port: number, options: Options) {
  const { serveHttp } = yield* Effect.promise(() => import("@tongs/mcp/Http"))
  const { note, print } = yield* Output
  const { isChosen, token } = yield* ServerSecretConfig.load(VARIABLE)
  const { url } = yield* serveHttp({ ...options, port, token })
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

const run = Effect.fnUntraced(function* ({ http, ...given }: Given) {
  const options = yield* McpOptions.options(given)
  yield* Option.match(http, {
    onNone: () => runStdio(options),
    onSome: (port) => Effect.provide(Effect.scoped(runHttp(port, options)), Session.layer)
  })
})

/** The command `tongs mcp`. */
export const mcp = Command.make("mcp", config, run).pipe(
  Command.withDescription("Serve the forge to agents as tools (Model Context Protocol)")
)
