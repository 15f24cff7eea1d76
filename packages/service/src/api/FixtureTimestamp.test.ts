import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { FixtureDay, FixtureTimestamp } from "./FixtureTimestamp.ts"

const time = Schema.decodeUnknownEffect(FixtureTimestamp)
const day = Schema.decodeUnknownEffect(FixtureDay)

it.effect("times are absolute or relative to now", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
    assert.strictEqual(yield* time("2026-01-31T12:00:00Z"), "2026-01-31T12:00:00Z")
    assert.strictEqual(yield* time("now-90m"), "2026-03-01T10:30:00Z")
    assert.strictEqual(yield* time("now+20h"), "2026-03-02T08:00:00Z")
    assert.strictEqual(yield* day("now-1d"), "2026-02-28")
    assert.strictEqual(yield* day("2026-01-31"), "2026-01-31")
    for (const text of ["now", "now-3w", "now-3", "yesterday", "2026-13-01T00:00:00Z"]) {
      assert.isTrue(Schema.isSchemaError(yield* Effect.flip(time(text))), text)
    }
    assert.isTrue(Schema.isSchemaError(yield* Effect.flip(day("today"))))
  })
)
