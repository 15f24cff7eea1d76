import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as ConditionalCache from "./ConditionalCache.ts"
import { makeMemory } from "../ResponseStore.ts"
import * as Stub from "../TransportStub.test-support.ts"

const URL_VALUE = "https://forge.test/a"
const get = HttpClientRequest.get(URL_VALUE)

/** A forge that sends an ETag with each response, and 304 for a matching one. */
const forge = () => {
  let budget = 100
  return Stub.make(({ headers, url }) => {
    const etag = `"${url.pathname}"`
    const counted = { etag, "x-ratelimit-remaining": String(--budget) }
    return headers["if-none-match"] === etag
      ? new Response(null, { status: 304, headers: counted })
      : Stub.json({ path: url.pathname }, { headers: { ...counted, link: `<${url.href}?page=2>; rel="next"` } })
  })
}

it.effect("uses the cached response for a 304, with the new headers merged over the old", () =>
  Effect.gen(function* () {
    const { client, sent } = forge()
    const cached = ConditionalCache.make("scope", makeMemory())(client)
    const first = yield* cached.execute(get)
    assert.deepStrictEqual(yield* first.json, { path: "/a" })
    const second = yield* cached.execute(get)
    assert.strictEqual(second.status, 200)
    assert.deepStrictEqual(yield* second.json, { path: "/a" })
    assert.strictEqual(second.headers["x-ratelimit-remaining"], "98")
    assert.include(second.headers["link"], "page=2")
    assert.strictEqual(second.headers["x-tongs-cache"], "hit")
    assert.deepStrictEqual(
      sent.map(({ headers }) => headers["if-none-match"]),
      [undefined, '"/a"']
    )
  })
)

it.effect("never uses a response cached for another credential", () =>
  Effect.gen(function* () {
    const { client, sent } = forge()
    const store = makeMemory()
    yield* ConditionalCache.make("one", store)(client).execute(get)
    yield* ConditionalCache.make("other", store)(client).execute(get)
    assert.isUndefined(sent[1]?.headers["if-none-match"])
  })
)

it.effect("separates media types, API versions and queries of one URL", () =>
  Effect.gen(function* () {
    const { client, sent } = forge()
    const cached = ConditionalCache.make("scope", makeMemory())(client)
    const search = (q: string, params: Record<string, string> = {}) =>
      HttpClientRequest.get(URL_VALUE, { urlParams: { q, ...params } })
    const requests = [
      get,
      HttpClientRequest.setHeader(get, "accept", "application/vnd.service.raw"),
      HttpClientRequest.setHeader(get, "x-service-api-version", "2026-03-10"),
      HttpClientRequest.setHeader(get, "x-github-api-version", "2022-11-28"),
      HttpClientRequest.setHeader(get, "range", "bytes=0-9"),
      search("x", { page: "2" }),
      search("x&page=2"),
      search("x\npage=2")
    ]
    for (const request of requests) yield* cached.execute(request)
    assert.deepStrictEqual(
      sent.map(({ headers }) => headers["if-none-match"]),
      requests.map(() => undefined)
    )
    for (const request of requests) yield* cached.execute(request)
    assert.deepStrictEqual(
      sent.slice(requests.length).map(({ headers }) => headers["if-none-match"]),
      requests.map(() => '"/a"')
    )
  })
)

it.effect("gives the new response if the cached one is stale", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make((_, count) => Stub.json({ count }, { headers: { etag: `"${count}"` } }))
    const cached = ConditionalCache.make("scope", makeMemory())(client)
    yield* cached.execute(get)
    assert.deepStrictEqual(yield* (yield* cached.execute(get)).json, { count: 2 })
    yield* cached.execute(get)
    assert.deepStrictEqual(
      sent.map(({ headers }) => headers["if-none-match"]),
      [undefined, '"1"', '"2"']
    )
  })
)

for (const [name, init] of [
  ["a response without an ETag", {}],
  ["a failure", { status: 404, headers: { etag: '"x"' } }],
  ["a response with no-store", { headers: { etag: '"x"', "cache-control": "private, no-store" } }]
] as const) {
  it.effect(`does not cache ${name}`, () =>
    Effect.gen(function* () {
      const { client, sent } = Stub.make(() => Stub.json({}, init))
      const cached = ConditionalCache.make("scope", makeMemory())(client)
      yield* cached.execute(get)
      yield* cached.execute(get)
      assert.isUndefined(sent[1]?.headers["if-none-match"])
    })
  )
}

it.effect("caches neither large responses nor those of other methods", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(() => Stub.json("x".repeat(600_000), { headers: { etag: '"x"' } }))
    const cached = ConditionalCache.make("scope", makeMemory())(client)
    const large = yield* cached.execute(get)
    assert.strictEqual((yield* large.text).length, 600_002)
    yield* cached.execute(get)
    yield* cached.execute(HttpClientRequest.post(URL_VALUE))
    yield* cached.execute(HttpClientRequest.post(URL_VALUE))
    assert.deepStrictEqual(
      sent.map(({ headers }) => headers["if-none-match"]),
      [undefined, undefined, undefined, undefined]
    )
  })
)

it.effect("evicts the least recently used response, by count and by size", () =>
  Effect.gen(function* () {
    const known = (size: number, others: number) =>
      Effect.gen(function* () {
        const { client, sent } = Stub.make(() => Stub.json("x".repeat(size), { headers: { etag: '"x"' } }))
        const cached = ConditionalCache.make("scope", makeMemory())(client)
        const send = (path: string) => cached.execute(HttpClientRequest.get(`https://forge.test/${path}`))
        yield* send("first")
        yield* send("second")
        yield* send("first")
        for (let index = 0; index < others; index++) yield* send(String(index))
        yield* send("first")
        const first = sent.at(-1)?.headers["if-none-match"]
        yield* send("second")
        return [first, sent.at(-1)?.headers["if-none-match"]]
      })
    assert.deepStrictEqual(yield* known(10, 498), ['"x"', '"x"'])
    assert.deepStrictEqual(yield* known(10, 499), ['"x"', undefined])
    assert.deepStrictEqual(yield* known(500_000, 66), ['"x"', undefined])
    assert.deepStrictEqual(yield* known(500_000, 65), ['"x"', '"x"'])
  })
)
