/** `tongs serve`: the embedded forge over HTTP. */
import { setFlagsFromString } from "node:v8"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as SettingsResolver from "@tongs/connection/SettingsResolver"
import * as Flags from "../session/Flags.ts"
import { Output } from "../base/Output.ts"

/** The URL of a server. */
const url = (name: string) =>
  Flag.String(name).pipe(
    Flag.filter(
      (text) => /^https?:\/\//.test(text) && URL.canParse(text),
      () => "a URL, as http://127.0.0.1:8080"
    )
  )

const config = {
  port: Flags.port("port").pipe(
    Flag.withDefault(4180),
    Flag.withDescription("Port to listen on; 0 for any that is free")
  ),
  host: Flag.String("host").pipe(Flag.withDefault("127.0.0.1"), Flag.withDescription("Address to listen on")),
  publicUrl: url("public-url").pipe(
    Flag.optional,
    Flag.withMetavar("URL"),
    Flag.withDescription("How others reach it, where that is another address: links in webhooks begin there")
  ),
  fixtures: Flag.String("fixtures").pipe(
    Flag.optional,
    Flag.withMetavar("FILE"),
    Flag.withDescription("A JSON file of accounts, tokens and repositories; then only --repos adopts any")
  ),
  allowLocalWebhooks: Flag.Boolean("allow-local-webhooks").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Deliver webhooks to loopback and private networks too")
  ),
  codeIndex: url("code-index").pipe(
    Flag.optional,
    Flag.withMetavar("URL"),
    Flag.withDescription("A zoekt-webserver that has the code index, instead of one in the data folder")
  ),
  searchDeadline: Flag.Int("search-deadline").pipe(
    Flag.filter(
      (milliseconds) => milliseconds >= 1,
      () => "at least 1"
    ),
    Flag.optional,
    Flag.withMetavar("MILLISECONDS"),
    Flag.withDescription("How long one code search may take; 4000 by default")
  ),
  showToken: Flag.Boolean("show-token").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Print the owner's token, which may do everything")
  )
}

type Config = Command.Command.Config.Infer<typeof config>

/**
 * What a request leaves behind is swept up often, in the room that there was at the start, and what stays longer when it
 * has grown by a fifth: left to itself, V8 takes more than a hundred megabytes for it under load, and is no faster.
 */
const keepSmall = Effect.sync(() => setFlagsFromString("--semi-space-growth-factor=1 --heap-growing-percent=20"))

const serving = Effect.fnUntraced(function* ({ host, port, publicUrl, showToken }: Config) {
  const [{ serve }, { Owner }, { EmbeddedForge }] = yield* Effect.promise(() =>
    Promise.all([
      import("@tongs/service/main/Serve"),
      import("@tongs/service/main/Owner"),
      import("@tongs/service/main/EmbeddedForge")
    ])
  )
  const { note, print } = yield* Output
  const { token, tokenFile } = yield* Owner
  const { notices } = yield* EmbeddedForge
  yield* Effect.forEach(notices, (notice) => Effect.logWarning(notice), { discard: true })
  const url = yield* serve({ host, port, publicUrl: Option.getOrUndefined(publicUrl) })
  if (yield* Flags.Json) {
    yield* print(JSON.stringify({ url, token: Redacted.value(token), pid: process.pid }))
  } else {
    yield* print(url)
    yield* note(
      showToken
        ? `The owner's token is ${Redacted.value(token)}`
        : `The owner's token is in ${tokenFile}; --show-token prints it.`
    )
  }
  return yield* Effect.never
})

const run = Effect.fnUntraced(function* (given: Config) {
  yield* keepSmall
  const { forgeLayer } = yield* Effect.promise(() => import("@tongs/connection/EmbeddedConnection"))
  // What is served is the embedded forge, whatever remote one the environment or the profile names.
  const fixtures = Option.getOrUndefined(given.fixtures)
  const settings = {
    ...(yield* SettingsResolver.resolve({ ...(yield* Flags.settings), fixtures })),
    url: undefined,
    allowLocalWebhooks: given.allowLocalWebhooks,
    searchDeadline: Option.getOrUndefined(given.searchDeadline),
    codeIndex: Option.getOrUndefined(given.codeIndex)
  }
  return yield* serving(given).pipe(Effect.scoped, Effect.provide(forgeLayer(settings)))
})

export const serve = Command.make("serve", config, run).pipe(
  Command.withDescription("Serve the embedded forge over HTTP, at / and at /api/v3"),
  Command.withExamples([
    { command: "tongs serve --repos ~/src" },
    { command: "tongs serve --json --port 0", description: "First line: the url, the token and the process id" }
  ])
)
