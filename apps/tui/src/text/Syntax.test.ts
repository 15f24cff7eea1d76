import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as StyledLine from "./StyledLine.ts"
import * as Syntax from "./Syntax.ts"
import * as SyntaxLine from "./SyntaxLine.ts"

const linesOf = (text: Syntax.SyntaxText) => Array.from({ length: text.length }, (_, index) => text.lineAt(index))

const textOf = (text: Syntax.SyntaxText) => linesOf(text).map(StyledLine.text)

const highlight = (path: string, text: string) => Syntax.highlight(path, text) ?? Effect.succeed(Syntax.plain("none"))

/** Texts that break naive formatters. */
const hostile = [
  "",
  "\n",
  "\r\n\r\n",
  "\0\u001b[31mred\u001b]0;title\u0007",
  "a\tb\u202ec\u2028d",
  "\ud800 lone \udc00",
  "e\u0301".repeat(50),
  "👩‍👩‍👧‍👦 /* 🇩🇪".repeat(20),
  "`${".repeat(3_000),
  "(".repeat(9_000)
]

describe("Syntax", () => {
  it("splits plain text into lines", () => {
    assert.deepStrictEqual(textOf(Syntax.plain("a\r\n\tb\n\nc")), ["a", "    b", "", "c"])
    assert.deepStrictEqual(textOf(Syntax.plain("a\n")), ["a"])
    assert.deepStrictEqual(textOf(Syntax.plain("")), [""])
    assert.deepStrictEqual(Syntax.plain("a").lineAt(7), StyledLine.empty)
  })

  it.effect("gives each token its role, also in a comment of several lines", () =>
    Effect.gen(function* () {
      const text = yield* highlight("a.ts", "/* one\n\ttwo */ const x = 'y'\n")
      assert.strictEqual(text.length, 2)
      assert.deepStrictEqual(text.lineAt(0), [{ text: "/* one", role: "comment" }])
      assert.deepStrictEqual(text.lineAt(1), [
        { text: "    two */ ", role: "comment" },
        { text: "const ", role: "keyword" },
        { text: "x = ", role: "plain" },
        { text: "'y'", role: "string" }
      ])
    })
  )

  it("does not highlight other languages, large texts and long lines", () => {
    assert.isUndefined(Syntax.highlight("LICENSE", "if"))
    assert.isUndefined(Syntax.highlight("a.ts", "x\n".repeat(Syntax.MAX_LENGTH)))
    assert.isUndefined(Syntax.highlight("a.ts", `a\n${"x".repeat(Syntax.MAX_LINE_LENGTH + 1)}`))
    assert.isDefined(Syntax.highlight("a.ts", "x".repeat(Syntax.MAX_LINE_LENGTH)))
  })

  it("cuts long lines", () => {
    const line = Syntax.plain("x".repeat(Syntax.MAX_LINE_LENGTH + 5)).lineAt(0)
    assert.deepStrictEqual(line[1], { text: "… 5 more characters", role: "muted" })
  })

  it.effect("lets other work run while it parses a large file, and can be interrupted", () =>
    Effect.gen(function* () {
      const text = "export const value = [1, 'two', `three ${four}`]\n".repeat(15_000)
      let turns = 0
      const count = yield* Effect.yieldNow.pipe(
        Effect.tap(() => Effect.sync(() => turns++)),
        Effect.forever,
        Effect.forkChild
      )
      const highlighted = yield* highlight("a.ts", text)
      yield* Fiber.interrupt(count)
      assert.isAbove(turns, 3)
      assert.strictEqual(highlighted.length, 15_000)
      assert.strictEqual(highlighted.lineAt(14_999)[0]?.role, "keyword")
      const fiber = yield* Effect.forkChild(highlight("a.ts", text))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("keeps hostile text complete and harmless", () =>
    Effect.gen(function* () {
      const highlighter = yield* Syntax.load("ts")
      for (const text of hostile) {
        const expected = textOf(Syntax.plain(text))
        assert.deepStrictEqual(textOf(yield* highlight("a.ts", text)), expected)
        if (highlighter !== undefined) assert.deepStrictEqual(textOf(Syntax.highlightNow(highlighter, text)), expected)
        for (const line of expected) assert.notMatch(line, /[\p{Cc}\p{Cs}\u2028\u202e]/u)
      }
    })
  )
})

describe("SyntaxLine", () => {
  it("splits at tokens and marks, and expands tabs by the column in the line", () => {
    const tokens = { tokens: Uint32Array.from([10, 13, 1]), offset: 10 }
    const marks = [{ start: 2, end: 5, background: "addedWord" as const }]
    assert.deepStrictEqual(SyntaxLine.make("if(\tx)", { tokens, marks, background: "addedLine" }), [
      { text: "if", role: "keyword", background: "addedLine" },
      { text: "(", role: "keyword", background: "addedWord" },
      { text: " x", role: "plain", background: "addedWord" },
      { text: ")", role: "plain", background: "addedLine" }
    ])
  })
})
