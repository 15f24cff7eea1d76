import { assert, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { CallContext } from "../CallContext.ts"
import * as Coalesce from "./Coalesce.ts"
import * as Stub from "../TransportStub.test-support.ts"

const get = HttpClientRequest.get("https://forge.test/a")

/** A forge that responds on demand, and counts aborted requests. */
const slow = Effect.fnUntraced(function* (
  reply: Effect.Effect<Response | "broken"> = Effect.sync(() => Stub.json({ fine: true }))
) {
  const gate = yield* Deferred.make<void>()
  const counts = { aborted: 0 }
  const { client, sent } = Stub.make(() =>
    Deferred.await(gate).pipe(
      Effect.andThen(reply),
      Effect.onInterrupt(() => Effect.sync(() => counts.aborted++))
    )
  )
  return { client: Coalesce.make("scope")(client), sent, counts, open: Deferred.succeed(gate, undefined) }
})

const fork = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.forkChild(effect, { startImmediately: true })

const hundred = Array.from({ length: 100 }, (_, index) => index)

it.effect("sends a hundred identical GETs once, and gives each caller the body", () =>
  Effect.gen(function* () {
    const forge = yield* slow()
    const fibers = yield* Effect.forEach(hundred, () =>
      fork(Effect.flatMap(forge.client.execute(get), (response) => response.json))
    )
    yield* forge.open
    const bodies = yield* Effect.forEach(fibers, Fiber.join)
    assert.deepStrictEqual(
      bodies,
      hundred.map(() => ({ fine: true }))
    )
    assert.strictEqual(forge.sent.length, 1)
  })
)

it.effect("caches nothing after the response", () =>
  Effect.gen(function* () {
    const forge = yield* slow()
    yield* forge.open
    yield* forge.client.execute(get)
    yield* forge.client.execute(get)
    assert.strictEqual(forge.sent.length, 2)
  })
)

it.effect("continues for the last of a hundred callers when the rest are interrupted", () =>
  Effect.gen(function* () {
    const forge = yield* slow()
    const fibers = yield* Effect.forEach(hundred, () => fork(forge.client.execute(get)))
    yield* Effect.forEach(fibers.slice(0, -1), Fiber.interrupt)
    assert.strictEqual(forge.counts.aborted, 0)
    yield* forge.open
    const last = fibers.at(-1)
    assert.isDefined(last)
    assert.strictEqual((yield* Fiber.join(last)).status, 200)
    assert.strictEqual(forge.sent.length, 1)
  })
)

it.effect("aborts when all callers are interrupted, and sends the next call again", () =>
  Effect.gen(function* () {
    const forge = yield* slow()
    const fibers = yield* Effect.forEach(hundred, () => fork(forge.client.execute(get)))
    yield* Fiber.interruptAll(fibers)
    assert.strictEqual(forge.counts.aborted, 1)
    yield* forge.open
    assert.strictEqual((yield* forge.client.execute(get)).status, 200)
    assert.strictEqual(forge.sent.length, 2)
  })
)

it.effect("gives a defect to all callers, but not to later ones", () =>
  Effect.gen(function* () {
    const forge = yield* slow(Effect.die("boom"))
    const fibers = yield* Effect.forEach(hundred, () => fork(Effect.exit(forge.client.execute(get))))
    yield* forge.open
    const exits = yield* Effect.forEach(fibers, Fiber.join)
    const defects = exits.map((exit) => (Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined))
    assert.deepStrictEqual(
      defects,
      hundred.map(() => "boom")
    )
    yield* Effect.exit(forge.client.execute(get))
    assert.strictEqual(forge.sent.length, 2)
  })
)

it.effect("gives a broken connection to all callers", () =>
  Effect.gen(function* () {
    const forge = yield* slow(Effect.succeed("broken"))
    const fibers = yield* Effect.forEach(hundred, () => fork(Effect.flip(forge.client.execute(get))))
    yield* forge.open
    const errors = yield* Effect.forEach(fibers, Fiber.join)
    assert.deepStrictEqual(
      errors.map(({ reason }) => reason._tag),
      hundred.map(() => "TransportError")
    )
    assert.strictEqual(forge.sent.length, 1)
  })
)

it.effect("sends calls separately if priority, deadline, timeout, URL or media type differ", () =>
  Effect.gen(function* () {
    const forge = yield* slow()
    const call = { endpoint: "", resource: "core", priority: "normal" } as const
    const send = (request = get, as: CallContext = call) =>
      fork(Effect.provideService(forge.client.execute(request), CallContext, as))
    const fibers = [
      yield* send(),
      yield* send(get, { ...call, priority: "background" }),
      yield* send(get, { ...call, priority: "interactive" }),
      yield* send(get, { ...call, deadline: 1 }),
      yield* send(get, { ...call, timeout: 1 }),
      yield* send(HttpClientRequest.setUrlParam(get, "page", "2")),
      yield* send(HttpClientRequest.setHeader(get, "accept", "text/plain"))
    ]
    assert.strictEqual(forge.sent.length, fibers.length)
    yield* forge.open
    yield* Effect.forEach(fibers, Fiber.join)
  })
)

it.effect("never coalesces writes", () =>
  Effect.gen(function* () {
    const forge = yield* slow()
    yield* forge.open
    const post = HttpClientRequest.post("https://forge.test/a")
    yield* Effect.all([forge.client.execute(post), forge.client.execute(post)], { concurrency: 2 })
    assert.strictEqual(forge.sent.length, 2)
  })
)
