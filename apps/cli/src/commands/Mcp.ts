/** `tongs mcp`: the agent tool server. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Flags from "../Flags.ts"
import { Output } from "../Output.ts"
import * as Session from "../Session.ts"
import { UsageError } from "../Usage.ts"
import { version } from "../Version.ts"

const config = {
  http: Flags.port("http").pipe(
    Flag.optional,
    Flag.withMetavar("PORT"),
    Flag.withDescription("Speak Streamable HTTP on this port of 127.0.0.1 instead of stdio")
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
  )
}

const run = Effect.fnUntraced(function* ({ allowWrites, http, toolsets }: Command.Command.Config.Infer<typeof config>) {
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
  const options = { version, allowWrites, ...(Option.isSome(groups) ? { toolsets: groups.value } : {}) }
  if (Option.isNone(http)) return yield* Mcp.serveStdio(options)
  const { print } = yield* Output
  const { url } = yield* Mcp.serveHttp({ ...options, port: http.value })
  yield* print((yield* Flags.Json) ? JSON.stringify({ url, pid: process.pid }) : url)
  return yield* Effect.never
})

export const mcp = Command.make("mcp", config, (given) =>
  run(given).pipe(Effect.scoped, Effect.provide(Session.layer))
).pipe(Command.withDescription("Serve the forge to agents as tools, by the Model Context Protocol"))
