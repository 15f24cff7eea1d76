import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as FetchTransport from "./FetchTransport.ts"

type Fetch = typeof globalThis.fetch

const URL_VALUE = "https://forge.test/repos?page=1"

/** A transport, and the sent requests. */
const recording = (respond: (init: RequestInit) => Promise<Response>) => {
  const sent: Array<{ readonly url: string; readonly init: RequestInit }> = []
  const fetch: Fetch = (input, init = {}) => {
    sent.push({ url: input instanceof Request ? input.url : String(input), init })
    return respond(init)
  }
  return { sent, transport: FetchTransport.make(fetch) }
}

describe("FetchTransport", () => {
  it.effect("sends the bytes of a body, whose length the platform sets", () =>
    Effect.gen(function* () {
      const { sent, transport } = recording(async () => new Response("{}", { status: 201 }))
      const request = HttpClientRequest.post("https://forge.test/repos", {
        urlParams: { page: 1 },
        headers: { accept: "text/plain" },
        body: HttpBody.jsonUnsafe({ name: "é" })
      })
      const response = yield* transport.execute(request)
      assert.deepStrictEqual([response.status, yield* response.text], [201, "{}"])
      const [{ init, url: to } = { init: {}, url: "" }] = sent
      assert.deepInclude(init, { method: "POST", redirect: "manual" })
      assert.strictEqual(to, URL_VALUE)
      const { method = "", body = null, headers = {} } = init
      const received = new Request(to, { method, body, headers })
      assert.deepStrictEqual(Object.fromEntries(received.headers), {
        accept: "text/plain",
        "content-type": "application/json"
      })
      assert.deepStrictEqual(yield* Effect.promise(() => received.json()), { name: "é" })
    })
  )

  it.effect("aborts the request when it is interrupted", () =>
    Effect.gen(function* () {
      const { sent, transport } = recording(() => new Promise(() => {}))
      const fiber = yield* Effect.forkChild(transport.execute(HttpClientRequest.get(URL_VALUE)), {
        startImmediately: true
      })
      assert.isFalse(sent[0]?.init.signal?.aborted)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(sent[0]?.init.signal?.aborted)
    })
  )

  it.effect("fails with the error of the platform as its cause, and sends nothing to an invalid URL", () =>
    Effect.gen(function* () {
      const cause = new TypeError("fetch failed")
      const { sent, transport } = recording(() => Promise.reject(cause))
      const broken = yield* Effect.flip(transport.execute(HttpClientRequest.get(URL_VALUE)))
      assert.deepStrictEqual([broken.reason._tag, broken.reason.cause], ["TransportError", cause])
      const invalid = yield* Effect.flip(transport.execute(HttpClientRequest.get("https://[")))
      assert.strictEqual(invalid.reason._tag, "InvalidUrlError")
      assert.lengthOf(sent, 1)
    })
  )
})
