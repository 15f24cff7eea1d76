import { assert, describe, it } from "@effect/vitest"
import type { Choices } from "../../model/WindowContent.ts"
import * as TextInput from "../../text/TextInput.ts"
import * as Theme from "../Theme.ts"
import * as RenderedWindow from "./RenderedWindow.test-support.tsx"

const item = (label: string, detail: string, key = ""): Choices["items"][number] => ({
  label,
  detail,
  key,
  unavailable: undefined,
  choice: { _tag: "Copy", text: label }
})

const contentOf = (...items: Choices["items"]): Choices => ({
  _tag: "Palette",
  title: "Go to",
  input: TextInput.make("bra"),
  items,
  first: 0,
  cursor: 0,
  selected: items[0],
  count: items.length
})

/** Returns the rows of the items. */
const rows = (columns: number, ...items: Choices["items"]) =>
  RenderedWindow.text(contentOf(...items), { columns }).slice(2)

describe("PaletteWindow", () => {
  it("aligns details and keys to the right", () => {
    assert.deepStrictEqual(rows(30, item("branches", "octo/hello", "b"), item("広い", "detail")), [
      "❯ branches       octo/hello  b",
      "  広い                  detail"
    ])
  })

  it("cuts the detail before the label, and leaves a very short detail out", () => {
    assert.deepStrictEqual(rows(24, item("branches", "organization", "b")), ["❯ branches  organiza…  b"])
    assert.deepStrictEqual(rows(20, item("branches", "organization", "b")), ["❯ branches         b"])
    assert.deepStrictEqual(rows(10, item("branches", "organization", "b")), ["❯ bran…  b"])
  })

  it("says that nothing matches", () => {
    assert.deepStrictEqual(RenderedWindow.text(contentOf(), { columns: 30 }), ["❯ bra▏", "", "Nothing matches"])
  })

  it("marks the whole selected row: with a background, or inverted without colors", () => {
    const selected = (depth: Theme.ColorDepth) => {
      const theme = Theme.make({ depth, isDark: true })
      return RenderedWindow.styled(contentOf(item("branches", "")), { columns: 20, theme })[3] ?? ""
    }
    const escape = "\u001b"
    assert.include(selected("none"), `${escape}[7m`)
    assert.include(selected("true"), `${escape}[48;2;${selectedBackground}m`)
  })
})

const selectedBackground = Theme.make({ depth: "true", isDark: true })
  .style("plain", "selected")
  .background.replace("48;2;", "")
