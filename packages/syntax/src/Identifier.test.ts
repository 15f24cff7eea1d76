import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Identifier from "./Identifier.ts"
import * as Language from "./Language.ts"
import * as SyntaxTokens from "./SyntaxTokens.ts"

describe("Identifier", () => {
  it.effect("finds the names of a line, without keywords, numbers, strings and comments", () =>
    Effect.gen(function* () {
      const text = '// a note\nexport const größe = new Circle(origin, 2, "text") // no name\n'
      const highlighter = yield* Effect.promise(() => Language.load("ts"))
      const tokens = highlighter.highlight(text, { timeout: 5_000 })
      const offset = text.indexOf("\n") + 1
      const [line = ""] = text.slice(offset).split("\n")
      const found = Identifier.inLine(line, tokens, offset)
      assert.deepStrictEqual(
        found.map(({ end, start, text }) => [text, line.slice(start, end)]),
        ["größe", "Circle", "origin"].map((name) => [name, name])
      )
      assert.deepStrictEqual(Identifier.inLine("// a note", tokens, 0), [])
    })
  )

  it("takes all words of a text without tokens, but no numbers", () => {
    const names = Identifier.inLine("2fast 42 go_on $x", SyntaxTokens.empty, 0).map(({ text }) => text)
    assert.deepStrictEqual(names, ["go_on", "$x"])
    assert.isTrue(Identifier.isProse("docs/README.md"))
    assert.isFalse(Identifier.isProse("src/main.ts"))
  })
})
