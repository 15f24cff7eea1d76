import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FakeForge from "../FakeForge.test-support.ts"
import * as ModelDriver from "../ModelDriver.test-support.ts"

/** A file of 60 lines with about 150 characters each, the last words of which do not fit into 80 columns. */
const lines = Array.from({ length: 60 }, (_, index) => `start${index + 1} ${"word ".repeat(26)}end${index + 1}.`)

const openFile = Effect.fnUntraced(function* (session: Readonly<Record<string, unknown>> = {}) {
  const ui = yield* ModelDriver.start({
    session: {
      routes: [{ screen: "contents.get", arguments: { owner: "octo", repo: "hello", path: "long.txt" } }],
      split: 0.6,
      isPaneShown: true,
      ...session
    },
    respond: (path) =>
      path.endsWith("/contents/long.txt") ? { body: FakeForge.entry("file", "long.txt", lines.join("\n")) } : undefined
  })
  yield* ui.until("start1 ")
  return ui
})

/** Returns the line of the screen with the cursor. */
const cursorLine = (screen: ReadonlyArray<string>) => screen.find((line) => line.startsWith("❯")) ?? ""

describe("WrappedLines", () => {
  it.effect("shows whole lines below each other, with the text below the text", () =>
    Effect.gen(function* () {
      const ui = yield* openFile()
      assert.isFalse(ui.text().some((line) => line.includes("end1.")))
      ui.press("z")
      const screen = yield* ui.until("end1.", "start2", "Long lines wrap")
      const first = screen.findIndex((line) => line.includes("start1 "))
      assert.match(screen[first] ?? "", /^❯  1 start1 word/)
      assert.match(screen[first + 1] ?? "", /^ {5}\S/)
      assert.isTrue(ui.session().isWrapped)
      ui.press("z")
      yield* ui.until("Long lines scroll sideways")
      assert.isFalse(ui.text().some((line) => line.includes("end1.")))
    })
  )

  it.effect("is restored, and keeps the whole line of the cursor visible while moving and finding", () =>
    Effect.gen(function* () {
      const ui = yield* openFile({ isWrapped: true })
      for (let step = 1; step < 60; step++) {
        ui.press("j")
        const screen = ui.text()
        assert.match(cursorLine(screen), new RegExp(`start${step + 1} `))
        assert.isTrue(
          screen.some((line) => line.includes(`end${step + 1}.`)),
          screen.join("\n")
        )
      }
      ui.press("g", "/", ..."end30", "enter")
      const found = yield* ui.until("1 of 1 line with end30")
      assert.match(cursorLine(found), /start30 /)
      ui.press("escape", "/", ..."word", "enter", "n", "n")
      assert.match(cursorLine(ui.text()), /start32 /)
    })
  )

  it.effect("moves by a page without skipping lines, and clicks the line of a row", () =>
    Effect.gen(function* () {
      const ui = yield* openFile({ isWrapped: true })
      const numbers = () => ui.text().flatMap((line) => /start(\d+) /.exec(line)?.[1] ?? [])
      const seen = new Set(numbers())
      for (let page = 0; page < 12; page++) {
        ui.press("pagedown")
        for (const number of numbers()) seen.add(number)
      }
      assert.strictEqual(seen.size, 60)
      ui.press("home")
      const row = ui.text().findIndex((line) => line.includes("end3."))
      ui.mouse({ button: "left", action: "press", column: 10, row })
      assert.match(cursorLine(ui.text()), /start3 /)
    })
  )

  it.effect("shows the whole lines of a diff in the pane", () =>
    Effect.gen(function* () {
      const file = FakeForge.file("long.txt", `@@ -0,0 +1 @@\n+${lines[0]}\n`, 1, 0)
      const ui = yield* ModelDriver.start(
        {
          respond: (path) =>
            path.includes("/commits/") ? { body: { ...FakeForge.commits[0], files: [file] } } : undefined
        },
        120,
        30
      )
      yield* ui.untilLater("start1 ")
      yield* ui.until("end1.")
    })
  )
})
