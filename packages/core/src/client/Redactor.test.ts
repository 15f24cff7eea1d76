import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { Scheduler } from "../limits/Scheduler.ts"
import * as ErrorResponse from "./responses/ErrorResponse.ts"
import * as Redactor from "./Redactor.ts"
import * as Stub from "./TransportStub.test-support.ts"

const TOKEN = "ghp_c4nary/plus+secret~42"

/** The forms in which a server can send a token back. */
const echoes: ReadonlyArray<readonly [string, string]> = [
  ["plain", `Bearer ${TOKEN}`],
  ["URL-encoded", encodeURIComponent(TOKEN)],
  ["JSON with escaped slashes", TOKEN.replaceAll("/", "\\/")],
  ["JSON with escaped characters", [...TOKEN].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join("")],
  ["HTML", TOKEN.replaceAll("/", "&#x2F;").replaceAll("+", "&#43;")],
  ...["", "x:", "me:", "x-access-token:"].flatMap((user): ReadonlyArray<readonly [string, string]> => [
    [`base64 after ${user}`, btoa(`${user}${TOKEN}`)],
    [`base64 before more, after ${user}`, btoa(`${user}${TOKEN}:more`)],
    [`base64url after ${user}`, btoa(`${user}${TOKEN}`).replaceAll("+", "-").replaceAll("/", "_")],
    [`URL-encoded base64 after ${user}`, encodeURIComponent(btoa(`${user}${TOKEN}`))]
  ])
]

const HIDDEN = "a\u001b[31mred\u0007\u009b2J\u202etxt.exe\u200b\r\nb"

describe("Redactor", () => {
  for (const [name, echo] of echoes) {
    it(`masks a token: ${name}`, () => {
      const redact = Redactor.make()
      redact.addSecret(TOKEN)
      const redacted = redact.text(`You sent ${echo}!`)
      assert.include(redacted, "***")
      // Up to two base64 characters at either end also depend on the neighbouring bytes.
      assert.isBelow(redacted.replace(/^You sent (?:Bearer )?/, "").length, 32)
      assert.notInclude(redacted, TOKEN.slice(2, -2))
    })
  }

  it("masks entities of HTML and escapes of JSON", () => {
    const redact = Redactor.make()
    redact.addSecret(`<a&b>"c'd\\e`)
    assert.strictEqual(redact.text("x&lt;a&amp;b&gt;&quot;c&#39;d\\e"), "x***")
    assert.strictEqual(redact.text(JSON.stringify({ x: `<a&b>"c'd\\e` })), '{"x":"***"}')
  })

  it("masks the latest tokens, except short ones", () => {
    const redact = Redactor.make()
    for (const one of ["t", "token-one", "token-two"]) redact.addSecret(one)
    assert.strictEqual(redact.text("the token-one, the token-two"), "the ***, the ***")
  })

  it("escapes control characters, and truncates long text", () => {
    const redact = Redactor.make()
    assert.strictEqual(redact.text(HIDDEN), "a␛[31mred␇<U+009B>2J<U+202E>txt.exe<U+200B> b")
    assert.isBelow(redact.text("x".repeat(1_000_000)).length, 2_100)
  })
})

describe("the credential of a client", () => {
  const test = <E>(name: string, effect: () => Effect.Effect<void, E, Scheduler>) =>
    it.effect(name, () => Effect.provide(effect(), Scheduler.layerMemory))

  test("is masked in texts, before and after the first request", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(() => Stub.json({ echo: TOKEN }), { token: Redacted.make(TOKEN) })
      assert.strictEqual(forge.mask(`Bearer ${TOKEN}`), "Bearer ***")
      const { text } = yield* forge.request("GET /x")
      assert.strictEqual(forge.mask(text), '{"echo":"***"}')
      assert.strictEqual(forge.mask("\u200b\n"), "\u200b\n")
    }))

  test("is masked in texts after it was refreshed, in its old and new form", () =>
    Effect.gen(function* () {
      const tokens = ["old-token-0001", "new-token-0002"]
      const { forge } = yield* Stub.forge(
        ({ headers }) =>
          headers["authorization"] === "Bearer old-token-0001" ? Stub.json({}, { status: 401 }) : Stub.json({}),
        {
          token: {
            identity: Redacted.make("app"),
            current: Effect.sync(() => Redacted.make(tokens[0] ?? "")),
            replace: () => Effect.sync(() => Redacted.make(tokens[1] ?? ""))
          }
        }
      )
      yield* forge.request("GET /x")
      assert.strictEqual(forge.mask(tokens.join(" ")), "*** ***")
    }))

  test("has the scopes of the last response that names them", () =>
    Effect.gen(function* () {
      const short = "ghp_0123456789"
      const { forge } = yield* Stub.forge(
        ({ url }) =>
          Stub.json(url.pathname.endsWith("/a") ? [] : { message: "No" }, {
            status: url.pathname.endsWith("/a") ? 200 : 404,
            headers: url.pathname.endsWith("/c") ? {} : { "x-oauth-scopes": `repo, ${short}, a\u009b` }
          }),
        { token: Redacted.make(short) }
      )
      assert.isUndefined(forge.grantedScopes())
      yield* Effect.flip(forge.request("GET /c"))
      assert.isUndefined(forge.grantedScopes())
      yield* Effect.flip(forge.request("GET /b"))
      assert.deepStrictEqual(forge.grantedScopes(), ["repo", "***"])
      yield* forge.paginate("GET /a").first
      yield* Effect.flip(forge.request("GET /c"))
      assert.strictEqual(forge.grantedScopes()?.[0], "repo")
    }))
})

