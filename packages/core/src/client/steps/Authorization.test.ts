import { inspect } from "node:util"
import { assert, it, vi } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { Scheduler } from "../../limits/Scheduler.ts"
import * as Authorization from "./Authorization.ts"
import * as Credential from "../Credential.ts"
import { Forge } from "../Forge.ts"
import * as Stub from "../TransportStub.test-support.ts"

const CANARY = "ghp_canary0123456789"
const get = HttpClientRequest.get("https://forge.test/a")

it.effect("sends the token in its header, and no header without a token", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(() => Stub.json({}))
    yield* Authorization.make(Redacted.make(CANARY))(client).execute(get)
    yield* Authorization.make(undefined)(client).execute(get)
    assert.deepStrictEqual(
      sent.map(({ headers }) => headers["authorization"]),
      [`Bearer ${CANARY}`, undefined]
    )
  })
)

for (const token of ["", `${CANARY}\nx: y`, `${CANARY}\r`, `${CANARY} `, `${CANARY}é`]) {
  it.effect(`rejects ${JSON.stringify(token)} before sending anything`, () =>
    Effect.gen(function* () {
      const { client, sent } = Stub.make(() => Stub.json({}))
      const error = yield* Effect.flip(Authorization.make(Redacted.make(token))(client).execute(get))
      assert.strictEqual(error._tag, "BadCredentials")
      assert.strictEqual(sent.length, 0)
      assert.notInclude(inspect(error, { depth: 20 }), "canary")
    })
  )
}

it.effect("identifies a credential by a digest", () =>
  Effect.gen(function* () {
    const scope = (url: string, token?: string) =>
      Credential.scopeOf(url, token === undefined ? undefined : Redacted.make(token))
    const one = yield* scope("https://forge.test/api/v3", CANARY)
    assert.match(one, /^forge\.test#[0-9a-f]{16}$/)
    assert.strictEqual(one, yield* scope("https://forge.test", CANARY))
    assert.notStrictEqual(one, yield* scope("https://other.test", CANARY))
    assert.notStrictEqual(one, yield* scope("https://forge.test", `${CANARY}x`))
    assert.strictEqual(yield* scope("https://forge.test"), "forge.test#anonymous")
  })
)

it.effect("uses one scope per client if the platform has no digests", () =>
  Effect.gen(function* () {
    const platform = crypto
    vi.stubGlobal("crypto", { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => platform.getRandomValues(bytes) })
    const scope = Credential.scopeOf("https://forge.test", Redacted.make(CANARY))
    const [one, other] = [yield* scope, yield* scope]
    assert.match(one, /^forge\.test#[0-9a-f]{16}$/)
    assert.notStrictEqual(one, other)
  }).pipe(Effect.ensuring(Effect.sync(() => vi.unstubAllGlobals())))
)

const FRESH = "ghs_fresh"
const stale = Redacted.make("ghs_stale")

/** Gives one token, then a replacement per rejection. */
const replaceable = (...others: ReadonlyArray<string>) => {
  const replaced: Array<string> = []
  const credential: Credential.Credential = {
    identity: Redacted.make("app 1"),
    current: Effect.succeed(stale),
    replace: (refused) =>
      Effect.sync(() => {
        const other = others[replaced.length]
        replaced.push(Redacted.value(refused))
        return other === undefined ? undefined : Redacted.make(other)
      })
  }
  return { credential, replaced }
}

const guarded = Stub.make(({ headers }) =>
  headers["authorization"] === `Bearer ${FRESH}` ? Stub.json({}) : Stub.json({ message: "Bad" }, { status: 401 })
)

it.effect("replaces a rejected token once, and repeats the request with its method and body", () =>
  Effect.gen(function* () {
    const { client, sent } = guarded
    const { credential, replaced } = replaceable(FRESH)
    const post = HttpClientRequest.post("https://forge.test/a").pipe(HttpClientRequest.bodyText("once"))
    const response = yield* Authorization.make(credential)(client).execute(post)
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual(
      sent.map(({ body, headers }) => [headers["authorization"], body]),
      [
        ["Bearer ghs_stale", "once"],
        [`Bearer ${FRESH}`, "once"]
      ]
    )
    assert.deepStrictEqual(replaced, ["ghs_stale"])
  })
)

for (const others of [[], ["ghs_wrong", FRESH]]) {
  it.effect(
    `gives the 401 if the credential has ${others.length === 0 ? "no replacement" : "a wrong replacement"}`,
    () =>
      Effect.gen(function* () {
        const { credential, replaced } = replaceable(...others)
        const response = yield* Authorization.make(credential)(guarded.client).execute(get)
        assert.strictEqual(response.status, 401)
        assert.strictEqual(replaced.length, 1)
      })
  )
}

it.effect("keeps the scope of a credential when its token changes", () =>
  Effect.gen(function* () {
    const scope = yield* Credential.scopeOf("https://forge.test", replaceable().credential)
    assert.strictEqual(scope, yield* Credential.scopeOf("https://forge.test", Redacted.make("app 1")))
  })
)

/** All text in the spans of an effect. */
const recording = (texts: Array<string>) =>
  Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      const end = span.end.bind(span)
      span.end = (time, exit) => {
        end(time, exit)
        texts.push(inspect({ attributes: span.attributes, events: span.events, name: span.name, exit }, { depth: 20 }))
      }
      return span
    }
  })

const replies: ReadonlyArray<readonly [name: string, reply: (sent: Stub.Sent) => Stub.Reply]> = [
  ["a success", () => Stub.json({ login: "octo" })],
  ["a rejected credential", () => Stub.json({ message: "Bad credentials" }, { status: 401 })],
  ["a server error", () => Stub.json({}, { status: 500 })],
  ["a broken connection", () => "broken"],
  ["a body that breaks off", () => Stub.cut()],
  ["a page of HTML", () => new Response("<html>oops</html>", { status: 200 })],
  [
    "a redirect elsewhere",
    ({ url }) =>
      url.host === "forge.test"
        ? new Response(null, { status: 302, headers: { location: "https://elsewhere.test/" } })
        : Stub.json({}, { status: 404 })
  ]
]

for (const [name, reply] of replies) {
  it.effect(`never shows the token: ${name}`, () =>
    Effect.gen(function* () {
      const texts: Array<string> = []
      const { client } = Stub.make(reply)
      const forge = yield* Forge.make({ baseUrl: "https://forge.test", token: Redacted.make(CANARY) }).pipe(
        Effect.provideService(HttpClient.HttpClient, client)
      )
      const exit = yield* Stub.patiently(Effect.withTracer(forge.users.getAuthenticated(), recording(texts)))
      assert.isNotEmpty(texts)
      const shown = [
        ...texts,
        inspect(exit, { depth: 20 }),
        JSON.stringify(exit),
        inspect(forge, { depth: 20, showHidden: true }),
        JSON.stringify(forge),
        exit._tag === "Failure"
          ? `${Cause.pretty(exit.cause)} ${inspect(Cause.squash(exit.cause), { depth: 20, showHidden: true })}`
          : ""
      ].join("\n")
      assert.notInclude(shown, "canary")
    }).pipe(Effect.provide(Scheduler.layerMemory))
  )
}
