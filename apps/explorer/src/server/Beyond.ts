/**
 * What an embedded forge tells beyond the contract (`core/explore`), passed through to the page as it comes: a search's
 * hits arrive while it runs, and it ends when the browser goes away.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Connection } from "@tongs/connection/Connection"
import type * as Failure from "@tongs/core/contract/Failure"
import * as Answer from "./Answer.ts"

/** Whether the path is one that is passed on. */
export const has = (path: string): boolean => PATHS.has(path)

export const pass = Effect.fn("Beyond.pass")(function* (path: string, query: URLSearchParams) {
  const { beyond } = yield* Connection
  if (beyond === undefined) return Answer.refused(404, "NotFound", "Only the embedded forge has an index to ask.")
  const request = HttpClientRequest.get(path.slice(PREFIX.length), { urlParams: query })
  return yield* beyond.execute(request).pipe(
    Effect.flatMap((answer) => (answer.status < 400 ? Effect.succeed(streamed(answer)) : refusal(answer))),
    Effect.orElseSucceed(() => Answer.refused(504, "Unreachable", "The embedded forge does not answer."))
  )
})

/** Of the forge's headers the page needs one, and none that says more of the forge than the body does. */
const streamed = (answer: HttpClientResponse.HttpClientResponse) =>
  HttpServerResponse.stream(answer.stream, {
    status: answer.status,
    contentType: answer.headers["content-type"] ?? "application/json",
    headers: { "cache-control": "no-store" }
  })

const refusal = Effect.fnUntraced(function* (answer: HttpClientResponse.HttpClientResponse) {
  const said = yield* decodeRefusal(yield* answer.text).pipe(
    Effect.orElseSucceed(() => ({ message: "It says no more." }))
  )
  return Answer.refused(answer.status, kinds.get(answer.status) ?? "ServiceFailed", said.message)
})

const decodeRefusal = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({ message: Schema.String })))

const kinds: ReadonlyMap<number, Failure.Failure["_tag"]> = new Map([
  [401, "BadCredentials"],
  [403, "Forbidden"],
  [404, "NotFound"],
  [409, "Conflict"],
  [422, "ValidationFailed"]
])

const PREFIX = "/api"

export const PATHS: ReadonlySet<string> = new Set(
  ["search", "matches", "symbols", "definitions", "blame", "index", "index/left-out"].map(
    (name) => `${PREFIX}/tongs/${name}`
  )
)
