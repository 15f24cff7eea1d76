import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as ApiError from "../api/ApiError.ts"
import * as CallResult from "./CallResult.ts"

const errors: ReadonlyArray<ApiError.ApiError> = [
  ApiError.unauthenticated(),
  ApiError.forbidden("No", { scopes: ["repo"], permissions: ["contents=write"] }),
  ApiError.notFound(),
  ApiError.conflict("Base changed"),
  ApiError.gone("Deleted"),
  ApiError.invalid("Bad", [{ resource: "Issue", field: "title", code: "missing_field" }]),
  ApiError.notAllowed("Not mergeable"),
  ApiError.unavailable("Later"),
  ApiError.defect("id-1"),
  new ApiError.IssueMoved({ fullName: "ada/web", number: 3 })
]

it.effect("an error of an operation arrives unchanged at the process that called it", () =>
  Effect.gen(function* () {
    for (const error of errors) {
      const text = CallResult.encode(Result.fail(error))
      const arrived = yield* Effect.flip(CallResult.decode(Buffer.from(text)))
      assert.deepStrictEqual({ ...arrived }, { ...error })
      assert.strictEqual(arrived.constructor, error.constructor)
    }
  })
)

it.effect("a value arrives unchanged, also none", () =>
  Effect.gen(function* () {
    for (const value of [undefined, null, { a: [1, "ä"] }, "text"]) {
      const text = CallResult.encode(Result.succeed(value))
      assert.deepStrictEqual(yield* CallResult.decode(Buffer.from(text)), value)
    }
  })
)

it.effect("another text is a defect", () =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit(CallResult.decode(Buffer.from("<html>")))
    assert.isTrue(exit._tag === "Failure" && exit.cause.reasons.every(({ _tag }) => _tag === "Die"))
  })
)
