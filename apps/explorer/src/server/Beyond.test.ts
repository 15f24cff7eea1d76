import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stub from "./Forge.test-support.ts"
import { access, get, json, start } from "./Served.test-support.ts"

/** An embedded forge that answers every path beyond the contract with this. */
const forge = (answer: (path: string) => HttpServerResponse.HttpServerResponse) =>
  Stub.layer(
    {},
    "embedded",
    [],
    HttpClient.make((request, { pathname, search }) =>
      Effect.succeed(HttpServerResponse.toClientResponse(answer(`${pathname}${search}`), { request }))
    ).pipe(HttpClient.mapRequest((request) => ({ ...request, url: `http://forge.localhost${request.url}` })))
  )

describe("what the forge tells beyond the contract", () => {
  it.live("is passed through with its parameters", () =>
    Effect.gen(function* () {
      const url = yield* start
      assert.deepStrictEqual(yield* json(`${url}api/tongs/matches?q=a%2Bb&path=x%20y`), [
        200,
        { asked: "/tongs/matches?q=a%2Bb&path=x+y" }
      ])
      const [status] = yield* json(`${url}api/tongs/index/left-out?owner=o&repo=r`)
      assert.strictEqual(status, 200)
    }).pipe(Effect.provide(forge((asked) => HttpServerResponse.jsonUnsafe({ asked }))))
  )

  it.live("comes as it is found, and ends when the browser goes away", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const searching = Stream.make("{}\n").pipe(
        Stream.encodeText,
        Stream.concat(Stream.never),
        Stream.ensuring(Deferred.succeed(ended, undefined))
      )
      yield* Effect.gen(function* () {
        const url = yield* start
        const controller = new AbortController()
        const response = yield* Effect.promise(() =>
          fetch(`${url}api/tongs/search?q=x`, { headers: access(url), signal: controller.signal })
        )
        const first = yield* Effect.promise(async () => response.body?.getReader().read())
        assert.strictEqual(new TextDecoder().decode(first?.value), "{}\n")
        assert.strictEqual(response.headers.get("content-type"), "application/x-ndjson")
        controller.abort()
        yield* Deferred.await(ended)
      }).pipe(
        Effect.provide(forge(() => HttpServerResponse.stream(searching, { contentType: "application/x-ndjson" })))
      )
    })
  )

  it.live("says why not", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* json(`${yield* start}api/tongs/search?q=/(/`), [
        422,
        { kind: "ValidationFailed", message: "The group is not closed" }
      ])
    }).pipe(
      Effect.provide(
        forge(() => HttpServerResponse.jsonUnsafe({ message: "The group is not closed", errors: [] }, { status: 422 }))
      )
    )
  )

  it.live("is those paths and no others, and only reading", () =>
    Effect.gen(function* () {
      const url = yield* start
      for (const path of ["tongs", "tongs/", "tongs/other", "tongs/../user", "user", "tongs/search/x"]) {
        assert.strictEqual((yield* get(`${url}api/${path}`)).status, 404, path)
      }
      assert.strictEqual((yield* get(`${url}api/tongs/index`, {}, "POST")).status, 405)
    }).pipe(Effect.provide(forge(() => HttpServerResponse.jsonUnsafe({}))))
  )

  it.live("is not there for a remote forge", () =>
    Effect.gen(function* () {
      const [status, body] = yield* json(`${yield* start}api/tongs/index`)
      assert.strictEqual(status, 404)
      assert.propertyVal(body, "kind", "NotFound")
    }).pipe(Effect.provide(Stub.layer({}, "remote")))
  )
})
