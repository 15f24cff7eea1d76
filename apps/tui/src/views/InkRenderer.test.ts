import { assert, describe, it } from "@effect/vitest"
import * as StyledLine from "../text/StyledLine.ts"
import * as InkRenderer from "./InkRenderer.tsx"
import * as Theme from "./Theme.ts"

const theme = Theme.make({ depth: "true", isDark: true })
const plain = (text: string) => text.replaceAll(/\u001b\[[\d;]*m/g, "")
const COLUMNS = 30

/** Renders a window of 12 columns over rows with this text. */
const render = (text: string) => {
  const row = Theme.render(theme, StyledLine.fit(StyledLine.line(text, "accent"), COLUMNS))
  const line = StyledLine.withBackground(StyledLine.fit(StyledLine.line("│ 名前 a │"), 12), "overlay")
  const renderer = InkRenderer.make()
  const rows = renderer.render([row, row, row, row], COLUMNS, {
    top: 1,
    left: 9,
    width: 12,
    rows: [Theme.render(theme, line), Theme.render(theme, line)]
  })
  renderer.unmount()
  return rows
}

describe("InkRenderer", () => {
  it("shows the window over the content, and the content around it", () => {
    const rows = render("0123456789".repeat(3))
    assert.deepStrictEqual(rows.map(plain), [
      "0123456789".repeat(3),
      "012345678│ 名前 a │  123456789",
      "012345678│ 名前 a │  123456789",
      "0123456789".repeat(3)
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
      for (const row of render(text).slice(1, 3)) {
        assert.include(plain(row), "│ 名前 a │")
        assert.isAtMost(StyledLine.width([{ text: plain(row), role: "plain" }]), COLUMNS)
      }
    })
})
