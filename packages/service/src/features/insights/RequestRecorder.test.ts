import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { RequestRows } from "./RequestRows.ts"
import { RequestRecorder } from "./RequestRecorder.ts"

it.effect("counts are kept for 90 days, however long the process runs, and whatever goes wrong once", () => {
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
