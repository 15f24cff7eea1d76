import { assert, describe, it } from "@effect/vitest"
import { estimateTokens } from "../text/TokenEstimate.ts"
import { type Answer, DEFAULT_TOKENS, maxTokens } from "./Answer.ts"
import * as AnswerData from "./AnswerData.ts"
import * as AnswerLines from "./AnswerLines.ts"

const nextCall: AnswerLines.NextCall = (next) =>
  "arguments" in next ? next : { arguments: { cursor: `after ${next.position.skip}` } }

const list = (count: number, rest: Partial<Answer> = {}): Answer => ({
  source: { repo: "octo/hello", ref: undefined, path: "src\u202e" },
  noun: "files",
  items: Array.from({ length: count }, (_, index) => ({
    data: { line: index },
    text: `${index}: const value = call()`
  })),
  next: (shown) => (shown < count ? { position: { skip: shown } } : undefined),
  ...rest
})

describe("an answer as lines", () => {
  it("starts with its source, and ends with its notes", () => {
    const lines = AnswerLines.render(list(2, { total: 7, notes: ["Incomplete."] }), nextCall).split("\n")
    assert.strictEqual(lines[0], "octo/hello, path src<U+202E>: 2 of 7 files")
    assert.strictEqual(lines.at(-1), "Incomplete.")
    assert.isTrue(lines.includes("1: const value = call()"))
  })

  it("counts one item in the singular", () => {
    for (const [noun, one] of [
      ["files", "file"],
      ["branches", "branch"],
      ["statuses", "status"],
      ["entries", "entry"]
    ])
      assert.match(AnswerLines.render({ ...list(1), noun: noun ?? "" }, nextCall), new RegExp(`: 1 ${one}\n`))
  })

  it("repeats no heading", () => {
    const items = ["a", "a", "b"].map((heading, index) => ({ heading, data: index, text: `  ${index}` }))
    const text = AnswerLines.render({ source: {}, items, isThirdParty: false }, nextCall)
    assert.strictEqual(text, "a\n  0\n  1\nb\n  2")
  })

  it("shows every item once if the caller follows the calls", () => {
    const all = list(1_000)
    const seen: Array<number> = []
    for (let skip: number | undefined = 0; skip !== undefined;) {
      const from: number = skip
      const part: Answer = { ...all, items: all.items.slice(from), next: (shown) => all.next?.(from + shown) }
      const text = AnswerLines.render(part, nextCall)
      assert.isAtMost(estimateTokens(text), DEFAULT_TOKENS)
      for (const [, number] of text.matchAll(/^(\d+): const/gm)) seen.push(Number(number))
      const after = /"after (\d+)"/.exec(text)?.[1]
      skip = after === undefined ? undefined : Number(after)
    }
    assert.deepStrictEqual(
      seen,
      all.items.map((_, index) => index)
    )
  })

  it("has more if the caller asked for a number of items, up to the maximum", () => {
    const tokens = estimateTokens(AnswerLines.render(list(5_000, { isLarge: true }), nextCall))
    assert.isAbove(tokens, DEFAULT_TOKENS)
    assert.isAtMost(tokens, maxTokens)
  })

  it("cuts an item that is too long, and says so", () => {
    const items = [{ data: "x", text: "word ".repeat(10_000) }]
    const text = AnswerLines.render({ source: {}, items, next: () => undefined }, nextCall)
    assert.match(text, /… \(\d+ more characters\)/)
    assert.include(text, "The rest cannot be shown")
    assert.isAtMost(estimateTokens(text), DEFAULT_TOKENS)
  })

  it("shows hidden characters", () => {
    const items = [{ heading: "a\u200b", data: "x", text: "b\u202e" }]
    const text = AnswerLines.render({ source: {}, items }, nextCall)
    assert.include(text, "a<U+200B>")
    assert.include(text, "b<U+202E>")
  })
})

describe("an answer as data", () => {
  it("has the shown items and the arguments that continue", () => {
    const data = AnswerData.render(list(1_000), nextCall)
    assert.deepStrictEqual(data.source, { repo: "octo/hello", path: "src<U+202E>" })
    assert.deepStrictEqual(data.items[0], { line: 0 })
    assert.isBelow(data.items.length, 1_000)
    assert.deepStrictEqual(data.next, { cursor: `after ${data.items.length}` })
    assert.isAtMost(estimateTokens(JSON.stringify(data)), DEFAULT_TOKENS)
  })
  it("is cut by the tokens of its escaped text", () => {
    const items = Array.from({ length: 1_000 }, () => ({ data: { text: "\u202e".repeat(10) }, text: "" }))
    const data = AnswerData.render(list(0, { items }), nextCall)
    assert.isAtMost(estimateTokens(JSON.stringify(data)), DEFAULT_TOKENS)
  })
})
