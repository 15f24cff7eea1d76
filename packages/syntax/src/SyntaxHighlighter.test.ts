import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Language from "./Language.ts"
import * as SyntaxTokens from "./SyntaxTokens.ts"

const MINUTE = 60_000

const tokensOf = (tokens: SyntaxTokens.SyntaxTokens, text: string) =>
  Array.from({ length: tokens.length / SyntaxTokens.STRIDE }, (_, index) => {
    const [start = 0, end = 0, name = 0] = tokens.subarray(index * SyntaxTokens.STRIDE)
    return [SyntaxTokens.syntaxClasses[name], text.slice(start, end)]
  })

const load = (path: string) => Effect.promise(() => Language.load(Language.fromPath(path) ?? "json"))

const highlight = (path: string, text: string) =>
  Effect.map(load(path), (highlighter) => tokensOf(highlighter.highlight(text, { timeout: MINUTE }), text))

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
      assert.deepInclude(yield* highlight("a.ts", "function f() {}"), ["function", "f"])
    })
  )

  it.effect("recognizes text that starts inside a block comment", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* highlight("a.ts", " * for it"), [["comment", " * for it"]])
      assert.deepInclude(yield* highlight("a.ts", " */\nfor"), ["keyword", "for"])
    })
  )

  it.effect("gives the same tokens in steps", () =>
    Effect.gen(function* () {
      const highlighter = yield* load("a.ts")
      const text = `/*${" long comment".repeat(3_000)}*/\n${"const x = `a ${b} c`\n".repeat(2_000)}`
      const steps = highlighter.steps(text, { slice: 0, timeout: MINUTE })
      let count = 0
      let step = steps.next()
      for (; step.done !== true; step = steps.next()) count++
      assert.isAbove(count, 100)
      assert.deepStrictEqual(step.value, highlighter.highlight(text, { timeout: MINUTE }))
      assert.deepStrictEqual(tokensOf(step.value, text)[0], ["comment", text.slice(0, text.indexOf("\n"))])
    })
  )

  it.effect("stops after the timeout", () =>
    Effect.gen(function* () {
      const highlighter = yield* load("a.ts")
      const text = "const x = 1\n".repeat(1_000)
      const whole = highlighter.highlight(text, { timeout: MINUTE })
      const part = highlighter.highlight(text, { timeout: -1 })
      assert.isBelow(part.length, whole.length)
      assert.deepStrictEqual(part, whole.subarray(0, part.length))
    })
  )

  it.effect("bears deep nesting", () =>
    Effect.gen(function* () {
      const highlighter = yield* load("a.ts")
      for (const unit of ["(", "[{", "a<b<", "`${", "/*", "<a>"])
        assert.isAtLeast(
          highlighter.highlight(unit.repeat(process.env["TONGS_LONG_TESTS"] === undefined ? 5_000 : 20_000), {
            timeout: MINUTE
          }).length,
          0,
          unit
        )
    })
  )
})
