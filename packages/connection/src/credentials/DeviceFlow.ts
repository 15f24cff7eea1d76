/**
 * Signing in through a browser, on any device (RFC 8628): the forge gives a code, the person enters it on its page, and
 * meanwhile the program asks whether they have.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { ConnectionError } from "../ConnectionError.ts"

export interface Options {
  /** The forge's API; its pages are at the same host, or at that without `api.`. */
  readonly url: string
  /** Of the OAuth app in whose name the person signs in. It is no secret. */
  readonly clientId: string
  readonly scopes: ReadonlyArray<string>
}

/** What the person needs. */
export interface Invitation {
  readonly userCode: string
  /** The page to enter it at. */
  readonly page: string
  /** Epoch milliseconds at which the code is over. */
  readonly expiresAt: number
  /** The token, once the person has agreed; or why there is none. */
  readonly token: Effect.Effect<Redacted.Redacted<string>, ConnectionError, HttpClient.HttpClient>
}

const Code = Schema.Struct({
  device_code: Schema.String,
  user_code: Schema.String,
  verification_uri: Schema.String,
  expires_in: Schema.Number,
  interval: Schema.optionalKey(Schema.Number)
})
const decodeCode = Schema.decodeUnknownOption(Code)

const Outcome = Schema.Struct({
  access_token: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.String),
  error_description: Schema.optionalKey(Schema.String),
  interval: Schema.optionalKey(Schema.Number)
})
const decodeOutcome = Schema.decodeUnknownOption(Outcome)

/** Seconds between two questions, where the forge names none; at least; and how many more after it says `slow_down`. */
const INTERVAL = 5
const SHORTEST = 1
const SLOWER = 5

/** How long one question may take. */
const PATIENCE = "15 seconds"

const GRANT = "urn:ietf:params:oauth:grant-type:device_code"

/** Asks for a code. */
export const start = Effect.fn("DeviceFlow.start")(function* ({ clientId, scopes, url }: Options) {
  const site = siteOf(url)
  const wanted = { client_id: clientId, ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }) }
  const answer = yield* ask(`${site}/login/device/code`, wanted).pipe(
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
    token: poll(`${site}/login/oauth/access_token`, question, Math.max(SHORTEST, interval), expiresAt)
  } satisfies Invitation
})

const poll = Effect.fnUntraced(function* (
  url: string,
  question: Readonly<Record<string, string>>,
  interval: number,
  expiresAt: number
) {
  let pause = interval
  while ((yield* Clock.currentTimeMillis) < expiresAt) {
    yield* Effect.sleep(pause * 1000)
    // A network that is away for a moment does not end it.
    const outcome = decodeOutcome(yield* Effect.orElseSucceed(ask(url, question), () => undefined))
    if (outcome._tag === "None") continue
    const { access_token, error, error_description, interval: slower } = outcome.value
    if (access_token !== undefined) return Redacted.make(access_token)
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
  const { error, error_description } = decodeOutcome(answer).pipe((outcome) =>
    outcome._tag === "Some" ? outcome.value : {}
  )
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

/** One form, and the JSON of the answer whatever its status; nothing where that is no JSON. */
const ask = (
  url: string,
  form: Readonly<Record<string, string>>
): Effect.Effect<unknown, HttpClientError | { readonly _tag: "TimeoutError" }, HttpClient.HttpClient> =>
  HttpClientRequest.post(url).pipe(
    HttpClientRequest.setHeaders({ accept: "application/json", "user-agent": "tongs" }),
    HttpClientRequest.bodyUrlParams(form),
    HttpClient.execute,
    Effect.flatMap((response) => Effect.orElseSucceed(response.json, () => undefined)),
    Effect.timeout(PATIENCE),
    // The form holds the code, and the answer the token.
    Effect.withTracerEnabled(false)
  )

const siteOf = (url: string) => {
  const { host, protocol } = new URL(url)
  return `${protocol}//${host.replace(/^api\./, "")}`
}
