/** Signs in through a browser on any device. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as DeviceFlow from "@tongs/core/auth/DeviceFlow"
import * as OAuth from "@tongs/core/auth/OAuth"
import * as TokenRefresher from "@tongs/core/client/TokenRefresher"
import { BadCredentials } from "@tongs/core/contract/Failure"
import * as OptionNames from "../OptionNames.ts"
import * as Authentication from "./Authentication.ts"

/** The code that the user enters in a browser. */
export interface DeviceCode {
  readonly userCode: string
  /** URL of the web page that asks for the code. */
  readonly verificationUrl: string
  /** Time at which the code expires, in epoch milliseconds. */
  readonly expiresAt: number
}

/** Tokens of a sign-in, as JSON. Secret. Times are epoch milliseconds. */
export interface SignIn {
  readonly token: string
  readonly expiresAt?: number | undefined
  readonly refresh?:
    | {
        readonly token: string
        readonly expiresAt?: number | undefined
        readonly clientId: string
        readonly signIn: string
      }
    | undefined
}

/** Stores a sign-in between two runs of a program. */
export interface SignInStorage {
  readonly read: () => SignIn | undefined | Promise<SignIn | undefined>
  /** A refresh token works once: a sign-in that is not stored must be repeated. */
  readonly write: (signIn: SignIn) => void | Promise<void>
}

/** Options of `deviceFlow`. */
export interface DeviceFlowOptions {
  /** The client id of an OAuth app or GitHub App that allows the device flow. Not secret. */
  readonly clientId: string
  /** OAuth scopes to request. Apps with permissions ignore scopes. */
  readonly scopes?: ReadonlyArray<string> | undefined
  /** Shows the code to the user. Called when a request needs a sign-in. */
  readonly onCode: (code: DeviceCode) => void | Promise<void>
  /** Where to keep the sign-in. Default: in memory, so that each run of the program asks the user. */
  readonly storage?: SignInStorage | undefined
}

/**
 * Signs in through a browser, on this or another device: calls `onCode`, then waits until the user has entered the code.
 * Renews expiring tokens, and asks again when the sign-in has ended.
 *
 * ```ts
 * const auth = deviceFlow({ clientId, onCode: ({ userCode, verificationUrl }) => show(verificationUrl, userCode) })
 * ```
 */
export const deviceFlow = (options: DeviceFlowOptions): Authentication.Authentication => {
  OptionNames.check("deviceFlow", options, names)
  const { clientId, onCode, scopes = [], storage } = options
  return Authentication.define(
    "deviceFlow",
    Effect.fnUntraced(function* ({ account, baseUrl, fetch }) {
      const postForm = Authentication.postForm(fetch)
      let stored = yield* optionally("storage.read", async () => storage?.read())
      const signIn = Effect.gen(function* () {
        const { expiresAt, page, tokens, userCode } = yield* DeviceFlow.start(
          { url: baseUrl, clientId, scopes },
          postForm
        )
        yield* attempt("onCode", async () => onCode({ userCode, verificationUrl: page, expiresAt }))
        return yield* tokens
      }).pipe(Effect.catchTag("SignInFailed", ({ detail }) => Effect.fail(failed(detail))))
      const issue = Effect.suspend(() => {
        const refresh = stored?.refresh
        const known = refresh && { ...refresh, token: Redacted.make(refresh.token) }
        return known === undefined
          ? signIn
          : Effect.catchTag(OAuth.renew(known, baseUrl, postForm), "BadCredentials", () => signIn)
      }).pipe(
        Effect.tap((tokens) => {
          stored = toSignIn(tokens)
          const { write } = storage ?? {}
          const copy = stored
          return write === undefined ? Effect.void : optionally("storage.write", async () => write(copy))
        })
      )
      return yield* TokenRefresher.make({
        identity: account ?? stored?.refresh?.signIn ?? stored?.token ?? crypto.randomUUID(),
        issue,
        ...(stored === undefined
          ? {}
          : { initial: { token: Redacted.make(stored.token), expiresAt: stored.expiresAt } })
      })
    })
  )
}

const names: OptionNames.OptionNames<DeviceFlowOptions> = { clientId: 1, scopes: 1, onCode: 1, storage: 1 }

const toSignIn = ({ expiresAt, refresh, token }: OAuth.TokenSet): SignIn => ({
  token: Redacted.value(token),
  ...(expiresAt === undefined ? {} : { expiresAt }),
  ...(refresh === undefined ? {} : { refresh: { ...refresh, token: Redacted.value(refresh.token) } })
})

const attempt = <A>(name: string, f: () => Promise<A>) =>
  Effect.tryPromise({
    try: f,
    catch: (cause) => failed(`${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  })

/** Continues without the storage. */
const optionally = <A>(name: string, f: () => Promise<A>) =>
  attempt(name, f).pipe(
    Effect.catchTag("BadCredentials", ({ detail }) => Effect.as(Effect.logWarning(detail), undefined))
  )

const failed = (detail: string, cause?: unknown) => new BadCredentials({ request: "auth", detail, cause })
