import { assert, describe, it } from "@effect/vitest"
import * as ContextLines from "./ContextLines.ts"

const line = (text: string, number: number, hasMatch = false) => ({
  number,
  text,
  cut: 0,
  matches: hasMatch ? [[0, 1] as const] : [] // a pair
})

const chunk = (...texts: ReadonlyArray<string>) => ({
  lines: texts.map((text, at) => line(text.replace("!", ""), at + 1, text.startsWith("!")))
})

const texts = (...given: ReadonlyArray<string>) => ContextLines.trim(chunk(...given)).lines.map(({ text }) => text)

describe("ContextLines", () => {
  it("leaves out brackets, ends of comments and empty lines around a match", () => {
    assert.deepStrictEqual(texts(" */", "!hit", "{"), ["hit"])
    assert.deepStrictEqual(texts("", "});", "!hit", "a()", "\t}"), ["hit", "a()"])
  })

  it("keeps lines with matches, and those between them", () => {
    assert.deepStrictEqual(texts("!{", "", "!}"), ["{", "", "}"])
    assert.deepStrictEqual(texts("{", "}"), ["{", "}"])
  })

  it("puts short chunks side by side, as many as fit", () => {
    const short = [chunk("!hit"), chunk("!hit"), chunk("!hit")]
    assert.strictEqual(ContextLines.columns(short, 90), 3)
    assert.strictEqual(ContextLines.columns(short.slice(1), 90), 2)
    assert.strictEqual(ContextLines.columns([...short, chunk(`!${"x".repeat(80)}`)], 90), 1)
    assert.strictEqual(ContextLines.columns([...short, chunk("!hit", "x".repeat(80))], 90), 3)
    assert.strictEqual(ContextLines.columns([], 60), 1)
  })

  it("shows an enclosing line once", () => {
    const enclosing = { number: 5, text: "class A {" }
    const at = (number: number) => ({ enclosing, lines: [line("hit", number, true)] })
    const shown = ContextLines.withoutRepetition([
      at(8),
      at(20),
      { ...at(30), enclosing: { number: 25, text: "b() {" } }
    ])
    assert.deepStrictEqual(
      shown.map(({ enclosing }) => enclosing?.number),
      [5, undefined, 25]
    )
  })

  it("counts tabs as columns, and bounds the width", () => {
    assert.strictEqual(ContextLines.width([chunk(`!${"a".repeat(50)}\tb`)]), 55)
    assert.strictEqual(ContextLines.width([chunk("!x".repeat(5_000))]), 110)
  })
})
