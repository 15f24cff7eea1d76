import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stub from "./FakeForge.test-support.ts"
import { access, get, json, reply, start } from "./TestServer.test-support.ts"

const extension = { "x-tongs-extension": "true" }

const progress = { _tag: "Progress", files: 1, matches: 2, repositories: 1 }

describe("the extensions of the contract", () => {
  it.live("pass their parameters to the forge", () => {
    const requests: Array<string> = []
    return Effect.gen(function* () {
      const url = yield* start
      assert.deepStrictEqual(yield* json(`${url}api/tongs/repos/o/r/matches/x%20y%2Fz?q=a%2Bb`), [200, { lines: [] }])
      assert.deepStrictEqual(yield* json(`${url}api/tongs/repos/o/r/index/left-out?page=2&per_page=100`), [
        200,
        [{ path: "a", size: null, reason: "size" }]
      ])
      const items: ReadonlyArray<unknown> = []
      assert.deepStrictEqual(yield* json(`${url}api/tongs/repos/o/r/definitions/f`), [
        200,
        { total_count: 0, incomplete_results: true, items }
      ])
      assert.deepStrictEqual(requests, [
        "GET /api/v3/tongs/repos/o/r/matches/x%20y%2Fz?q=a%2Bb",
        "GET /api/v3/tongs/repos/o/r/index/left-out?per_page=100&page=2",
        "GET /api/v3/tongs/repos/o/r/definitions/f"
      ])
    }).pipe(
      Effect.provide(
        Stub.layer(
          {
            "/tongs/repos/o/r/matches/x y/z": reply({ lines: [] }),
            "/tongs/repos/o/r/index/left-out": reply([{ path: "a", size: null, reason: "size" }]),
            "/tongs/repos/o/r/definitions/f": reply({ total_count: 0, incomplete_results: true, items: [] })
          },
          "embedded",
          requests
        )
      )
    )
  })

  it.live("stream events as they arrive, and end when the browser disconnects", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const line = `${JSON.stringify(progress)}\n`
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(line)),
        cancel: () => Effect.runPromise(Effect.asVoid(Deferred.succeed(ended, undefined)))
      })
      yield* Effect.gen(function* () {
        const url = yield* start
        const controller = new AbortController()
        const response = yield* Effect.promise(() =>
          fetch(`${url}api/tongs/search?q=x`, { headers: access(url), signal: controller.signal })
        )
        const first = yield* Effect.promise(async () => response.body?.getReader().read())
        assert.strictEqual(new TextDecoder().decode(first?.value), line)
        assert.strictEqual(response.headers.get("content-type"), "application/x-ndjson")
        assert.strictEqual(response.headers.get("cache-control"), "no-store")
        controller.abort()
        yield* Deferred.await(ended)
      }).pipe(Effect.provide(Stub.layer({ "/tongs/search": reply(body) })))
    })
  )

  it.live("report failures of the forge", () =>
    Effect.gen(function* () {
      const [status, body] = yield* json(`${yield* start}api/tongs/search?q=/(/`)
      assert.strictEqual(status, 422)
      assert.deepStrictEqual(body, {
        kind: "ValidationFailed",
        message: "GET /tongs/search: The group is not closed."
      })
    }).pipe(
      Effect.provide(
        Stub.layer({
          "/tongs/search": Effect.succeed({ status: 422, body: { message: "The group is not closed", errors: [] } })
        })
      )
    )
  )

  it.live("have no other paths, and are read-only", () =>
    Effect.gen(function* () {
      const url = yield* start
      for (const path of ["tongs", "tongs/", "tongs/other", "tongs/../user", "user", "tongs/search/x"]) {
        assert.strictEqual((yield* get(`${url}api/${path}`)).status, 404, path)
      }
      assert.strictEqual((yield* get(`${url}api/tongs/index`, {}, "POST")).status, 405)
    }).pipe(Effect.provide(Stub.layer({ "/tongs/index": reply({}) })))
  )

  it.live("fail with Unsupported on a forge without them, and with NotFound for a missing resource", () =>
    Effect.gen(function* () {
      const url = yield* start
      const [status, body] = yield* json(`${url}api/tongs/repos/o/r/blame/gone`)
      assert.strictEqual(status, 404)
      assert.propertyVal(body, "kind", "NotFound")
      assert.deepStrictEqual(yield* json(`${url}api/tongs/index`), [
        501,
        {
          kind: "Unsupported",
          message:
            "GET /tongs/index: The forge at forge.example does not have the code index extension; the embedded forge does."
        }
      ])
    }).pipe(
      Effect.provide(
        Stub.layer(
          {
            "/tongs/repos/o/r/blame/gone": Effect.succeed({
              status: 404,
              headers: extension,
              body: { message: "Not Found" }
            })
          },
          "remote"
        )
      )
    )
  )
})
