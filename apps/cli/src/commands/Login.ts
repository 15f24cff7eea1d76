/** `tongs auth login`: a token that is typed, piped, or got by signing in through a browser; and where it is kept. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Prompt from "effect/cli/Prompt"
import * as CredentialStore from "@tongs/connection/credentials/CredentialStore"
import type { TokenSet } from "@tongs/connection/credentials/TokenSet"
import * as CredentialSource from "@tongs/connection/credentials/CredentialSource"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../base/Output.ts"
import * as Session from "../session/Session.ts"
import { UsageError } from "../base/UsageError.ts"
import * as FileInput from "../base/FileInput.ts"
import * as CurrentAccount from "./CurrentAccount.ts"

const config = {
  withToken: Flag.Boolean("with-token").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Read the token from stdin; so it is, too, where stdin is no terminal")
  ),
  web: Flag.Boolean("web").pipe(
    Flag.withAlias("device"),
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Sign in through a browser, on this device or another, with a code")
  ),
  clientId: Flag.String("client-id").pipe(
    Flag.optional,
    Flag.withMetavar("ID"),
    Flag.withDescription("The OAuth app to sign in with; by default TONGS_CLIENT_ID, or the profile's clientId")
  ),
  scope: Flag.String("scope").pipe(
    Flag.atLeast(0),
    Flag.withDescription("What the token is to be good for, with --web; may be repeated")
  ),
  insecureStorage: Flag.Boolean("insecure-storage").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Keep the token in a file that only you can read, and not in the keychain")
  )
}

type Config = Command.Command.Config.Infer<typeof config>

const run = Effect.fnUntraced(function* ({ clientId, insecureStorage, scope, web, withToken }: Config) {
  const settings = yield* Session.settings
  const { url } = settings
  if (url === undefined) {
    return yield* new UsageError({
      detail: "The embedded forge needs no sign-in.",
      hint: "Name a remote one with --url, as https://forge.example.com/api/v3."
    })
  }
  if (web && withToken) {
    return yield* new UsageError({ detail: "--web and --with-token are two ways.", hint: "Leave one." })
  }
  const host = CredentialStore.hostOf(url)
  const tokens: TokenSet = web
    ? yield* inBrowser(
        url,
        Option.getOrElse(clientId, () => settings.clientId),
        scope
      )
    : { token: yield* askToken(host, withToken) }
  const { token } = tokens
  if (Redacted.value(token) === "") {
    return yield* new UsageError({ detail: "There is no token.", hint: "Paste it, or send it on stdin." })
  }
  const who = yield* CurrentAccount.describe({
    ...settings,
    credential: { _tag: "Token", token, from: "this sign-in" }
  })
  const credentials = yield* CredentialStore.CredentialStore
  const place = yield* credentials.user(url).set(tokens, insecureStorage ? "file" : "keychain")
  const { note } = yield* Output
  const where = place === "keychain" ? "the keychain" : credentials.path
  yield* note(`Signed in to ${host} as ${Terminal.escape(who)}. The token is in ${where}.`)
  const other = settings.credential
  if (other !== undefined && !CredentialSource.isStored(other)) {
    yield* note(`While it is set, the credential from ${CredentialSource.describe(other)} is used instead.`)
  }
})

/** Typed without echo by a person, or piped by a program. Never an argument: those can be seen by others. */
const askToken = Effect.fnUntraced(function* (host: string, withToken: boolean) {
  if (process.stdin.isTTY && !withToken) {
    const { note } = yield* Output
    // Whoever leaves the prompt leaves its line too.
    return yield* Effect.onError(Prompt.run(Prompt.Hidden({ message: `Token for ${host}` })), () => note(""))
  }
  return Redacted.make((yield* FileInput.readStdin).trim())
})

const inBrowser = Effect.fnUntraced(function* (
  url: string,
  clientId: string | undefined,
  scopes: ReadonlyArray<string>
) {
  if (clientId === undefined) {
    return yield* new UsageError({
      detail: "Which app do you sign in with?",
      hint: "Give the client id of an OAuth app that allows the device flow: --client-id ID."
    })
  }
  const [DeviceFlow, NodeHttpClient] = yield* Effect.promise(() =>
    Promise.all([import("@tongs/connection/credentials/DeviceFlow"), import("@effect/platform-node/NodeHttpClient")])
  )
  const { note, progress } = yield* Output
  const signIn = Effect.gen(function* () {
    const { expiresAt, page, tokens, userCode } = yield* DeviceFlow.start({ url, clientId, scopes })
    yield* note(`Open  ${Terminal.escape(page)}\nEnter ${Terminal.escape(userCode)}`)
    const tell = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      progress(`Waiting for you there … the code is over ${RelativeTime.format(expiresAt, now)}`)
    )
    const ticker = Effect.forever(Effect.andThen(tell, Effect.sleep("1 second")))
    return yield* Effect.raceFirst(tokens, ticker).pipe(Effect.ensuring(progress("")))
  })
  return yield* Effect.provide(signIn, NodeHttpClient.layerNodeHttp)
})

export const login = Command.make("login", config, run).pipe(
  Command.withDescription(
    "Store a token for a forge: one that you paste or send on stdin, or that you get by signing in through a browser"
  ),
  Command.withShortDescription("Store a token for a forge"),
  Command.withExamples([
    { command: "tongs auth login --url https://forge.example/api/v3" },
    { command: "tongs auth login --dialect github --web --client-id Iv1.8a61f9b3a7aba766 --scope repo" }
  ])
)
