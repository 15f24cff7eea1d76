import { EditorState } from "@codemirror/state"
import { assert, describe, it } from "@effect/vitest"
import * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"
import * as Identifiers from "./Identifiers.ts"
import * as SyntaxDecorations from "./SyntaxDecorations.ts"

const TEXT = 'const hit = "hit" + hits // hit\n$hit(hit, 1)'

/** The tokens of these parts of `TEXT`. */
const tokens = Uint32Array.from(
  (
    [
      ["const", "keyword"],
      ['"hit"', "string"],
      ["// hit", "comment"]
    ] as const
  ).flatMap(([part, name]) => {
    // pairs of text and class
    const start = TEXT.indexOf(part)
    return [start, start + part.length, SyntaxTokens.syntaxClasses.indexOf(name)]
  })
)

const state = EditorState.create({
  doc: TEXT,
  extensions: [SyntaxDecorations.tokens.field, EditorState.languageData.of(() => [{ wordChars: "$" }])]
}).update({ effects: SyntaxDecorations.tokens.set(tokens) }).state

const textAt = (position: number) => {
  const range = Identifiers.at(state, position)
  return range === undefined ? undefined : TEXT.slice(range.from, range.to)
}

describe("Identifiers", () => {
  it("finds the identifier that touches a position", () => {
    assert.strictEqual(textAt(6), "hit")
    assert.strictEqual(textAt(9), "hit")
    assert.strictEqual(textAt(TEXT.indexOf("$hit") + 2), "$hit")
  })

  it("finds none in keywords, strings, comments and numbers", () => {
    for (const part of ["const", '"hit"', "hit\n", "1)"]) assert.isUndefined(textAt(TEXT.indexOf(part) + 1), part)
  })

  it("lists whole words that are code", () => {
    assert.deepStrictEqual(Identifiers.occurrences(TEXT, "hit", tokens), [6, TEXT.indexOf("(hit") + 1])
  })

  it("lists those of a part", () => {
    const start = TEXT.indexOf("\n")
    assert.deepStrictEqual(Identifiers.occurrences(TEXT.slice(start), "hit", tokens, start), [TEXT.indexOf("(hit") + 1])
  })

  it("takes every word for code without syntax", () => {
    assert.strictEqual(Identifiers.occurrences(TEXT, "hit", SyntaxTokens.empty).length, 4)
  })
})
