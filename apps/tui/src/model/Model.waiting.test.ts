/** What the model does while it waits for the forge. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Drive from "../ModelDriver.test-support.ts"

describe("Model, waiting", () => {
  it.live("keeps keys until what they are for is there", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const ui = yield* Drive.start({ held: () => gate })
      ui.press("j", "enter", "]", "enter")
      yield* ui.until("Reading log")
      yield* Deferred.succeed(gate, undefined)
      yield* ui.until("› index.ts", " 1 export const line1 = 1")
      ui.press("escape", "enter", "/", ..."line7", "enter", "n")
      yield* ui.until("2 of 11 lines with line7")
    })
  )

  it.live("forgets keys for what one has left before it came", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const ui = yield* Drive.start({ held: (path) => (path.endsWith("/commits") ? gate : undefined) })
      ui.press("j", "enter", "3")
      yield* ui.until("1/12 tags")
      ui.press("1")
      yield* Deferred.succeed(gate, undefined)
      yield* ui.until("1/100+ commits")
    })
  )

  it.effect("searches again while the forge's index is not ready, and says so when it never is", () =>
    Effect.gen(function* () {
      let requests = 0
      let ready = 3
      const ui = yield* Drive.start({
        answer: (path) =>
          path !== "/search/code" || ++requests >= ready
            ? undefined
            : { status: 200, body: { total_count: 0, incomplete_results: true, items: [] } }
      })
      yield* ui.until("1/100+ commits")
      ui.press("s", ..."needle", "enter")
      yield* ui.until("Reading matches")
      yield* ui.later("1/1 match")
      assert.strictEqual(requests, 3)

      ready = Infinity
      ui.press("escape", "s", ..."other", "enter")
      yield* ui.later("Nothing found yet")
      assert.isBelow(requests, 20)
      ready = 0
      ui.press("r")
      yield* ui.until("1/1 match")
    })
  )

  it.live("says what it waits for, and lets one go elsewhere meanwhile", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const ui = yield* Drive.start({ held: (path) => (path.endsWith("/commits") ? gate : undefined) })
      yield* ui.until("Reading log", "1 in flight")
      ui.press("3")
      yield* ui.until("1/12 tags")
      ui.press("1")
      yield* Deferred.succeed(gate, undefined)
      yield* ui.until("1/100+ commits")
    })
  )

  it.live("keeps what was read when the next page cannot be", () =>
    Effect.gen(function* () {
      let requests = 0
      const ui = yield* Drive.start({
        answer: (path) =>
          path.endsWith("/commits") && ++requests > 1 ? { status: 404, body: { message: "It is gone" } } : undefined
      })
      yield* ui.until("1/100+ commits")
      ui.press("G")
      yield* ui.until("❯ 0000000  Commit number 99", "100/100+ commits  ! Not found: r tries again")
      assert.strictEqual(requests, 3, "it does not ask again on its own for the two that it asked for together")
    })
  )
})
