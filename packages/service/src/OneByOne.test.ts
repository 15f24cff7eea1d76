import { assert, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as OneByOne from "./OneByOne.ts"

it.effect("effects of one key take turns, and do not wait for those of another", () =>
  Effect.gen(function* () {
    const oneByOne = OneByOne.make()
    const done: Array<string> = []
    const gate = yield* Deferred.make<void>()
    const held = oneByOne(
      "a",
      Effect.andThen(
        Deferred.await(gate),
        Effect.sync(() => void done.push("first"))
      )
    )
    const first = yield* Effect.forkChild(held, { startImmediately: true })
    const second = yield* Effect.forkChild(
      oneByOne(
        "a",
        Effect.sync(() => void done.push("second"))
      ),
      {
        startImmediately: true
      }
    )
    yield* oneByOne(
      "b",
      Effect.sync(() => void done.push("other"))
    )
    assert.deepStrictEqual(done, ["other"])
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.joinAll([first, second])
    assert.deepStrictEqual(done, ["other", "first", "second"])
  })
)

it.effect("one that fails, or is given up, does not hold up the next", () =>
  Effect.gen(function* () {
    const oneByOne = OneByOne.make()
    const given = yield* Effect.forkChild(oneByOne("a", Effect.never), { startImmediately: true })
    const next = yield* Effect.forkChild(oneByOne("a", Effect.fail("no")), { startImmediately: true })
    const last = yield* Effect.forkChild(oneByOne("a", Effect.succeed("yes")), { startImmediately: true })
    yield* Fiber.interrupt(given)
    assert.strictEqual(yield* Effect.flip(Fiber.join(next)), "no")
    assert.strictEqual(yield* Fiber.join(last), "yes")
  })
)
