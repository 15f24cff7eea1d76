import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as AttemptTimeout from "./AttemptTimeout.ts"
import { CallContext } from "../CallContext.ts"
import { transportFailure } from "../responses/ErrorResponse.ts"
import * as Stub from "../TransportStub.test-support.ts"

const get = HttpClientRequest.get("https://forge.test/a")

/** A body that stops after the first bytes, without an end. */
const endless = () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }))

for (const [name, reply] of [
  ["no response", () => Effect.never],
  ["an endless response", endless]
] as const) {
  it.effect(`times out on ${name}, and says so`, () =>
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

it.effect("uses the timeout of the call", () =>
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

it.effect("buffers the body, so that it can be read again", () =>
  Effect.gen(function* () {
    const { client } = Stub.make(() => Stub.json({ fine: true }))
    const response = yield* AttemptTimeout.make()(client).execute(get)
    assert.deepStrictEqual(yield* response.json, { fine: true })
  })
)

it.effect("fails if a body breaks off, unless the response is an error", () =>
  Effect.gen(function* () {
    const { client } = Stub.make((_, count) => Stub.cut({ status: count === 1 ? 200 : 500 }))
    const attempt = AttemptTimeout.make()(client)
    assert.strictEqual((yield* Effect.flip(attempt.execute(get))).reason._tag, "DecodeError")
    assert.strictEqual((yield* attempt.execute(get)).status, 500)
  })
)
