/** `tongs auth login`: stores an access token from a prompt, from stdin, or from a sign-in through a browser. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Prompt from "effect/cli/Prompt"
import * as CredentialStore from "@tongs/connection/credentials/CredentialStore"
import type { TokenSet } from "@tongs/connection/credentials/TokenSet"
import type { SignInFailed } from "@tongs/core/auth/DeviceFlow"
import { ConnectionError } from "@tongs/connection/base/ConnectionError"
import * as CredentialSource from "@tongs/connection/credentials/CredentialSource"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Flags from "../session/Flags.ts"
import { Output } from "../base/Output.ts"
import * as Session from "../session/Session.ts"
import { UsageError } from "../base/UsageError.ts"
import * as FileInput from "../base/FileInput.ts"
import * as CurrentAccount from "./CurrentAccount.ts"

const config = {
  withToken: Flags.toggle("with-token", "Read the token from stdin; the default if stdin is not a terminal"),
  web: Flag.withAlias(Flags.toggle("web", "Sign in with a code in a browser, on this device or another"), "device"),
  clientId: Flag.String("client-id").pipe(
    Flag.optional,
    Flag.withMetavar("ID"),
    Flag.withDescription("OAuth app for --web; by default TONGS_CLIENT_ID, or the profile's clientId")
  ),
  scope: Flag.String("scope").pipe(
    Flag.atLeast(0),
    Flag.withDescription("Scope to request with --web; may be repeated")
  ),
  insecureStorage: Flags.toggle(
    "insecure-storage",
    "Store the token in a file that only you can read, instead of the keychain"
  )
}

type Config = Command.Command.Config.Infer<typeof config>

const run = Effect.fnUntraced(function* ({ clientId, insecureStorage, scope, web, withToken }: Config) {
  const settings = yield* Session.settings
  const { url } = settings
  if (url === undefined) {
    return yield* new UsageError({
      detail: "The embedded forge needs no sign-in.",
      hint: "Select a remote forge with --url, for example https://forge.example.com/api/v3."
    })
  }
  if (web && withToken) {
    return yield* new UsageError({ detail: "--web cannot be combined with --with-token.", hint: "Omit one of them." })
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
    return yield* new UsageError({ detail: "The token is empty.", hint: "Paste a token, or pipe it to stdin." })
  }
  const who = yield* CurrentAccount.describe({
    ...settings,
    credential: { _tag: "Token", token, from: "this sign-in" }
  })
  const credentials = yield* CredentialStore.CredentialStore
  const location = yield* credentials.user(url).set(tokens, insecureStorage ? "file" : "keychain")
  const { note } = yield* Output
  const where = location === "keychain" ? "the keychain" : credentials.path
  yield* note(`Signed in to ${host} as ${Terminal.escape(who)}. The token is in ${where}.`)
  const other = settings.credential
  if (other !== undefined && !CredentialSource.isStored(other)) {
    yield* note(`The credential from ${CredentialSource.describe(other)} takes precedence while it is set.`)
  }
})

/**
 * Reads the access token from a prompt without echo, or from stdin. Not from arguments, which other accounts can see.
 */
const askToken = Effect.fnUntraced(function* (host: string, withToken: boolean) {
  if (process.stdin.isTTY && !withToken) {
    const { note } = yield* Output
    // An interrupted prompt leaves the cursor on the prompt's line.
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
      detail: "No OAuth app for --web.",
      hint: "Pass the client id of an OAuth app that allows the device flow: --client-id ID."
    })
  }
  const [DeviceFlow, PostForm, NodeHttpClient] = yield* Effect.promise(() =>
    Promise.all([
      import("@tongs/core/auth/DeviceFlow"),
      import("@tongs/core/auth/PostForm"),
      import("@effect/platform-node/NodeHttpClient")
    ])
  )
  const { note, progress } = yield* Output
  const signIn = Effect.gen(function* () {
    const { expiresAt, page, tokens, userCode } = yield* DeviceFlow.start(
      { url, clientId, scopes },
      yield* PostForm.make
    )
    yield* note(`Open  ${Terminal.escape(page)}\nEnter ${Terminal.escape(userCode)}`)
    const update = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      progress(`Waiting for you to enter the code … it expires ${RelativeTime.format(expiresAt, now)}`)
    )
    const ticker = Effect.forever(Effect.andThen(update, Effect.sleep("1 second")))
    return yield* Effect.raceFirst(tokens, ticker).pipe(Effect.ensuring(progress("")))
  })
  return yield* Effect.provide(signIn, NodeHttpClient.layerNodeHttp).pipe(
    Effect.catchTag("SignInFailed", ({ detail, reason }) =>
      Effect.fail(new ConnectionError({ reason: "NotSignedIn", detail, hint: remedies[reason] }))
    )
  )
})

const WITH_TOKEN = "Sign in with a token instead: `tongs auth login`"

const remedies: Readonly<Record<SignInFailed["reason"], string>> = {
  Unreachable: "Check the URL and the network, or sign in with a token: `tongs auth login`",
  Unsupported: WITH_TOKEN,
  Refused: `Check the client id, and that the app allows the device flow. ${WITH_TOKEN}`,
  Declined: "Run the command again to retry",
  Expired: "Run the command again to get a new code"
}

export const refresh = Command.make(
  "refresh",
  { clientId: config.clientId, scope: config.scope },
  Effect.fnUntraced(function* (given) {
    const { url } = yield* Session.settings
    const stored = url === undefined ? undefined : yield* (yield* CredentialStore.CredentialStore).user(url).get
    if (url !== undefined && stored === undefined) {
      return yield* new ConnectionError({
        reason: "NotSignedIn",
        detail: `No token is stored for ${CredentialStore.hostOf(url)}`,
        hint: `Run \`tongs auth login --url ${url}\``
      })
    }
    // The new token replaces the old one at the same location.
    yield* run({ ...given, web: true, withToken: false, insecureStorage: stored?.location === "file" })
  })
).pipe(
  Command.withDescription(
    "Sign in again through a browser, for example with more scopes, and replace the stored token"
  ),
  Command.withShortDescription("Sign in again, and replace the stored token"),
  Command.withExamples([{ command: "tongs auth refresh --scope repo --scope read:org" }])
)

export const login = Command.make("login", config, run).pipe(
  Command.withDescription(
    "Store a token for a forge: paste it, pipe it to stdin, or sign in through a browser with --web"
  ),
  Command.withShortDescription("Store a token for a forge"),
  Command.withExamples([
    { command: "tongs auth login --url https://forge.example/api/v3" },
    { command: "tongs auth login --dialect github --web --client-id Iv1.8a61f9b3a7aba766" }
  ])
)
