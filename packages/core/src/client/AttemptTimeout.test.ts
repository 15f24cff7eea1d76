import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as AttemptTimeout from "./AttemptTimeout.ts"
import { CallContext } from "./CallContext.ts"
import { transportFailure } from "./ErrorResponse.ts"
import * as Stub from "./TransportStub.test-support.ts"

const get = HttpClientRequest.get("https://forge.test/a")

/** A body of which only the beginning comes. */
const endless = () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }))

for (const [what, reply] of [
  ["no answer", () => Effect.never],
  ["an answer without an end", endless]
] as const) {
  it.effect(`gives up ${what} when its time is up, and says so`, () =>
    Effect.gen(function* () {
      const { client } = Stub.make(reply)
      const fiber = yield* Effect.forkChild(Effect.flip(AttemptTimeout.make(2_000)(client).execute(get)))
      yield* TestClock.adjust(1_999)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      const failure = transportFailure("GET /a", yield* Fiber.join(fiber))
      assert.deepInclude({ ...failure }, { _tag: "Unreachable", detail: "none within 2s" })
    })
  )
}

it.effect("takes the time that the call has", () =>
  Effect.gen(function* () {
    const { client } = Stub.make(() => Effect.never)
    const call = { endpoint: "", resource: "core", priority: "normal", timeout: 5 } as const
    const fiber = yield* Effect.forkChild(
      Effect.flip(Effect.provideService(AttemptTimeout.make(2_000)(client).execute(get), CallContext, call))
    )
    yield* TestClock.adjust(5)
    yield* Fiber.join(fiber)
  })
)

it.effect("has read the body, which can be read again", () =>
  Effect.gen(function* () {
    const { client } = Stub.make(() => Stub.json({ fine: true }))
    const response = yield* AttemptTimeout.make()(client).execute(get)
    assert.deepStrictEqual(yield* response.json, { fine: true })
  })
)

it.effect("fails with a body that breaks off, unless the answer is a failure anyway", () =>
  Effect.gen(function* () {
    const { client } = Stub.make((_, count) => Stub.cut({ status: count === 1 ? 200 : 500 }))
    const attempt = AttemptTimeout.make()(client)
    assert.strictEqual((yield* Effect.flip(attempt.execute(get))).reason._tag, "DecodeError")
    assert.strictEqual((yield* attempt.execute(get)).status, 500)
  })
)
