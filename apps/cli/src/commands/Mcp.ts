/** `tongs mcp`: serves the forge to agents. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { Options } from "@tongs/mcp/Mcp"
import * as ServerSecretConfig from "../session/ServerSecretConfig.ts"
import * as Flags from "../session/Flags.ts"
import * as HeapLimit from "../base/HeapLimit.ts"
import { Output } from "../base/Output.ts"
import * as JsonOutput from "../json/JsonOutput.ts"
import * as Session from "../session/Session.ts"
import * as McpClients from "./McpClients.ts"
import * as McpOptions from "./McpOptions.ts"
import * as McpPrintConfig from "./McpPrintConfig.ts"
import * as McpTokenFile from "./McpTokenFile.ts"
import * as McpValues from "./McpValues.ts"

const config = {
  http: Flags.port("http").pipe(
    Flag.optional,
    Flag.withMetavar("PORT"),
    Flag.withDescription(
      `Serve Streamable HTTP on this port of 127.0.0.1 instead of stdio; clients authenticate with the bearer token in ${McpValues.TOKEN_VARIABLE}, or the one printed at start`
    )
  ),
  ...McpOptions.config,
  printConfig: Flag.Literals("print-config", McpClients.clients).pipe(
    Flag.optional,
    Flag.withMetavar("CLIENT"),
    Flag.withDescription("Print the configuration that adds this server, with the other flags, to a client, and exit")
  )
}

type Given = Command.Command.Config.Infer<typeof config>

const runStdio = Effect.fnUntraced(function* (options: Options) {
  const connection = yield* Session.ownLongConnection
  const { serveStdio } = yield* Effect.promise(() => import("@tongs/mcp/Mcp"))
  yield* HeapLimit.apply
  yield* serveStdio(options, connection)
})

const runHttp = Effect.fnUntraced(function* (port: number, options: Options) {
  const { serveHttp } = yield* Effect.promise(() => import("@tongs/mcp/Http"))
  yield* HeapLimit.apply
  const { note, print } = yield* Output
  const { isChosen, token } = yield* ServerSecretConfig.load(McpValues.TOKEN_VARIABLE)
  const { port: bound, url } = yield* serveHttp({ ...options, port, token })
  // A token that the user chose is not written to a disk.
  const file = isChosen ? Option.none<string>() : yield* McpTokenFile.write(bound, token)
  if (yield* JsonOutput.isWanted) {
    yield* JsonOutput.print({ url, token: Redacted.value(token), pid: process.pid }, { isCompact: true })
  } else {
    yield* print(url)
    if (isChosen) {
      yield* note(`Clients send the token in ${McpValues.TOKEN_VARIABLE}: Authorization: Bearer TOKEN`)
    } else {
      yield* note("To add this server to Claude Code until it stops, run:")
      yield* note(McpClients.http("claude", { url, token: Redacted.value(token) }))
    }
    yield* note(
      `For another client, run \`tongs mcp --http ${bound} --print-config CLIENT\`: ${McpClients.clients.join(", ")}.`
    )
    if (Option.isSome(file)) yield* note(`The token is also in ${file.value}.`)
  }
  return yield* Effect.never
})

const run = Effect.fnUntraced(function* ({ http, printConfig, ...given }: Given) {
  const options = yield* McpOptions.options(given)
  if (Option.isSome(printConfig)) return yield* McpPrintConfig.print(printConfig.value, http, given)
  yield* Option.match(http, {
    onNone: () => runStdio(options),
    onSome: (port) => Effect.provide(Effect.scoped(runHttp(port, options)), Session.serverLayer)
  })
})

export const mcp = Command.make("mcp", config, run).pipe(
  Command.withDescription("Serve the forge to agents as tools (Model Context Protocol)")
)
