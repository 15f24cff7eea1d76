/**
 * Signs in through a browser on any device (RFC 8628): the forge issues a code, the user enters the code on a web page,
 * and the program polls the forge until it gets an access token.
 */
import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as HttpClient from "effect/http/HttpClient"
import { ConnectionError } from "../base/ConnectionError.ts"
import * as OAuth from "./OAuth.ts"
import type { TokenSet } from "./TokenSet.ts"

/** The forge, the OAuth app and the scopes to sign in with. */
export interface Options {
  /** The URL of the forge's API. */
  readonly url: string
  /** The client id of the OAuth app, which is not secret. */
  readonly clientId: string
  readonly scopes: ReadonlyArray<string>
}

/** The code that the user enters in a browser, and the result of the sign-in. */
export interface DeviceCode {
  readonly userCode: string
  /** The URL of the web page that asks for the code. */
  readonly page: string
  /** Epoch milliseconds at which the code expires. */
  readonly expiresAt: number
  /**
   * Polls until the user agrees, then returns the tokens. Fails with `NotSignedIn` if the user declines or the code
   * expires.
   */
  readonly tokens: Effect.Effect<TokenSet, ConnectionError, HttpClient.HttpClient>
}

const Code = Schema.Struct({
  device_code: Schema.String,
  user_code: Schema.String,
  verification_uri: Schema.String,
  expires_in: Schema.Number,
  interval: Schema.optionalKey(Schema.Number)
})
const decodeCode = Schema.decodeUnknownOption(Code)

/** Default polling interval in seconds, if the forge does not send an interval. */
const DEFAULT_INTERVAL = 5

/** Minimum polling interval in seconds, even if the forge sends a shorter interval. */
const MIN_INTERVAL = 1

/** Seconds by which the error `slow_down` lengthens the polling interval (RFC 8628 §3.5). */
const SLOW_DOWN = 5

const GRANT = "urn:ietf:params:oauth:grant-type:device_code"

/** Requests a device code. Fails with `NotSignedIn` if the forge is unreachable or does not support the device flow. */
export const start = Effect.fn("DeviceFlow.start")(function* ({ clientId, scopes, url }: Options) {
  const site = OAuth.siteUrl(url)
  const wanted = { client_id: clientId, ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }) }
  const answer = yield* OAuth.postForm(`${site}/login/device/code`, wanted).pipe(
    Effect.mapError(() =>
      failed(`Cannot reach ${site}`, "Check the URL and the network, or sign in with a token: `tongs auth login`")
    )
  )
  const code = decodeCode(answer)
  if (code._tag === "None") return yield* refusal(site, answer)
  const { device_code, expires_in, interval = DEFAULT_INTERVAL, user_code, verification_uri } = code.value
  const expiresAt = (yield* Clock.currentTimeMillis) + expires_in * 1000
  const form = { client_id: clientId, device_code, grant_type: GRANT }
  return {
    userCode: user_code,
    page: verification_uri,
    expiresAt,
    tokens: poll(OAuth.tokenUrl(site), form, Math.max(MIN_INTERVAL, interval), expiresAt)
  } satisfies DeviceCode
})

const poll = Effect.fnUntraced(function* (
  url: string,
  form: { readonly client_id: string; readonly device_code: string; readonly grant_type: string },
  interval: number,
  expiresAt: number
) {
  let pause = interval
  while ((yield* Clock.currentTimeMillis) < expiresAt) {
    yield* Effect.sleep(pause * 1000)
    // A network failure does not end the sign-in: the next poll may succeed.
    const outcome = OAuth.decode(yield* Effect.orElseSucceed(OAuth.postForm(url, form), () => undefined))
    if (outcome._tag === "None") continue
    const { access_token, error, error_description, interval: slower } = outcome.value
    if (access_token !== undefined) {
      const app = { clientId: form.client_id, signIn: randomUUID() }
      return OAuth.toTokenSet(access_token, outcome.value, app, yield* Clock.currentTimeMillis)
    }
    switch (error) {
      case undefined:
      case "authorization_pending":
        break
      case "slow_down":
        pause = slower === undefined ? pause + SLOW_DOWN : Math.max(slower, pause)
        break
      case "access_denied":
        return yield* failed("The sign-in was declined in the browser", "Run the command again to retry")
      case "expired_token":
        return yield* expired()
      default:
        return yield* failed(
          `The forge refused the sign-in: ${error_description ?? error}`,
          "Sign in with a token instead: `tongs auth login`"
        )
    }
  }
  return yield* expired()
})

const expired = () => failed("The code has expired", "Run the command again to get a new one")

const refusal = (site: string, answer: unknown) => {
  const outcome = OAuth.decode(answer)
  const { error, error_description } = outcome._tag === "Some" ? outcome.value : {}
  return failed(
    error === undefined
      ? `${site} does not support signing in through a browser`
      : `${site} refused to issue a code: ${error_description ?? error}`,
    error === undefined
      ? "Sign in with a token instead: `tongs auth login`"
      : "Check the client id, and that the app allows the device flow"
  )
}

const failed = (detail: string, hint: string) => new ConnectionError({ reason: "NotSignedIn", detail, hint })
