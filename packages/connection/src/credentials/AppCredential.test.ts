import { generateKeyPairSync } from "node:crypto"
import { inspect } from "node:util"
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, FileSystem, Tracer } from "effect"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as TestClock from "effect/testing/TestClock"
import { withHome } from "../TestHome.test-support.ts"
import * as AppCredential from "./AppCredential.ts"

const pem = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" })

/** A forge that issues tokens for an hour by a clock `skew` ahead of ours, and answers other requests with `status`. */
const forge = ({ skew = 0, status = 200 }: { readonly skew?: number; readonly status?: number } = {}) => {
  const authorizations: Array<string | undefined> = []
  const made: Array<string> = []
  const client = HttpClient.make((request, url) =>
    Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe() + skew
      const headers = { date: new Date(now).toUTCString() }
      authorizations.push(request.headers["authorization"])
      if (!url.pathname.endsWith("/access_tokens"))
        return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json({ message: "said" }, { status })))
      made.push(`canary${made.length + 1}`)
      const body = { token: made.at(-1), expires_at: new Date(now + 3_600_000).toISOString() }
      return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(body, { status: 201, headers })))
    })
  )
  return { authorizations, client, made }
}

const BASE_URL = "https://forge.test"

/** A client that authenticates as the installation, with a key file. */
const connect = Effect.fnUntraced(function* (client: HttpClient.HttpClient) {
  const fs = yield* FileSystem.FileSystem
  const keyFile = `${yield* fs.makeTempDirectoryScoped()}/app.pem`
  yield* fs.writeFileString(keyFile, pem.toString())
  return yield* Effect.gen(function* () {
    const token = yield* AppCredential.make(
      { id: 12, installation: 7, keyFile },
      { baseUrl: BASE_URL, dialect: undefined }
    )
    return { token, forge: yield* Forge.make({ baseUrl: BASE_URL, token }) }
  }).pipe(Effect.provideService(HttpClient.HttpClient, client))
}, Effect.provide(Scheduler.layerMemory))

it.effect("shares a token between callers and renews it before it expires", () =>
  withHome(
    {},
    Effect.gen(function* () {
      const { authorizations, client, made } = forge()
      const { forge: one } = yield* connect(client)
      const many = Effect.all(
        Array.from({ length: 20 }, (_, index) => one.request(`GET /a/${index}`)),
        { concurrency: "unbounded" }
      )
      yield* many
      yield* TestClock.adjust("54 minutes")
      yield* many
      assert.strictEqual(made.length, 1)
      yield* TestClock.adjust("355 seconds")
      yield* many
      assert.strictEqual(made.length, 2)
      assert.strictEqual(authorizations.at(-1), "Bearer canary2")
    })
  )
)

for (const skew of [-1_800_000, 1_800_000]) {
  it.effect(`converts the expiry to a local clock that is ${skew / 60_000} minutes off`, () =>
    withHome(
      {},
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 0, 1))
        const { client, made } = forge({ skew })
        const { forge: one } = yield* connect(client)
        yield* one.request("GET /a")
        yield* TestClock.adjust("54 minutes")
        yield* one.request("GET /b")
        assert.strictEqual(made.length, 1)
        yield* TestClock.adjust("355 seconds")
        yield* one.request("GET /c")
        assert.strictEqual(made.length, 2)
      })
    )
  )
}

for (const status of [200, 401, 403, 404]) {
  it.effect(`never shows the key or a token: ${status}`, () =>
    withHome(
      {},
      Effect.gen(function* () {
        const texts: Array<string> = []
        const tracer = Tracer.make({
          span: (options) => {
            const span = new Tracer.NativeSpan(options)
            const end = span.end.bind(span)
            span.end = (time, exit) => {
              end(time, exit)
              texts.push(
                inspect({ attributes: span.attributes, events: span.events, name: span.name, exit }, { depth: 20 })
              )
            }
            return span
          }
        })
        const { client } = forge({ status })
        const { forge: one, token } = yield* Effect.withTracer(connect(client), tracer)
        const exit = yield* Effect.exit(Effect.withTracer(one.request("GET /a"), tracer))
        assert.strictEqual(Exit.isSuccess(exit), status === 200)
        const shown = [
          ...texts,
          ...[exit, one, token].flatMap((value) => [
            inspect(value, { depth: 20, showHidden: true }),
            JSON.stringify(value)
          ]),
          Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""
        ].join("\n")
        assert.isFalse(
          shown.includes("canary") || shown.includes("PRIVATE KEY") || shown.includes(pem.toString().slice(40, 80))
        )
        assert.isNotEmpty(texts)
      })
    )
  )
}
