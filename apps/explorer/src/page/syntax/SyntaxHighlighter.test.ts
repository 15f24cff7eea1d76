import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TextSegments from "./TextSegments.ts"
import * as SyntaxHighlighter from "./SyntaxHighlighter.ts"

const highlight = (path: string, text: string) =>
  Effect.promise(() => SyntaxHighlighter.highlight(path, text)).pipe(
    Effect.map((tokens) =>
      TextSegments.clipTokens(tokens, 0, text.length).map(({ end, syntaxClass, start }) => [
        syntaxClass,
        text.slice(start, end)
      ])
    )
  )

describe("SyntaxHighlighter", () => {
  it.effect("highlights TypeScript", () =>
    Effect.gen(function* () {
      assert.includeDeepMembers(yield* highlight("src/a.ts", 'const x: Foo = "s" // why'), [
        ["keyword", "const"],
        ["definition", "x"],
        ["type", "Foo"],
        ["string", '"s"'],
        ["comment", "// why"]
      ])
    })
  )

  it.effect("recognizes text that starts inside a block comment", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* highlight("a.ts", " * for it"), [["comment", " * for it"]])
      assert.deepInclude(yield* highlight("a.ts", " */\nfor"), ["keyword", "for"])
    })
  )

  it.effect("loads every supported language", () =>
    Effect.gen(function* () {
      for (const extension of ["tsx", "jsx", "json", "c", "yml", "html", "css", "md", "py", "rs", "go", "java"]) {
        assert.isNotEmpty(
          yield* highlight(`a.${extension}`, '# a\n"b": 1\nfn if <p>x</p> /* c */ .d { e: 2px }\n'),
          extension
        )
      }
    })
  )

  it.effect("gives no tokens for other files", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* highlight("LICENSE", "if"), [])
      assert.deepStrictEqual(yield* highlight("a.unknown", "if"), [])
    })
  )
})
