import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { finishLimit } from "./ClusterSettings.ts"
import { OwnedRepositories } from "./OwnedRepositories.ts"

it.effect("a repository that is given up accepts no request, and waits for those that run", () =>
  Effect.gen(function* () {
    const owned = new OwnedRepositories(() => true)
    assert.isUndefined(owned.enter(1))
    owned.add(1)
    const leave = owned.enter(1)
    assert.isDefined(leave)
    const given = yield* Effect.forkChild(owned.giveUp(1), { startImmediately: true })
    assert.isUndefined(owned.enter(1))
    yield* TestClock.adjust("1 second")
    assert.isUndefined(given.pollUnsafe())
    leave?.()
    leave?.()
    yield* Fiber.join(given)
    assert.strictEqual(owned.size, 0)
  })
)

it("a repository whose lock may have expired accepts no request", () => {
  let isHeld = true
  const owned = new OwnedRepositories(() => isHeld)
  owned.add(1)
  assert.isDefined(owned.enter(1))
  isHeld = false
  assert.isUndefined(owned.enter(1))
})

it.effect("a request that does not end delays the next owner for a limited time", () =>
  Effect.gen(function* () {
    const owned = new OwnedRepositories(() => true)
    owned.add(1)
    const leave = owned.enter(1)
    const given = yield* Effect.forkChild(owned.giveUp(1), { startImmediately: true })
    yield* TestClock.adjust(finishLimit)
    yield* Fiber.join(given)
    // The repository was taken over again, while the old request still runs.
    owned.add(1)
    leave?.()
    assert.isDefined(owned.enter(1))
  })
)
