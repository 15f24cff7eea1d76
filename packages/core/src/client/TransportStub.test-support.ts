/** A transport that responds from a function and records the requests. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as TestClock from "effect/testing/TestClock"
import { SHA } from "../contract/Samples.test-support.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import { Forge } from "./Forge.ts"

export { gitRef, SHA, user } from "../contract/Samples.test-support.ts"

export interface Sent {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Outcome = Response | Error | "broken"

/** A stub's reply: a response or a broken connection (`broken`, or the cause), immediate or from an effect. */
export type Reply = Outcome | Effect.Effect<Outcome>

export const make = (reply: (sent: Sent, count: number) => Reply) => {
  const sent: Array<Sent> = []
  const client = HttpClient.make((request, url) => {
    const one = { method: request.method, url, headers: { ...request.headers }, body: bodyText(request) }
    sent.push(one)
    const given = reply(one, sent.length)
    return Effect.flatMap(Effect.isEffect(given) ? given : Effect.succeed(given), (outcome) =>
      outcome === "broken" || outcome instanceof Error
        ? broken(request, outcome instanceof Error ? outcome : undefined)
        : Effect.succeed(HttpClientResponse.fromWeb(request, outcome))
    )
  })
  return { client, sent }
}

const reset = new TypeError("fetch failed", { cause: new Error("read ECONNRESET") })

const broken = (request: HttpClientRequest.HttpClientRequest, cause: Error = reset) =>
  Effect.fail(new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) }))

const bodyText = ({ body }: HttpClientRequest.HttpClientRequest) =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

/** The outcome of an effect, after advancing the clock by more than all the retry delays of a request. */
export const patiently = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.exit(effect))
    for (let second = 0; second < 5; second++) yield* TestClock.adjust("1 second")
    return yield* Fiber.join(fiber)
  })

/** A client with a stub transport. */
export const forge = (reply: Parameters<typeof make>[0], options: Partial<ClientOptions> = {}) => {
  const { client, sent } = make(reply)
  return Forge.make({ baseUrl: "https://forge.test/api/v3", ...options }).pipe(
    Effect.provideService(HttpClient.HttpClient, client),
    Effect.map((forge) => ({ forge, sent }))
  )
}

export const json = (value: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(value), {
    ...init,
    headers: { "content-type": "application/json; charset=utf-8", ...Object.fromEntries(new Headers(init.headers)) }
  })

/** A body that breaks off after the first bytes. */
export const cut = (init?: ResponseInit): Response =>
  new Response(
    new ReadableStream({
      pull: (controller) => {
        controller.error(new TypeError("terminated", { cause: new Error("other side closed") }))
      }
    }),
    init
  )

/** A list of branches, `perPage` to a page unless the request says so, over `link` headers. */
export const branches =
  (count: number, perPage = 30) =>
  ({ url }: Sent): Response => {
    const size = Number(url.searchParams.get("per_page") ?? perPage)
    const page = Number(url.searchParams.get("page") ?? 1)
    const names = Array.from({ length: count }, (_, index) => `b${index}`).slice((page - 1) * size, page * size)
    const next = new URL(url)
    next.searchParams.set("page", String(page + 1))
    const items = names.map((name) => ({ name, commit: { sha: SHA, url: "https://forge.test/c" }, protected: false }))
    return json(items, page * size < count ? { headers: { link: `<${next.href}>; rel="next"` } } : {})
  }
