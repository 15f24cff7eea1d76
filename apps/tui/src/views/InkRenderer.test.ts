import { assert, describe, it } from "@effect/vitest"
import { stripVTControlCharacters } from "node:util"
import type { Choices, WindowContent } from "../model/WindowContent.ts"
import * as StyledLine from "../text/StyledLine.ts"
import * as InkRenderer from "./InkRenderer.tsx"
import * as ScreenRows from "./ScreenRows.ts"
import * as Theme from "./Theme.ts"

const theme = Theme.make({ depth: "true", isDark: true })
const COLUMNS = 30
const ROWS = 12

const menu: Choices = {
  _tag: "Palette",
  title: "名前",
  input: undefined,
  items: ["名前 a", "b"].map((label) => ({
    label,
    detail: "",
    key: "",
    unavailable: undefined,
    choice: { _tag: "Copy", text: label }
  })),
  first: 4,
  cursor: 4,
  selected: undefined,
  count: 9
}

const help = (top: number): WindowContent => ({
  _tag: "Help",
  title: "Keys",
  sections: [
    { name: "Move", commands: Array.from({ length: 20 }, (_, index) => ({ keys: ["j"], label: `command ${index}` })) }
  ],
  notices: [],
  top
})

/** Draws windows one after the other below the first row, over rows with this text. Returns the last screen. */
const draw = (text: string, ...contents: ReadonlyArray<WindowContent>) => {
  const line = StyledLine.fit(StyledLine.line(text, "accent"), COLUMNS)
  const renderer = InkRenderer.make(theme, (error) => {
    throw error
  })
  const [drawn] = contents.map((content) => renderer.render({ content, top: 1, rows: ROWS - 1 }, COLUMNS, 0)).slice(-1)
  renderer.unmount()
  assert.isDefined(drawn)
  const lines = Array.from({ length: ROWS }, () => line)
  const rows = ScreenRows.make(lines, (line) => Theme.render(theme, line), drawn)
  return { ...drawn, screen: rows.map(stripVTControlCharacters) }
}

describe("InkRenderer", () => {
  it("shows the window over the content, and the content around it", () => {
    const text = "0123456789".repeat(3)
    const { screen } = draw(text, menu)
    assert.deepStrictEqual(screen.slice(0, 8), [
      text,
      text,
      text,
      "0╭─ 名前 ───────────────────╮9",
      "0│                          │9",
      "0│ ❯ 名前 a                 │9",
      "0│   b                      │9",
      "0╰──────────────────────────╯9"
    ])
  })

  for (const [name, text] of [
    ["wide characters", "広い".repeat(10)],
    ["wide characters after a narrow one", `x${"広い".repeat(10)}`],
    ["emoji", "👩‍👩‍👧🚀".repeat(8)],
    ["combining characters", "e\u0301".repeat(40)]
  ] as const)
    // pairs
    it(`keeps the width of rows with ${name} that the window cuts`, () => {
      for (const row of draw(text, menu).screen)
        assert.strictEqual(StyledLine.width([{ text: row, role: "plain" }]), COLUMNS, row)
    })

  it("says where the choices are", () => {
    const { layout, screen } = draw("", menu)
    assert.deepStrictEqual(layout.choices, { row: 5, count: 2, from: 1, to: 29, first: 4 })
    assert.include(screen[5], "名前 a")
  })

  it("says how far a window scrolls, and scrolls no further", () => {
    const { layout, screen } = draw("", help(0))
    assert.strictEqual(layout.page, 9)
    assert.include(screen[2], "Move")
    const end = draw("", help(0), help(Number.MAX_SAFE_INTEGER))
    assert.deepStrictEqual(end.screen, draw("", help(layout.maxTop)).screen)
    assert.include(end.screen[10], "suspends, fg resumes.")
  })

  it("reports a component that throws", async () => {
    const errors: Array<unknown> = []
    const renderer = InkRenderer.make(theme, (error) => errors.push(error))
    const broken: WindowContent = {
      ...menu,
      get items(): Choices["items"] {
        throw new Error("broken")
      }
    }
    renderer.render({ content: broken, top: 0, rows: 5 }, COLUMNS, 0)
    await new Promise((resolve) => setImmediate(resolve))
    renderer.unmount()
    assert.strictEqual(String(errors[0]), "Error: broken")
  })
})
