/**
 * Signs in through a browser on any device (RFC 8628): the forge issues a code, the user enters the code on a web page,
 * and the program polls the forge for an access token.
 */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as OAuth from "./OAuth.ts"

/** The forge, the OAuth app and the scopes to sign in with. */
export interface Options {
  /** The URL of the forge's API. */
  readonly url: string
  /** The client id of the OAuth app, which is not secret. */
  readonly clientId: string
  readonly scopes: ReadonlyArray<string>
}

/** The error of a sign-in without a token. */
export class SignInFailed extends Data.TaggedError("SignInFailed")<{
  /**
   * `Unsupported`: the forge has no device flow. `Refused`: the forge rejects the app. `Declined`: the user declined.
   */
  readonly reason: "Unreachable" | "Unsupported" | "Refused" | "Declined" | "Expired"
  /** The reason of the failure, without a final period. */
  readonly detail: string
}> {
  override get message() {
    return `${this.detail}.`
  }
}

/** The code that the user enters in a browser, and the result of the sign-in. */
export interface DeviceCode {
  readonly userCode: string
  /** The URL of the web page that asks for the code. */
  readonly page: string
  /** Epoch milliseconds at which the code expires. */
  readonly expiresAt: number
  /** Polls until the user agrees, then returns the tokens. Fails if the user declines or the code expires. */
  readonly tokens: Effect.Effect<OAuth.TokenSet, SignInFailed>
}

const decodeCode = (json: unknown) => {
  const { device_code, expires_in, interval, user_code, verification_uri } = OAuth.members(json)
  return typeof device_code === "string" &&
    typeof user_code === "string" &&
    typeof verification_uri === "string" &&
    typeof expires_in === "number"
    ? { device_code, expires_in, interval: OAuth.number(interval), user_code, verification_uri }
    : undefined
}

/** Default polling interval in seconds, if the forge does not send an interval. */
const DEFAULT_INTERVAL = 5

/** Minimum polling interval in seconds, even if the forge sends a shorter interval. */
const MIN_INTERVAL = 1

/** Seconds added to the polling interval after `slow_down` (RFC 8628 §3.5). */
const SLOW_DOWN = 5

const GRANT = "urn:ietf:params:oauth:grant-type:device_code"

/** Requests a device code. Fails if the forge is unreachable or does not support the device flow. */
export const start = Effect.fn("DeviceFlow.start")(function* (
  { clientId, scopes, url }: Options,
  postForm: OAuth.PostForm
) {
  const site = OAuth.siteUrl(url)
  const wanted = { client_id: clientId, ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }) }
  const answer = yield* postForm(`${site}/login/device/code`, wanted).pipe(
    Effect.mapError(() => failed("Unreachable", `Cannot reach ${site}`))
  )
  const code = decodeCode(answer)
  if (code === undefined) return yield* refusal(site, OAuth.decode(answer))
  const { device_code, expires_in, interval = DEFAULT_INTERVAL, user_code, verification_uri } = code
  const expiresAt = (yield* Clock.currentTimeMillis) + expires_in * 1000
  const form = { client_id: clientId, device_code, grant_type: GRANT }
  return {
    userCode: user_code,
    page: verification_uri,
    expiresAt,
    tokens: poll(postForm, OAuth.tokenUrl(site), form, Math.max(MIN_INTERVAL, interval), expiresAt)
  } satisfies DeviceCode
})

const poll = Effect.fnUntraced(function* (
  postForm: OAuth.PostForm,
  url: string,
  form: { readonly client_id: string; readonly device_code: string; readonly grant_type: string },
  interval: number,
  expiresAt: number
) {
  let pause = interval
  while ((yield* Clock.currentTimeMillis) < expiresAt) {
    yield* Effect.sleep(pause * 1000)
    // A network failure does not end the sign-in: the next poll may succeed.
    const response = OAuth.decode(yield* Effect.orElseSucceed(postForm(url, form), () => undefined))
    const { access_token, error, error_description, interval: slower } = response
    if (access_token !== undefined) {
      const app = { clientId: form.client_id, signIn: crypto.randomUUID() }
      return OAuth.toTokenSet(access_token, response, app, yield* Clock.currentTimeMillis)
    }
    switch (error) {
      case undefined:
      case "authorization_pending":
        break
      case "slow_down":
        pause = slower === undefined ? pause + SLOW_DOWN : Math.max(slower, pause)
        break
      case "access_denied":
        return yield* failed("Declined", "The sign-in was declined in the browser")
      case "expired_token":
        return yield* expired()
      default:
        return yield* failed("Refused", `The forge refused the sign-in: ${error_description ?? error}`)
    }
  }
  return yield* expired()
})

const expired = () => failed("Expired", "The code has expired")

const refusal = (site: string, { error, error_description }: OAuth.TokenResponse) =>
  error === undefined
    ? failed("Unsupported", `${site} does not support signing in through a browser`)
    : failed("Refused", `${site} refused to issue a code: ${error_description ?? error}`)

const failed = (reason: SignInFailed["reason"], detail: string) => new SignInFailed({ reason, detail })
