/** How a client authenticates: the option `auth` of `createForge`. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { SendRequest } from "@tongs/core/auth/AppCredential"
import type { PostForm } from "@tongs/core/auth/OAuth"
import type { Credential, Token } from "@tongs/core/client/Credential"
import * as TokenRefresher from "@tongs/core/client/TokenRefresher"
import type { Dialect } from "@tongs/core/contract/Dialect"
import { BadCredentials } from "@tongs/core/contract/Failure"

/** A way to authenticate that renews tokens automatically: the result of `app`, `deviceFlow` or `environment`. */
export interface Authentication {
  /** Name of the function that created the value. */
  readonly kind: string
}

/** A token and the expiry time. */
export interface ExpiringToken {
  readonly token: string
  /** Expiry time, as a `Date` or in epoch milliseconds. The function is called again five minutes earlier. */
  readonly expiresAt?: Date | number | undefined
}

/**
 * Returns a token. Called before the first request, shortly before `expiresAt`, and once when the forge rejects the
 * token. Concurrent requests share one call.
 */
export type TokenFunction = () => string | ExpiringToken | Promise<string | ExpiringToken>

/** The types of the option `auth`: a token, a function that returns tokens, or a way to authenticate. */
export type Auth = string | TokenFunction | Authentication

/** The client that needs a credential. */
export interface CredentialTarget {
  readonly baseUrl: string
  readonly dialect: Dialect | undefined
  /** The account's name in budgets and caches, if the program gave a name. */
  readonly account: string | undefined
  readonly fetch: typeof globalThis.fetch
  /** Receives warnings. */
  readonly log: (message: string) => void
  /** Creates a client with another credential, and returns its function `request`. */
  readonly requestAs: (credential: Credential) => Effect.Effect<SendRequest, never, Scope.Scope>
}

/** Creates the credential of a client. */
export type MakeCredential = (
  target: CredentialTarget
) => Effect.Effect<Token | Credential | undefined, never, Scope.Scope>

/** Hide the credential from the type and from `inspect`. */
const makeSymbol = Symbol.for("@tongs/client/auth")
const openSymbol = Symbol.for("@tongs/client/tokenSource")

/** Creates a way to authenticate. */
export const define = (kind: string, make: MakeCredential): Authentication =>
  Object.freeze(Object.defineProperty({ kind }, makeSymbol, { value: make }))

/** Creates a way to authenticate in another entry point of this package. */
export const defineSource = (kind: string, open: OpenSource): Authentication =>
  Object.freeze(Object.defineProperty({ kind }, openSymbol, { value: open }))

/** Returns the function that creates the credential of an `auth` option. Throws a `TypeError` for any other value. */
export const resolve = (auth: Auth | undefined): MakeCredential => {
  if (auth === undefined) return () => Effect.undefined
  if (typeof auth === "string") return () => Effect.succeed(Redacted.make(auth))
  if (typeof auth === "function") return fromFunction(auth)
  const make: unknown = Reflect.get(auth, makeSymbol)
  if (typeof make === "function") return make as MakeCredential // oxlint-disable-line typescript/no-unsafe-type-assertion -- only `define` sets it
  const open: unknown = Reflect.get(auth, openSymbol)
  if (typeof open === "function") return fromSource(open as OpenSource) // oxlint-disable-line typescript/no-unsafe-type-assertion -- only `defineSource` sets it
  throw new TypeError("Invalid `auth`: pass a token, a function that returns a token, or the result of `app(…)`")
}

/** A credential with promises, because each entry point of this package contains a separate copy of Effect. */
export interface TokenSource {
  readonly close: () => Promise<void>
  readonly credential:
    | {
        /** Identifies the account, independent of the current token. */
        readonly identity: string
        readonly current: () => Promise<string>
        readonly replace: (rejected: string) => Promise<string | undefined>
      }
    | undefined
}

/** Opens a source of tokens. A failure fails each call. */
export type OpenSource = (
  target: Pick<CredentialTarget, "baseUrl" | "dialect" | "fetch" | "log">
) => Promise<TokenSource>

const fromSource =
  (open: OpenSource): MakeCredential =>
  (target) => {
    const opened = Effect.tryPromise({ try: () => open(target), catch: failedSource })
    return Effect.acquireRelease(opened, ({ close }) => Effect.promise(close)).pipe(
      Effect.map(({ credential }): Credential | undefined => {
        if (credential === undefined) return undefined
        const { current, identity, replace } = credential
        const redact = (token: string | undefined) => (token === undefined ? undefined : Redacted.make(token))
        return {
          identity: Redacted.make(identity),
          current: Effect.map(Effect.tryPromise({ try: current, catch: failedSource }), (token) =>
            Redacted.make(token)
          ),
          replace: (rejected) =>
            Effect.map(Effect.tryPromise({ try: () => replace(Redacted.value(rejected)), catch: failedSource }), redact)
        }
      }),
      Effect.catch((error) =>
        Effect.succeed<Credential>({
          identity: Redacted.make(crypto.randomUUID()),
          current: Effect.fail(error),
          replace: () => Effect.undefined
        })
      )
    )
  }

const failedSource = (cause: unknown) => new BadCredentials({ request: "auth", detail: messageOf(cause) })

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** Posts forms with `fetch`. */
export const postForm =
  (fetch: typeof globalThis.fetch): PostForm =>
  (url, form) =>
    Effect.tryPromise(async (signal) => {
      const headers = { accept: "application/json" }
      const limit = AbortSignal.any([signal, AbortSignal.timeout(FORM_TIMEOUT)])
      const response = await fetch(url, { method: "POST", headers, body: new URLSearchParams(form), signal: limit })
      return response.json().catch(() => undefined)
    })

/** Time limit of a form in milliseconds. */
const FORM_TIMEOUT = 15_000

/** Time limit of a function that returns tokens. */
const TIMEOUT = "60 seconds"

const fromFunction =
  (f: TokenFunction): MakeCredential =>
  ({ account }) => {
    const issue = Effect.tryPromise({ try: async () => f(), catch: failed }).pipe(
      Effect.timeoutOrElse({ duration: TIMEOUT, orElse: () => Effect.fail(failed(`no result within ${TIMEOUT}`)) }),
      Effect.flatMap((result: string | Partial<ExpiringToken> | undefined) => {
        const { expiresAt, token } = typeof result === "object" ? result : { token: result }
        return typeof token === "string"
          ? Effect.succeed({ token: Redacted.make(token), expiresAt: expiresAt?.valueOf() })
          : Effect.fail(failed("it returned no token"))
      })
    )
    return TokenRefresher.make({ identity: account ?? crypto.randomUUID(), issue })
  }

/** Creates the failure of a user's function, with the function's error as `cause`. */
const failed = (cause: unknown) =>
  new BadCredentials({
    request: "auth",
    detail: `The function that returns the token failed: ${messageOf(cause)}`,
    cause
  })
