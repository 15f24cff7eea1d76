/** The model while it waits for responses. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as ModelDriver from "../ModelDriver.test-support.ts"

describe("Model, waiting", () => {
  it.live("queues commands until the content is loaded", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const ui = yield* ModelDriver.start({ delay: () => gate })
      ui.press("j", "enter", "]", "enter")
      yield* ui.until("Loading log")
      yield* Deferred.succeed(gate, undefined)
      yield* ui.until("› index.ts", " 1 export const line1 = 1")
      ui.press("escape", "enter", "/", ..."line7", "enter", "n")
      yield* ui.until("2 of 11 lines with line7")
    })
  )

  it.live("drops queued commands after leaving the screen", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const ui = yield* ModelDriver.start({ delay: (path) => (path.endsWith("/commits") ? gate : undefined) })
      ui.press("j", "enter", "3")
      yield* ui.until("1/12 tags")
      ui.press("1")
      yield* Deferred.succeed(gate, undefined)
      yield* ui.until("1/100+ commits")
    })
  )

  it.effect("retries a search while the index is not ready, and reports if it never is", () =>
    Effect.gen(function* () {
      let requests = 0
      let ready = 3
      const ui = yield* ModelDriver.start({
        respond: (path) =>
          path !== "/search/code" || ++requests >= ready
            ? undefined
            : { status: 200, body: { total_count: 0, incomplete_results: true, items: [] } }
      })
      yield* ui.until("1/100+ commits")
      ui.press("s", ..."needle", "enter")
      yield* ui.until("Loading matches")
      yield* ui.untilLater("1/1 match")
      assert.strictEqual(requests, 3)

      ready = Infinity
      ui.press("escape", "s", ..."other", "enter")
      yield* ui.untilLater("No results yet")
      assert.isBelow(requests, 20)
      ready = 0
      ui.press("r")
      yield* ui.until("1/1 match")
    })
  )

  it.live("shows what it loads, and allows navigation meanwhile", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const ui = yield* ModelDriver.start({ delay: (path) => (path.endsWith("/commits") ? gate : undefined) })
      yield* ui.until("Loading log", "1 in flight")
      ui.press("3")
      yield* ui.until("1/12 tags")
      ui.press("1")
      yield* Deferred.succeed(gate, undefined)
      yield* ui.until("1/100+ commits")
    })
  )

  it.live("keeps the loaded rows if the next page fails", () =>
    Effect.gen(function* () {
      let requests = 0
      const ui = yield* ModelDriver.start({
        respond: (path) =>
          path.endsWith("/commits") && ++requests > 1 ? { status: 404, body: { message: "It is gone" } } : undefined
      })
      yield* ui.until("1/100+ commits")
      ui.press("G")
      yield* ui.until("❯ 0000000  Commit number 99", "100/100+ commits  ! Not found. Press r to try again")
      assert.strictEqual(requests, 3, "the two failed pages are not retried automatically")
    })
  )
})
