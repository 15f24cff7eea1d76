/** `tongs mcp`: the agent tool server. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as ServerSecretConfig from "../session/ServerSecretConfig.ts"
import * as Flags from "../session/Flags.ts"
import { Output } from "../base/Output.ts"
import * as Session from "../session/Session.ts"
import { UsageError } from "../base/UsageError.ts"
import { version } from "../base/Version.ts"

/** The variable that sets the bearer token. */
const VARIABLE = "TONGS_MCP_TOKEN"

const config = {
  http: Flags.port("http").pipe(
    Flag.optional,
    Flag.withMetavar("PORT"),
    Flag.withDescription(
      `Speak Streamable HTTP on this port of 127.0.0.1 instead of stdio; clients send the bearer token printed at start, or ${VARIABLE}`
    )
  ),
  toolsets: Flag.String("toolsets").pipe(
    Flag.optional,
    Flag.withMetavar("a,b"),
    Flag.withDescription("Offer only the tools of these groups, as git-refs,commits")
  ),
  allowWrites: Flag.Boolean("allow-writes").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Offer the tools that change things too")
  ),
  confirm: Flag.Literals("confirm", ["ask", "never"]).pipe(
    Flag.withDefault("ask"),
    Flag.withDescription(
      "ask: calls that cannot be undone, such as deletions, need your agreement through the client, or are refused; never: run them like all others"
    )
  )
}

type Given = Command.Command.Config.Infer<typeof config>

const run = Effect.fnUntraced(function* ({ allowWrites, confirm, http, toolsets }: Given) {
  const Mcp = yield* Effect.promise(() => import("@tongs/mcp/Mcp"))
  const groups = Option.map(toolsets, (text) =>
    text
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
  )
  const hint = `There are ${Mcp.toolsets.join(", ")}.`
  if (Option.isSome(groups) && groups.value.length === 0) {
    return yield* new UsageError({ detail: "Nothing is named after --toolsets.", hint })
  }
  const unknown = Option.getOrElse(groups, () => []).filter((name) => !Mcp.hasToolset(name))
  if (unknown.length > 0) {
    return yield* new UsageError({ detail: `There is no toolset ${unknown.join(", ")}.`, hint })
  }
  const options = { version, allowWrites, confirm, ...(Option.isSome(groups) ? { toolsets: groups.value } : {}) }
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
        ? `Clients send the token of ${VARIABLE}: Authorization: Bearer TOKEN`
        : `Clients send this token, which holds until the server ends: Authorization: Bearer ${Redacted.value(token)}`
    )
  }
  return yield* Effect.never
})

export const mcp = Command.make("mcp", config, (given) =>
  run(given).pipe(Effect.scoped, Effect.provide(Session.layer))
).pipe(Command.withDescription("Serve the forge to agents as tools, by the Model Context Protocol"))
