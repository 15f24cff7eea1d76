import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ModelDriver from "../ModelDriver.test-support.ts"
import type { MouseEvent } from "./Model.ts"

const start = Effect.fnUntraced(function* (columns = 80) {
  const ui = yield* ModelDriver.start({}, columns, 24)
  yield* ui.until("1/251 commits")
  const press = (button: MouseEvent["button"], row: number, column: number) =>
    ui.model.mouse({ button, action: "press", row, column })
  /** Clicks the first place on the screen with this text. */
  const click = (text: string) => {
    const row = ui.text().findIndex((line) => line.includes(text))
    assert.isAtLeast(row, 0, `${text} is not on the screen`)
    press("left", row, ui.text()[row]?.indexOf(text) ?? 0)
  }
  return { ...ui, click, turn: (button: "wheelUp" | "wheelDown") => press(button, 10, 10), pressButton: press }
})

describe("mouse", () => {
  it.live("the wheel moves, a click selects, and a click on the selected row opens it", () =>
    Effect.gen(function* () {
      const ui = yield* start()
      ui.turn("wheelDown")
      yield* ui.until("4/251 commits")
      ui.turn("wheelUp")
      yield* ui.until("1/251 commits")
      ui.click("Commit number 5")
      yield* ui.until("6/251 commits")
      ui.click("Commit number 5")
      yield* ui.until("3 files changed")
    })
  )

  it.live("a click opens tabs, screens of a tab, and screens of the path", () =>
    Effect.gen(function* () {
      const ui = yield* start()
      ui.click("branches")
      yield* ui.until("[branches]")
      ui.click("octo/hello")
      yield* ui.until("octo/hello")
      ui.click("Hooks")
      yield* ui.until("octo/hello › webhooks")
    })
  )

  it.live("a click opens a choice of the palette, and nothing behind it", () =>
    Effect.gen(function* () {
      const ui = yield* start()
      ui.press(":", ..."rate limits")
      yield* ui.until("❯ rate limits")
      ui.pressButton("left", 1, 10)
      yield* ui.until("❯ rate limits")
      // The line of input comes first, then an empty line, then the choices.
      const input = ui.text().findIndex((line) => line.includes("│ ❯ rate limits"))
      ui.pressButton("left", input + 2, 20)
      assert.isFalse(ui.text().some((line) => line.includes("╭─ Go to")))
      yield* ui.until("› rate limits")
    })
  )

  it.live("ignores clicks outside the screen, other buttons, and clicks in a form", () =>
    Effect.gen(function* () {
      const ui = yield* start()
      const before = ui.text()
      ui.pressButton("left", 500, 500)
      ui.pressButton("right", 5, 5)
      ui.model.mouse({ button: "left", action: "release", row: 6, column: 6 })
      ui.model.mouse({ button: "left", action: "drag", row: 6, column: 6 })
      assert.deepStrictEqual(ui.text(), before)
    })
  )
})
