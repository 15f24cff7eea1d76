import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { Unreachable } from "../contract/Failure.ts"
import * as TokenRefresher from "./TokenRefresher.ts"

const unreachable = new Unreachable({ request: "POST /tokens", detail: "nobody there" })

/** Issues `t1`, `t2`, … valid for an hour, each after a second. Fails for the numbers that `fails` accepts. */
const credential = (fails: (count: number) => boolean = () => false) => {
  let count = 0
  const issue = Effect.gen(function* () {
    const mine = ++count
    yield* Effect.sleep("1 second")
    if (fails(mine)) return yield* unreachable
    return { token: Redacted.make(`t${mine}`), expiresAt: (yield* Clock.currentTimeMillis) + 3_600_000 }
  })
  return Effect.map(TokenRefresher.make({ identity: "app", issue }), (credential) => ({
    credential,
    made: () => count
  }))
}

const text = Effect.map(Redacted.value<string>)

/** The outcome after one second. */
const soon = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust("1 second")
    return yield* Fiber.join(fiber)
  })

describe("TokenRefresher", () => {
  it.effect("requests one token for concurrent callers, even if the first is interrupted", () =>
    Effect.gen(function* () {
      const { credential: one, made } = yield* credential()
      const first = yield* Effect.forkChild(one.current, { startImmediately: true })
      const others = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 100 }, () => text(one.current)),
          { concurrency: "unbounded" }
        ),
        { startImmediately: true }
      )
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(new Set(yield* Fiber.join(others)), new Set(["t1"]))
      assert.strictEqual(made(), 1)
    })
  )

  it.effect("renews a token in the background before it expires", () =>
    Effect.gen(function* () {
      const { credential: one, made } = yield* credential()
      yield* soon(one.current)
      yield* TestClock.adjust("54 minutes")
      assert.strictEqual(yield* text(one.current), "t1")
      assert.strictEqual(made(), 1)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(yield* text(one.current), "t1")
      assert.strictEqual(yield* text(one.current), "t1")
      assert.strictEqual(made(), 2)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* text(one.current), "t2")
    })
  )

  it.effect(
    "serves the old one while another cannot be made, trying every ten seconds, and fails when it is over",
    () =>
      Effect.gen(function* () {
        const { credential: one, made } = yield* credential((count) => count > 1)
        yield* soon(one.current)
        yield* TestClock.adjust("56 minutes")
        for (let second = 0; second < 20; second++) {
          assert.strictEqual(yield* text(one.current), "t1")
          yield* TestClock.adjust("1 second")
        }
        assert.strictEqual(made(), 3)
        yield* TestClock.adjust("4 minutes")
        const failure = yield* soon(Effect.flip(one.current))
        assert.strictEqual(failure, unreachable)
      })
  )

  it.effect("replaces a rejected token once for all callers", () =>
    Effect.gen(function* () {
      const { credential: one, made } = yield* credential()
      const rejected = yield* soon(one.current)
      const replaced = yield* soon(
        Effect.all(
          Array.from({ length: 50 }, () => one.replace(rejected)),
          { concurrency: "unbounded" }
        )
      )
      assert.deepStrictEqual(new Set(replaced.map((token) => token && Redacted.value(token))), new Set(["t2"]))
      // A late rejection of the old token gets the current token.
      assert.strictEqual(Redacted.value((yield* one.replace(rejected)) ?? Redacted.make("")), "t2")
      assert.strictEqual(made(), 2)
    })
  )

  it.effect("gives no replacement if the same token is issued again", () =>
    Effect.gen(function* () {
      const one = yield* TokenRefresher.make({
        identity: "command",
        issue: Effect.succeed({ token: Redacted.make("same") })
      })
      assert.isUndefined(yield* one.replace(yield* one.current))
    })
  )
})
