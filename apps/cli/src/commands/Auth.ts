/** `tongs auth`: signs in to remote forges. The embedded forge needs no account. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Command from "effect/cli/Command"
import { ConnectionError } from "@tongs/connection/base/ConnectionError"
import * as CredentialStore from "@tongs/connection/credentials/CredentialStore"
import * as CredentialSource from "@tongs/connection/credentials/CredentialSource"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../base/Output.ts"
import * as JsonOutput from "../json/JsonOutput.ts"
import * as Session from "../session/Session.ts"
import { UsageError } from "../base/UsageError.ts"
import { login, refresh } from "./Login.ts"
import * as CurrentAccount from "./CurrentAccount.ts"

const status = Command.make(
  "status",
  {},
  Effect.fnUntraced(function* () {
    const { print } = yield* Output
    const settings = yield* Session.settings
    const credentials = yield* CredentialStore.CredentialStore
    const stored = yield* credentials.hosts
    const isJson = yield* JsonOutput.isWanted
    const { credential, url } = settings
    if (url === undefined) {
      return yield* isJson
        ? JsonOutput.print({ forge: "embedded", stored })
        : print(
            "The embedded forge needs no sign-in.",
            ...stored.map((host) => `A token is stored for ${Terminal.escape(host)}.`)
          )
    }
    const host = CredentialStore.hostOf(url)
    if (credential === undefined) {
      return yield* new ConnectionError({
        reason: "NotSignedIn",
        detail: `Not signed in to ${host}`,
        hint: `Run \`tongs auth login --url ${url}\``
      })
    }
    const source = CredentialSource.describe(credential)
    const who = yield* Effect.catchTag(CurrentAccount.describe(settings), "BadCredentials", ({ detail }) =>
      Effect.fail(
        new ConnectionError({
          reason: "NotSignedIn",
          detail: `${host} rejected the credential from ${source}: ${detail}`,
          hint: CredentialSource.remedy(credential)
        })
      )
    )
    yield* isJson
      ? JsonOutput.print({ forge: host, login: who, source, stored })
      : print(
          `Signed in to ${host} as ${Terminal.escape(who)}.`,
          `The credential is from ${Terminal.escape(source)}.`,
          ...(stored.includes(host) && !CredentialSource.isStored(credential)
            ? ["The stored credential is not used."]
            : [])
        )
  })
).pipe(Command.withDescription("Show the account that is signed in, and the source of the credential"))

const logout = Command.make(
  "logout",
  {},
  Effect.fnUntraced(function* () {
    const { note } = yield* Output
    const { credential, url } = yield* Session.settings
    if (url === undefined)
      return yield* new UsageError({
        detail: "The embedded forge needs no sign-in.",
        hint: "Select a remote forge with --url."
      })
    const { remove } = yield* CredentialStore.CredentialStore
    const host = CredentialStore.hostOf(url)
    const wasThere = yield* remove(url)
    yield* note(
      wasThere
        ? `Removed the token for ${host} from this machine. The forge still accepts it.`
        : `No token is stored for ${host}.`
    )
    if (credential !== undefined && !CredentialSource.isStored(credential)) {
      yield* note(`The credential from ${CredentialSource.describe(credential)} is still used.`)
    }
  })
).pipe(Command.withDescription("Remove the stored token for a forge"))

const token = Command.make(
  "token",
  {},
  Effect.fnUntraced(function* () {
    const { credential, dialect, url } = yield* Session.settings
    if (url === undefined) {
      return yield* new UsageError({
        detail: "The embedded forge needs no token.",
        hint: "Select a remote forge with --url."
      })
    }
    const forge = { baseUrl: url, dialect }
    const { layerNodeHttp } = yield* Effect.promise(() => import("@effect/platform-node/NodeHttpClient"))
    const found = yield* Effect.provide(
      CredentialSource.toCredential(credential, forge),
      Layer.merge(layerNodeHttp, Scheduler.layerMemory)
    )
    if (found === undefined) {
      return yield* new ConnectionError({
        reason: "NotSignedIn",
        detail: `Not signed in to ${CredentialStore.hostOf(url)}`,
        hint: `Run \`tongs auth login --url ${url}\``
      })
    }
    const { print } = yield* Output
    yield* print(Redacted.value(Redacted.isRedacted(found) ? found : yield* found.current))
  })
).pipe(Command.withDescription("Print the token for a forge, for other programs"))

export const auth = Command.make("auth").pipe(
  Command.withDescription("Sign in to remote forges"),
  Command.withSubcommands([login, status, token, refresh, logout])
)
