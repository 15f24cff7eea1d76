/** `tongs auth`: signing in to remote forges. The embedded one needs no account. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Command from "effect/cli/Command"
import * as Prompt from "effect/cli/Prompt"
import { ConnectionError } from "@tongs/connection/ConnectionError"
import * as Credentials from "@tongs/connection/Credentials"
import type { Settings } from "@tongs/connection/Settings"
import { Forge } from "@tongs/core/client/Forge"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Flags from "../Flags.ts"
import { Output, printJson } from "../Output.ts"
import * as Patience from "../Patience.ts"
import * as Session from "../Session.ts"
import { UsageError } from "../Usage.ts"
import * as Reference from "./Reference.ts"

/** Who a token is, as its forge says. */
const whoIs = Effect.fnUntraced(function* (settings: Settings) {
  const connect = yield* Session.Connector
  const options = yield* Patience.interactive
  const me = Effect.flatMap(Forge, (forge) => forge.users.me({}, options))
  return (yield* Effect.provide(me, connect(settings))).login
})

const login = Command.make(
  "login",
  {},
  Effect.fnUntraced(function* () {
    const settings = yield* Session.settings
    if (settings.url === undefined) {
      return yield* new UsageError({
        detail: "The embedded forge needs no sign-in.",
        hint: "Name a remote one with --url, as https://forge.example.com/api/v3."
      })
    }
    const host = Credentials.host(settings.url)
    const token = yield* askToken(host)
    if (Redacted.value(token) === "") {
      return yield* new UsageError({ detail: "There is no token.", hint: "Paste it, or send it on stdin." })
    }
    const who = yield* whoIs({ ...settings, token })
    const credentials = yield* Credentials.Credentials
    yield* credentials.set(settings.url, token)
    const { note } = yield* Output
    yield* note(`Signed in to ${host} as ${Terminal.visible(who)}. The token is in ${credentials.path}.`)
  })
).pipe(Command.withDescription("Store a token for a forge; it is asked for, or read from stdin"))

/** Typed without echo by a person, or piped by a program. Never an argument: those can be seen by others. */
const askToken = Effect.fnUntraced(function* (host: string) {
  if (process.stdin.isTTY) return yield* Prompt.run(Prompt.Hidden({ message: `Token for ${host}` }))
  return Redacted.make((yield* Reference.stdin).trim())
})

const status = Command.make(
  "status",
  {},
  Effect.fnUntraced(function* () {
    const { print } = yield* Output
    const settings = yield* Session.settings
    const credentials = yield* Credentials.Credentials
    const stored = yield* credentials.hosts
    const isJson = yield* Flags.Json
    if (settings.url === undefined) {
      return yield* isJson
        ? printJson({ forge: "embedded", stored })
        : print(
            "The embedded forge needs no sign-in.",
            ...stored.map((host) => `A token is stored for ${Terminal.visible(host)}.`)
          )
    }
    const host = Credentials.host(settings.url)
    if (settings.token === undefined) {
      return yield* new ConnectionError({
        reason: "NotSignedIn",
        detail: `Not signed in to ${host}`,
        hint: `Run \`tongs auth login --url ${settings.url}\``
      })
    }
    const who = yield* whoIs(settings)
    yield* isJson
      ? printJson({ forge: host, login: who, stored })
      : print(`Signed in to ${host} as ${Terminal.visible(who)}.`)
  })
).pipe(Command.withDescription("Say who is signed in where"))

const logout = Command.make(
  "logout",
  {},
  Effect.fnUntraced(function* () {
    const { note } = yield* Output
    const { url } = yield* Session.settings
    if (url === undefined)
      return yield* new UsageError({
        detail: "Nobody signs in to the embedded forge.",
        hint: "Name a remote one with --url."
      })
    const wasThere = yield* (yield* Credentials.Credentials).remove(url)
    yield* note(
      wasThere
        ? `The token for ${Credentials.host(url)} is gone from this machine. The forge still accepts it.`
        : `No token for ${Credentials.host(url)} was stored.`
    )
  })
).pipe(Command.withDescription("Forget the stored token of a forge"))

export const auth = Command.make("auth").pipe(
  Command.withDescription("Sign in to remote forges"),
  Command.withSubcommands([login, status, logout])
)
