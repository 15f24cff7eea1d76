import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TimeArgument from "./TimeArgument.ts"

const now = Date.parse("2026-03-10T12:00:00.500Z")

describe("parse", () => {
  it.effect("accepts dates, times and ages", () =>
    Effect.gen(function* () {
      for (const [text, since, until] of [
        ["2026-01-31", "2026-01-31T00:00:00Z", "2026-01-31T23:59:59Z"],
        ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"],
        ["2026-01-31 12:00", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"],
        ["2026-01-31T12:00:00.123+02:00", "2026-01-31T10:00:00Z", "2026-01-31T10:00:00Z"],
        ["yesterday", "2026-03-09T00:00:00Z", "2026-03-09T23:59:59Z"],
        ["7d", "2026-03-03T12:00:00Z", "2026-03-03T12:00:00Z"],
        ["2 weeks", "2026-02-24T12:00:00Z", "2026-02-24T12:00:00Z"],
        ["1 month ago", "2026-02-08T12:00:00Z", "2026-02-08T12:00:00Z"],
        ["90min", "2026-03-10T10:30:00Z", "2026-03-10T10:30:00Z"],
        ["900 years", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"]
      ] as const) {
        assert.strictEqual(yield* TimeArgument.parse("since", text, now), since, text)
        assert.strictEqual(yield* TimeArgument.parse("until", text, now), until, text)
      }
    })
  )

  it.effect("refuses other texts, and says which are accepted", () =>
    Effect.gen(function* () {
      for (const text of [
        "soon",
        "",
        "7",
        "7 moons",
        "2026-02-30",
        "2026-13-01",
        "2026-01-31T25:00:00Z",
        "31/01/2026"
      ]) {
        const { message } = yield* Effect.flip(TimeArgument.parse("since", text, now))
        assert.include(message, "Invalid since")
        assert.include(message, "2026-01-31")
      }
    })
  )
})
