import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { RequestRows } from "./RequestRows.ts"
import { RequestRecorder } from "./RequestRecorder.ts"

it.effect("deletes counts after 90 days in a long-running process, and continues after an error", () => {
  const forgotten: Array<number> = []
  const requests = Layer.mock(RequestRows, {
    forget: (before) => {
      forgotten.push(before)
      return forgotten.length === 1 ? Effect.die("the store is busy") : Effect.void
    }
  })
  return Effect.gen(function* () {
    yield* Layer.build(Layer.provide(RequestRecorder.layer, requests))
    yield* TestClock.adjust("2 days")
    const day = 24 * 3600
    assert.deepStrictEqual(forgotten, [-90 * day, -89 * day, -88 * day])
  })
})
