import { assert, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ApiError from "../../api/ApiError.ts"
import { GitError } from "../../git/values/GitError.ts"
import { type Output, Transfers } from "./Transfers.ts"

const transfer = (address: string) => ({
  address,
  caller: { kind: "anonymous" } as const,
  request: HttpServerRequest.fromWeb(new Request("http://forge/"))
})

const sent = (response: HttpServerResponse.HttpServerResponse) =>
  Effect.promise(() => HttpServerResponse.toWeb(response).text())

/** Output that holds a resource, like a git process. */
const held = (log: Array<string>, name: string): Output =>
  Effect.as(
    Effect.acquireRelease(
      Effect.sync(() => log.push(`+${name}`)),
      () => Effect.sync(() => log.push(`-${name}`))
    ),
    Stream.make(Buffer.from(name))
  )

it.effect("closes the scope after the body, after a failure and after an interruption", () =>
  Effect.gen(function* () {
    const transfers = yield* Transfers
    const log: Array<string> = []
    const response = yield* transfers.respond(transfer("a"), "text/plain", held(log, "one"))
    assert.strictEqual(response.headers["cache-control"], "no-store")
    assert.deepStrictEqual(log, ["+one"])
    assert.strictEqual(yield* sent(response), "one")
    assert.deepStrictEqual(log, ["+one", "-one"])

    yield* Effect.flip(
      transfers.respond(
        transfer("a"),
        "text/plain",
        Effect.andThen(held(log, "two"), () => Effect.fail(ApiError.notFound()))
      )
    )
    const started = yield* Deferred.make<void>()
    const hanging = yield* Effect.forkChild(
      transfers.respond(
        transfer("a"),
        "text/plain",
        Effect.andThen(held(log, "three"), () => Effect.andThen(Deferred.succeed(started, undefined), Effect.never))
      )
    )
    yield* Deferred.await(started)
    yield* Fiber.interrupt(hanging)
    assert.deepStrictEqual(log.slice(2), ["+two", "-two", "+three", "-three"])
  }).pipe(Effect.provide(Transfers.layer))
)

it.effect("a client waits for its own transfers, then gets 503, while others are served", () =>
  Effect.gen(function* () {
    const transfers = yield* Transfers
    const log: Array<string> = []
    const first = yield* transfers.respond(transfer("a"), "text/plain", held(log, "1"))
    const second = yield* Effect.forkChild(transfers.respond(transfer("a"), "text/plain", held(log, "2")))
    const third = yield* Effect.forkChild(Effect.flip(transfers.respond(transfer("a"), "text/plain", held(log, "3"))))
    const other = yield* transfers.respond(transfer("b"), "text/plain", held(log, "b"))
    yield* TestClock.adjust("500 millis")
    assert.deepStrictEqual(log, ["+1", "+b"])
    assert.strictEqual(yield* sent(first), "1")
    yield* Fiber.join(second)
    assert.deepStrictEqual(log, ["+1", "+b", "-1", "+2"])
    yield* TestClock.adjust("600 millis")
    const refused = yield* Fiber.join(third)
    assert.strictEqual(refused instanceof GitError ? undefined : ApiError.status(refused), 503)
    assert.strictEqual(yield* sent(other), "b")

    // Two transfers in total: the second of "a" still runs.
    const last = yield* transfers.respond(transfer("c"), "text/plain", held(log, "c"))
    const beyond = yield* Effect.forkChild(Effect.flip(transfers.respond(transfer("d"), "text/plain", held(log, "d"))))
    yield* TestClock.adjust("2 seconds")
    assert.notInclude(log, "+d")
    yield* Fiber.join(beyond)
    assert.strictEqual(yield* sent(last), "c")
  }).pipe(Effect.provide(Transfers.layerWith({ total: 2, perClient: 1, waitMillis: 1000 })))
)
