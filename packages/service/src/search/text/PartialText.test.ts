import { assert, describe, it } from "@effect/vitest"
import { type Part, PartialText } from "./PartialText.ts"

/** Returns a text that is read in the given parts, some of which can be empty. */
const make = (texts: ReadonlyArray<string>, wanted: ReadonlyArray<number>): PartialText => {
  const parts: Array<Part> = []
  let line = 1
  let offset = 0
  let bytes = 0
  for (const text of texts) {
    parts.push({ line, offset, bytes })
    line += text.split("\n").length - 1
    offset += text.length
    bytes += Buffer.byteLength(text)
  }
  return new PartialText({ parts, length: offset, read: (part) => texts[part] ?? "" }, wanted)
}

const texts = ["a\nb\n", "c\n", "", "ä\né\n", "", "f\ng\n", "h", ""]
const lines = texts.join("").split("\n")

describe("PartialText", () => {
  const subsets = Array.from({ length: 2 ** texts.length }, (_, bits) =>
    [...texts.keys()].filter((part) => ((bits >>> part) & 1) === 1)
  )

  it("gives each line its number in the whole text, whichever parts are read", () => {
    for (const wanted of subsets) {
      const partial = make(texts, wanted)
      for (const [row, text] of partial.text.split("\n").entries()) {
        if (text === "") continue
        const offset = partial.text.split("\n").slice(0, row).join("\n").length + (row === 0 ? 0 : 1)
        const number = partial.lineAt(offset)
        assert.strictEqual(lines[number - 1], text, `${wanted.join()}: line ${number}`)
        assert.strictEqual(partial.rowOf(number), row, `${wanted.join()}: row of line ${number}`)
        assert.strictEqual(partial.line(number), text)
        const section = partial.sectionAt(offset)
        assert.isDefined(section)
        const before = Buffer.byteLength(lines.slice(0, number - 1).join("\n")) + (number === 1 ? 0 : 1)
        const inSection = Buffer.byteLength(partial.text.slice(section?.start, offset))
        assert.strictEqual((section?.bytes ?? 0) + inSection, before, `${wanted.join()}: bytes before line ${number}`)
      }
    }
  })

  it("reads a line of another part when it is asked for", () => {
    for (const wanted of subsets) {
      const partial = make(texts, wanted)
      for (const [index, text] of lines.entries()) assert.strictEqual(partial.line(index + 1), text, wanted.join())
      assert.isUndefined(partial.line(lines.length + 1))
    }
  })
})
