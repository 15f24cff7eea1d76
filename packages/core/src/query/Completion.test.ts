import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Completion from "./Completion.ts"

const vocabulary: Completion.Vocabulary = {
  language: "code",
  values: { repo: ["octo/hello", "hello/world", "a/bhello"], language: ["TypeScript", "Type Theory", "Rust"] }
}

/** The options at the cursor (`|`), and the text with the cursor after accepting the first option. */
const at = (marked: string, language: Completion.Vocabulary["language"] = "code") => {
  const cursor = marked.indexOf("|")
  const text = marked.replace("|", "")
  const completion = Completion.complete(text, cursor, { ...vocabulary, language })
  const [first] = completion.options
  const taken = first === undefined ? undefined : Completion.accept(text, completion, first)
  return {
    options: completion.options.map((option) => option.text),
    taken: taken === undefined ? undefined : `${taken.text.slice(0, taken.cursor)}|${taken.text.slice(taken.cursor)}`
  }
}

describe("complete", () => {
  it("offers qualifier names that start with the word", () => {
    assert.deepStrictEqual(at("foo -re|"), { options: ["repo:", "rev:"], taken: "foo -repo:|" })
    assert.deepStrictEqual(at("(s|y b)"), { options: ["size:", "symbol:"], taken: "(size:| b)" })
    assert.deepStrictEqual(at("s|", "contract").options, ["size:"])
    for (const nowhere of ["|", "foo |", '"re|', "/re/|", "foo|"]) assert.deepStrictEqual(at(nowhere).options, [])
  })

  it("offers values, those that start with the typed text first", () => {
    assert.deepStrictEqual(at("x repo:he|"), {
      options: ["hello/world", "octo/hello", "a/bhello"],
      taken: "x repo:hello/world |"
    })
    assert.deepStrictEqual(at("language:|x y"), {
      options: ["TypeScript", '"Type Theory"', "Rust"],
      taken: "language:TypeScript |y"
    })
    assert.deepStrictEqual(at('language:"type t|'), { options: ['"Type Theory"'], taken: 'language:"Type Theory" |' })
    assert.deepStrictEqual(at('language:"x"|').options, [])
    assert.deepStrictEqual(at("(in:f|)"), { options: ["file", "file,path"], taken: "(in:file|)" })
    assert.deepStrictEqual(at("symbol:p|").options, [])
    assert.deepStrictEqual(at("lang:ru|"), { options: ["Rust"], taken: "lang:Rust |" })
    assert.deepStrictEqual(at("x type:|").options, ["file", "path", "commit", "diff"])
    assert.deepStrictEqual(at("x kind:en|").options, ["enum", "enum_member"])
    assert.deepStrictEqual(at("x type:c|", "contract").options, [])
    assert.deepStrictEqual(at("is:a|").options, [])
  })

  it.prop("replaces the token at the cursor in any text", [Schema.String, Schema.Int], ([text, number]) => {
    const cursor = Math.abs(number) % (text.length + 1)
    const { options, span } = Completion.complete(text, cursor, vocabulary)
    assert.isTrue(span.start <= cursor && cursor <= span.start + span.length && span.start + span.length <= text.length)
    assert.isAtMost(options.length, Completion.MAX_OPTIONS)
  })
})
