import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TextSegments from "./TextSegments.ts"
import * as SyntaxHighlighter from "./SyntaxHighlighter.ts"

const named = (path: string, text: string) =>
  Effect.promise(() => SyntaxHighlighter.highlight(path, text)).pipe(
    Effect.map((tokens) =>
      TextSegments.clipTokens(tokens, 0, text.length).map(({ end, syntaxClass, start }) => [
        syntaxClass,
        text.slice(start, end)
      ])
    )
  )

describe("Syntax", () => {
  it.effect("knows TypeScript", () =>
    Effect.gen(function* () {
      assert.includeDeepMembers(yield* named("src/a.ts", 'const x: Foo = "s" // why'), [
        ["keyword", "const"],
        ["definition", "x"],
        ["type", "Foo"],
        ["string", '"s"'],
        ["comment", "// why"]
      ])
    })
  )

  it.effect("knows the inside of a comment", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* named("a.ts", " * for it"), [["comment", " * for it"]])
      assert.deepInclude(yield* named("a.ts", " */\nfor"), ["keyword", "for"])
    })
  )

  it.effect("loads every language that it names", () =>
    Effect.gen(function* () {
      for (const extension of ["tsx", "jsx", "json", "c", "yml", "html", "css", "md", "py", "rs", "go", "java"]) {
        assert.isNotEmpty(
          yield* named(`a.${extension}`, '# a\n"b": 1\nfn if <p>x</p> /* c */ .d { e: 2px }\n'),
          extension
        )
      }
    })
  )

  it.effect("leaves other files plain", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* named("LICENSE", "if"), [])
      assert.deepStrictEqual(yield* named("a.unknown", "if"), [])
    })
  )
})
