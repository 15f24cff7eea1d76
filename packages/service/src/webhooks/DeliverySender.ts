/** Sends one delivery, for at most 10 seconds, and records the request and response. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Dialect, vocabularies } from "@tongs/core/contract/Dialect"
import { Payload } from "@tongs/core/contract/groups/Payload"
import * as Renaming from "@tongs/core/contract/Renaming"
import * as SchemaShape from "@tongs/core/contract/SchemaShape"
import type { LeasedDelivery, DeliveryOutcome } from "./DeliveryRows.ts"
import type { HookRow } from "./HookRows.ts"
import type { NoResponse, Outdated, PostRequest, PostResponse } from "./HttpPost.ts"
import type { HookSecrets, SecretSealer } from "./SecretSealer.ts"
import * as PayloadSignature from "./PayloadSignature.ts"

export interface DeliveryOptions {
  readonly dialect: Dialect
  /** True to deliver to private addresses too. */
  readonly allowLocal: boolean
  /** Sends a delivery, by default over HTTP. */
  readonly post?: ((request: PostRequest) => Effect.Effect<PostResponse, NoResponse | Outdated>) | undefined
}

/** Maximum time for the response of a receiver, in milliseconds. */
export const TIME_LIMIT = 10_000

const basic = ({ password = "", username }: HookSecrets): Record<string, string> =>
  username === undefined ? {} : { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` }

const targetOf = (hook: HookRow) =>
  hook.app_id !== null ? "integration" : hook.repository_id === null ? "organization" : "repository"

const headersOf = ({ delivery, hook }: LeasedDelivery, dialect: Dialect): Record<string, string> => {
  const prefix = vocabularies[dialect].deliveryHeader
  return {
    Accept: "*/*",
    "Content-Type": hook.content_type === "json" ? "application/json" : "application/x-www-form-urlencoded",
    "User-Agent": `${prefix.replace(/^X-/, "")}-Hookshot/tongs`,
    [`${prefix}-Event`]: delivery.event,
    [`${prefix}-Delivery`]: delivery.guid,
    [`${prefix}-Hook-ID`]: String(hook.id),
    [`${prefix}-Hook-Installation-Target-ID`]: String(hook.repository_id ?? hook.organization_id ?? hook.app_id),
    [`${prefix}-Hook-Installation-Target-Type`]: targetOf(hook)
  }
}

/** Converts a payload from the `service` dialect of the database to the dialect of the receiver. */
const payloadOf = (json: string, dialect: Dialect): string => {
  const rename = renames[dialect]
  return rename === undefined ? json : JSON.stringify(rename(JSON.parse(json)))
}
const payload = SchemaShape.of(Payload)
const renames = { service: Renaming.fromService("service", payload), github: Renaming.fromService("github", payload) }

const bodyOf = (hook: HookRow, json: string): string =>
  hook.content_type === "json" ? json : new URLSearchParams({ payload: json }).toString()

/** Status codes in the log for attempts without a response, equal to the codes of a gateway. */
const UNREACHABLE = 502
const TOO_LATE = 504

const failed = (code: number, detail: string) => ({
  code,
  isAnswered: false,
  status: detail,
  last: { last_code: code, last_status: "misconfigured", last_message: detail },
  responseHeaders: null,
  responseBody: null
})

const answered = ({ body, code, headers }: PostResponse) => {
  const fine = code >= 200 && code < 300
  const status = fine ? "OK" : `Invalid HTTP Response: ${code}`
  return {
    code,
    isAnswered: true,
    status,
    last: { last_code: code, last_status: fine ? "active" : "misconfigured", last_message: status },
    responseHeaders: headers,
    responseBody: body
  }
}

/**
 * Sends a leased delivery and returns the outcome. Never fails: the outcome contains the error. Returns undefined, and
 * sends nothing, if the lease ends before the connection is open.
 */
export const send = Effect.fn("Webhooks.send")(function* (
  claimed: LeasedDelivery,
  secrets: SecretSealer["Service"],
  options: DeliveryOptions
) {
  const { delivery, hook } = claimed
  const startedAt = yield* Clock.currentTimeMillis
  // Imported here, because most processes send nothing, and loading `node:http` takes 20 ms.
  const { NoResponse, post: postOverHttp } = yield* Effect.promise(() => import("./HttpPost.ts"))
  const post = options.post ?? postOverHttp
  const opened = secrets.open(hook.sealed)
  const body = bodyOf(hook, payloadOf(delivery.payload, options.dialect))
  const { secret, ...login }: HookSecrets = opened ?? {}
  const headers = { ...headersOf(claimed, options.dialect), ...PayloadSignature.headers(secret, body) }
  const posted =
    opened === undefined
      ? Effect.fail(new NoResponse({ detail: "the hook's secret cannot be read: set it again" }))
      : post({
          url: hook.url,
          headers: { ...headers, ...basic(login) },
          body,
          verify: hook.insecure_ssl === "0",
          allowLocal: options.allowLocal,
          isCurrent: claimed.isLeased
        })
  if (!claimed.isLeased()) return undefined
  const result = yield* posted.pipe(
    Effect.map(answered),
    Effect.timeoutOrElse({
      duration: TIME_LIMIT,
      orElse: () => Effect.succeed(failed(TOO_LATE, `timed out after ${TIME_LIMIT / 1000} seconds`))
    }),
    Effect.catchTags({
      NoResponse: ({ detail }) => Effect.succeed(failed(UNREACHABLE, detail)),
      Outdated: () => Effect.undefined
    })
  )
  if (result === undefined) return undefined
  const duration = ((yield* Clock.currentTimeMillis) - startedAt) / 1000
  return { ...result, startedAt, duration, url: hook.url, requestHeaders: headers } satisfies DeliveryOutcome
})
