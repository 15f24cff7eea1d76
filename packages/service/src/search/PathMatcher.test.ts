import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as PathMatcher from "./PathMatcher.ts"

/** Gives the verdicts on a path if the content can contain no leaf of the query, and if it can contain every leaf. */
const verdicts = (text: string, path: string, options?: PathMatcher.Options) => {
  const query = Result.getOrThrow(CodeQueryParser.parse(text))
  const file = { fullName: "a/b", path, size: 1 }
  return [false, true].map((mayHold) => PathMatcher.make(query, () => () => mayHold, options)(file, undefined))
}

describe("PathMatcher", () => {
  it.each([
    ["/irq.*handler/", "lib/other.c", "no", "content"],
    ["/irq.*handler/", "lib/IRQ-handler.c", "content", "content"],
    ["/irq.*handler/ in:path", "lib/other.c", "no", "no"],
    ["/irq.*handler/ in:path", "lib/irq_handler.c", "content", "content"],
    ["/irq.*handler/ in:file", "lib/irq_handler.c", "no", "content"],
    ["/irq|dma/", "lib/other.c", "no", "content"],
    ["/irq|dma/", "lib/dma.c", "content", "content"],
    ["/[a-z]+[0-9]/", "lib/other.c", "content", "content"],
    ["word NOT /irq/", "lib/other.c", "no", "content"],
    ["word NOT /irq/ in:path", "lib/word.c", "yes", "yes"],
    ["/irq/ OR word", "lib/word.c", "yes", "yes"],
    ["/irq/ word in:path", "lib/irq.c", "no", "no"],
    ["word file:lib/", "lib/other.c", "no", "content"],
    ["word file:lib/", "lib/word.c", "yes", "yes"],
    ["word file:lib/", "word.c", "no", "no"],
    ["word lang:ts", "word.ts", "yes", "yes"],
    ["word lang:ts", "word.c", "no", "no"],
    ["word file:irq.*c$", "lib/other.c", "no", "no"],
    ["word file:irq.*c$", "irq/word.c", "content", "content"],
    ["content:word", "lib/word.c", "no", "content"],
    ["content:/word/ in:path", "lib/word.c", "no", "content"]
  ])("needs the content only if the path does not decide: %s, %s", (query, path, without, holding) => {
    assert.deepStrictEqual(verdicts(query, path), [without, holding])
  })

  it("decides by the path alone if it can run regular expressions", () => {
    const run = { runRegex: true }
    assert.deepStrictEqual(verdicts("/irq.*handler/ in:path", "handler/irq.c", run), ["no", "no"])
    assert.deepStrictEqual(verdicts("/irq.*handler/ in:path", "irq/handler.c", run), ["yes", "yes"])
    assert.deepStrictEqual(verdicts("/irq.*handler/", "handler/irq.c", run), ["no", "content"])
    assert.deepStrictEqual(verdicts("word -file:irq.*c$ case:yes word:yes", "IRQ/word.C", run), ["no", "no"])
    assert.deepStrictEqual(verdicts("file:^irq/.*c$ case:yes word:yes", "IRQ/word.C", run), ["yes", "yes"])
  })
})
