import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redirect from "./Redirect.ts"
import * as Stub from "../TransportStub.test-support.ts"

const to = (location: string, status = 301) => new Response(null, { status, headers: { location } })

const request = HttpClientRequest.get("https://forge.test/a").pipe(HttpClientRequest.bearerToken("canary"))

it.effect("keeps the token on its own origin", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(({ url }) => (url.pathname === "/a" ? to("/b?x=%2F") : Stub.json({})))
    const response = yield* Redirect.make(client).execute(request)
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual(
      sent.map(({ headers, url }) => [url.href, headers["authorization"]]),
      [
        ["https://forge.test/a", "Bearer canary"],
        ["https://forge.test/b?x=%2F", "Bearer canary"]
      ]
    )
  })
)

for (const elsewhere of [
  "https://elsewhere.test/",
  "http://forge.test/",
  "https://forge.test:8443/",
  "https://forge.test.evil.test/",
  "//elsewhere.test/"
]) {
  it.effect(`drops the token on a redirect to ${elsewhere}, and for all later ones`, () =>
    Effect.gen(function* () {
      const { client, sent } = Stub.make((_, count) =>
        count === 1 ? to(elsewhere) : count === 2 ? to("https://forge.test/back") : Stub.json({})
      )
      yield* Redirect.make(client).execute(request)
      assert.strictEqual(sent[2]?.url.href, "https://forge.test/back")
      assert.deepStrictEqual(
        sent.map(({ headers }) => headers["authorization"]),
        ["Bearer canary", undefined, undefined]
      )
    })
  )
}

it.effect("stops after the maximum, and gives the last redirect", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make((_, count) => to(`/${count}`))
    const response = yield* Redirect.make(client).execute(request)
    assert.strictEqual(response.status, 301)
    assert.strictEqual(sent.length, 6)
  })
)

it.effect("repeats a body only for 307 and 308", () =>
  Effect.gen(function* () {
    const post = HttpClientRequest.post("https://forge.test/a").pipe(HttpClientRequest.bodyJsonUnsafe({ x: 1 }))
    const methods = (status: number) =>
      Effect.gen(function* () {
        const { client, sent } = Stub.make((_, count) => (count === 1 ? to("/b", status) : Stub.json({})))
        yield* Redirect.make(client).execute(post)
        return sent.map(({ body, method }) => `${method} ${body}`)
      })
    assert.deepStrictEqual(yield* methods(303), ['POST {"x":1}', "GET "])
    assert.deepStrictEqual(yield* methods(307), ['POST {"x":1}', 'POST {"x":1}'])
    assert.deepStrictEqual(yield* methods(301), ['POST {"x":1}'])
    assert.deepStrictEqual(yield* methods(302), ['POST {"x":1}'])
  })
)

it.effect("repeats no write for a caller that may not write elsewhere, but reads its result", () =>
  Effect.gen(function* () {
    const post = HttpClientRequest.post("https://forge.test/a").pipe(HttpClientRequest.bodyJsonUnsafe({ x: 1 }))
    for (const [status, count] of [
      [303, 2],
      [307, 1],
      [308, 1]
    ] as const) {
      const { client, sent } = Stub.make((_, count) => (count === 1 ? to("/b", status) : Stub.json({})))
      const response = yield* Redirect.make(client)
        .execute(post)
        .pipe(Effect.provideService(Redirect.FollowsWrites, false))
      assert.deepStrictEqual([response.status, sent.length], [count === 2 ? 200 : status, count])
    }
  })
)

it.effect("sends no body to another origin", () =>
  Effect.gen(function* () {
    const post = HttpClientRequest.post("https://forge.test/a").pipe(HttpClientRequest.bodyJsonUnsafe({ x: 1 }))
    for (const status of [303, 307, 308]) {
      const { client, sent } = Stub.make(() => to("https://elsewhere.test/", status))
      assert.strictEqual((yield* Redirect.make(client).execute(post)).status, status)
      assert.strictEqual(sent.length, 1)
    }
  })
)

it.effect("drops the credential on a 302, even to its own origin", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(({ url }) =>
      url.pathname === "/a"
        ? to("/b?signature=%2F", 302)
        : url.pathname === "/b"
          ? to("https://forge.test/c")
          : Stub.json({})
    )
    const conditional = HttpClientRequest.setHeaders(request, { "user-agent": "me", "if-none-match": '"1"' })
    const response = yield* Redirect.make(client).execute(conditional)
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual(
      sent.map(({ headers, url }) => [
        url.href,
        headers["authorization"],
        headers["if-none-match"],
        headers["user-agent"]
      ]),
      [
        ["https://forge.test/a", "Bearer canary", '"1"', "me"],
        ["https://forge.test/b?signature=%2F", undefined, undefined, "me"],
        ["https://forge.test/c", undefined, undefined, "me"]
      ]
    )
  })
)

it.effect("gives a redirect without a valid URL unchanged", () =>
  Effect.gen(function* () {
    for (const answer of [
      Stub.json({}, { status: 410 }),
      to("http://", 302),
      to("/b", 304),
      to("ftp://forge.test/"),
      to("data:text/plain,x"),
      to("https://ada:secret@elsewhere.test/"),
      new Response(null, { status: 302 })
    ]) {
      const { client, sent } = Stub.make(() => answer)
      const response = yield* Redirect.make(client).execute(request)
      assert.deepStrictEqual([response.status, sent.length], [answer.status, 1])
    }
  })
)

for (const internal of [
  "http://169.254.169.254/latest/meta-data",
  "http://2852039166/latest/meta-data",
  "http://127.1/",
  "http://localhost:8080/",
  "http://192.168.0.1/",
  "http://172.31.0.1/",
  "http://[::1]/",
  "http://[::ffff:10.0.0.1]/",
  "http://[fd00::1]/"
]) {
  it.effect(`follows no redirect from the internet to ${internal}`, () =>
    Effect.gen(function* () {
      const { client, sent } = Stub.make(({ url }) => (url.pathname === "/a" ? to(internal) : Stub.json({})))
      const response = yield* Redirect.make(client).execute(request)
      assert.strictEqual(response.status, 301)
      assert.lengthOf(sent, 1)
    })
  )
}

it.effect("follows redirects between addresses of one network", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(({ url }) => (url.pathname === "/a" ? to("http://10.0.0.2/b") : Stub.json({})))
    yield* Redirect.make(client).execute(HttpClientRequest.get("http://10.0.0.1/a"))
    assert.lengthOf(sent, 2)
  })
)
