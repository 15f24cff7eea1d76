import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as ApiError from "./ApiError.ts"
import * as RequestInput from "./RequestInput.ts"

it.effect("a body that does not end is an error after five minutes", () =>
  Effect.gen(function* () {
    const reading = yield* Effect.forkChild(
      Effect.flip(RequestInput.readJson({ arrayBuffer: Effect.never, headers: {} }))
    )
    yield* TestClock.adjust("4 minutes")
    assert.isUndefined(reading.pollUnsafe())
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(ApiError.status(yield* Fiber.join(reading)), 400)
  })
)

const read = (text: string, headers: Readonly<Record<string, string>>) => {
  const bytes = new TextEncoder().encode(text)
  return RequestInput.readJson({ arrayBuffer: Effect.sync(() => bytes.slice().buffer), headers })
}

it.effect("the body null has no members, and other values are errors", () =>
  Effect.gen(function* () {
    const headers = { "content-type": "application/json" }
    assert.deepStrictEqual(yield* read("null\n", headers), {})
    for (const text of ["[]", "1", "true", '"null"']) {
      assert.strictEqual(ApiError.status(yield* Effect.flip(read(text, headers))), 400)
    }
  })
)

it.effect("JSON that curl or fetch labels is read", () =>
  Effect.gen(function* () {
    for (const type of ["application/json", "application/x-www-form-urlencoded", "text/plain;charset=UTF-8"])
      assert.deepStrictEqual(yield* read('{"a":1}', { "content-type": type }), { a: 1 })
  })
)

it.effect("an empty body has no type", () =>
  Effect.gen(function* () {
    const type = "application/octet-stream"
    assert.deepStrictEqual(yield* read("", { "content-type": type, "content-length": "0" }), {})
    assert.deepStrictEqual(yield* read("", { "content-type": type }), {})
    for (const headers of [{ "content-type": type, "content-length": "2" }, { "content-type": type }]) {
      assert.strictEqual(ApiError.status(yield* Effect.flip(read("{}", headers))), 415)
    }
  })
)
