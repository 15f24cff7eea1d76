import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Words from "./Words.ts"

describe("words", () => {
  it.each([
    ["It's a snake_case-word: v1.2!", ["it", "s", "a", "snake", "case", "word", "v1", "2"]],
    ["ÄPFEL Cafe\u0301 Straße ΟΔΥΣΣΕΥΣ İstanbul ﬁx", ["apfel", "cafe", "strasse", "οδυσσευσ", "istanbul", "fix"]],
    ["搜索コード test検索", ["搜", "索", "コ", "ー", "ド", "test", "検", "索"]],
    ["हिन्दी 한국어", ["हिन्दी", "한국어"]],
    ["コーtest", ["コ", "ー", "test"]],
    ["x" + "𝐀".repeat(300), ["x" + "a".repeat(199)]],
    ["x" + "𐓸".repeat(300), ["x" + "𐓸".repeat(99)]],
    ["½ \u0301 𝐀", ["12", "a"]],
    ["x".repeat(300), ["x".repeat(200)]]
  ])("of %s", (text, words) => {
    assert.deepStrictEqual(Words.of(text), words)
  })

  it.prop("are the words of themselves, and have no case", [Schema.String], ([text]) => {
    const words = Words.of(text)
    assert.deepStrictEqual(Words.of(words.join(" ")), words)
    assert.deepStrictEqual(Words.of(text.normalize("NFC")), Words.of(text.normalize("NFD")))
  })

  it("have ranges in the text", () => {
    assert.deepStrictEqual(Words.find("a Größe"), [
      { word: "a", start: 0, end: 1 },
      { word: "grosse", start: 2, end: 7 }
    ])
  })
})