describe("no failure of a client has a raw escape or its token", () => {
  const nasty = `${HIDDEN} ${TOKEN} ${btoa(`x:${TOKEN}`)}`
  const test = <E>(name: string, effect: () => Effect.Effect<void, E, Scheduler>) =>
    it.effect(name, () => Effect.provide(effect(), Scheduler.layerMemory))

  /** All strings in a failure. */
  const texts = (error: Error): string => [error.message, String(error), JSON.stringify(error), error.stack].join("\n")

  const isSafe = (error: Error) => {
    const text = texts(error)
    assert.notMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u200b]|\\u00(?:1b|07|9b)|\\u20/)
    assert.notInclude(text, TOKEN)
    assert.notInclude(text, btoa(`x:${TOKEN}`).slice(4, -4))
  }

  for (const status of [400, 401, 403, 404, 409, 410, 422, 429, 500, 418]) {
    test(String(status), () =>
      Effect.gen(function* () {
        const errors = [
          nasty,
          { resource: nasty, field: nasty, code: nasty, message: nasty, value: { [nasty]: [nasty] } }
        ]
        const { forge } = yield* Stub.forge(
          () =>
            Stub.json(
              { message: nasty, errors },
              {
                status,
                headers: { "x-request-id": TOKEN, "x-accepted-oauth-scopes": `a,${TOKEN}`, "retry-after": "9999999" }
              }
            ),
          { token: Redacted.make(TOKEN) }
        )
        isSafe(yield* Effect.flip(forge.request("POST /x")))
        // A rate-limit response pauses the scope.
        if (status === 403 || status === 429) return
        isSafe(yield* Effect.flip(forge.gitRefs.create({ owner: "o", repo: "r", ref: "refs/heads/a", sha: Stub.SHA })))
      })
    )
  }

  for (const before of [0, 170, 180, 199, 1_980, 8_180]) {
    test(`a token truncated after ${before} characters`, () =>
      Effect.gen(function* () {
        const { forge } = yield* Stub.forge(() => new Response("x".repeat(before) + TOKEN, { status: 400 }), {
          token: Redacted.make(TOKEN)
        })
        const error = yield* Effect.flip(forge.request("GET /x"))
        assert.notInclude(texts(error), TOKEN.slice(0, 8))
        assert.notInclude(ErrorResponse.bodyOf(error) ?? TOKEN, TOKEN)
      }))
  }

  test("a body that is not JSON, a link to another origin, and a value that does not decode", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(
        ({ url }) =>
          url.pathname.endsWith("/away")
            ? Stub.json([], { headers: { link: `<https://evil.test/${encodeURIComponent(nasty)}>; rel="next"` } })
            : url.pathname.endsWith("/branches")
              ? Stub.json([{ name: "a", commit: nasty, protected: nasty }])
              : new Response(nasty, { status: 400 }),
        { token: Redacted.make(TOKEN), strict: true }
      )
      isSafe(yield* Effect.flip(forge.request("GET /x")))
      isSafe(yield* Effect.flip(Stream.runDrain(forge.paginate("GET /away").items)))
      isSafe(yield* Effect.flip(Stream.runDrain(forge.branches.list({ owner: "o", repo: "r" }).items)))
    }))
})
