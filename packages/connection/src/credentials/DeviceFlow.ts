/**
 * Signing in through a browser, on any device (RFC 8628): the forge gives a code, the person enters it on its page, and
 * meanwhile the program asks whether they have.
 */
import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as HttpClient from "effect/http/HttpClient"
import { ConnectionError } from "../base/ConnectionError.ts"
import * as OAuth from "./OAuth.ts"
import type { TokenSet } from "./TokenSet.ts"

export interface Options {
  /** The forge's API; its pages are at the same host, or at that without `api.`. */
  readonly url: string
  /** Of the OAuth app in whose name the person signs in. It is no secret. */
  readonly clientId: string
  readonly scopes: ReadonlyArray<string>
}

/** What the person needs. */
export interface DeviceCode {
  readonly userCode: string
  /** The page to enter it at. */
  readonly page: string
  /** Epoch milliseconds at which the code is over. */
  readonly expiresAt: number
  /** The token, once the person has agreed, and what renews it; or why there is none. */
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

/** Seconds between two questions, where the forge names none; at least; and how many more after it says `slow_down`. */
const INTERVAL = 5
const SHORTEST = 1
const SLOWER = 5

const GRANT = "urn:ietf:params:oauth:grant-type:device_code"

/** Asks for a code. */
export const start = Effect.fn("DeviceFlow.start")(function* ({ clientId, scopes, url }: Options) {
  const site = OAuth.siteUrl(url)
  const wanted = { client_id: clientId, ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }) }
  const answer = yield* OAuth.postForm(`${site}/login/device/code`, wanted).pipe(
    Effect.mapError(() =>
      failed(`${site} cannot be reached`, "Check the URL and the network, or sign in with a token: `tongs auth login`")
    )
  )
  const code = decodeCode(answer)
  if (code._tag === "None") return yield* refusal(site, answer)
  const { device_code, expires_in, interval = INTERVAL, user_code, verification_uri } = code.value
  const expiresAt = (yield* Clock.currentTimeMillis) + expires_in * 1000
  const question = { client_id: clientId, device_code, grant_type: GRANT }
  return {
    userCode: user_code,
    page: verification_uri,
    expiresAt,
    tokens: poll(OAuth.tokenUrl(site), question, Math.max(SHORTEST, interval), expiresAt)
  } satisfies DeviceCode
})

const poll = Effect.fnUntraced(function* (
  url: string,
  question: { readonly client_id: string; readonly device_code: string; readonly grant_type: string },
  interval: number,
  expiresAt: number
) {
  let pause = interval
  while ((yield* Clock.currentTimeMillis) < expiresAt) {
    yield* Effect.sleep(pause * 1000)
    // A network that is away for a moment does not end it.
    const outcome = OAuth.decode(yield* Effect.orElseSucceed(OAuth.postForm(url, question), () => undefined))
    if (outcome._tag === "None") continue
    const { access_token, error, error_description, interval: slower } = outcome.value
    if (access_token !== undefined) {
      const app = { clientId: question.client_id, signIn: randomUUID() }
      return OAuth.toTokenSet(access_token, outcome.value, app, yield* Clock.currentTimeMillis)
    }
    switch (error) {
      case undefined:
      case "authorization_pending":
        break
      case "slow_down":
        pause = slower === undefined ? pause + SLOWER : Math.max(slower, pause)
        break
      case "access_denied":
        return yield* failed("It was refused on the forge's page", "Nothing is stored")
      case "expired_token":
        return yield* expired()
      default:
        return yield* failed(
          `The forge ended it: ${error_description ?? error}`,
          "Sign in with a token instead: `tongs auth login`"
        )
    }
  }
  return yield* expired()
})

const expired = () => failed("The code is over, and nobody has entered it", "Run the command again for another")

const refusal = (site: string, answer: unknown) => {
  const outcome = OAuth.decode(answer)
  const { error, error_description } = outcome._tag === "Some" ? outcome.value : {}
  return failed(
    error === undefined
      ? `${site} does not offer to sign in through a browser`
      : `${site} gives no code: ${error_description ?? error}`,
    error === undefined
      ? "Sign in with a token instead: `tongs auth login`"
      : "Check the client id, and that its app allows the device flow"
  )
}

const failed = (detail: string, hint: string) => new ConnectionError({ reason: "NotSignedIn", detail, hint })
