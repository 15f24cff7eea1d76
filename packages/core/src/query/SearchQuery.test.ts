import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as CodeQuery from "./CodeQuery.ts"
import * as CodeQueryParser from "./CodeQueryParser.ts"
import { qualifierNames } from "./QualifierName.ts"
import * as SearchQuery from "./SearchQuery.ts"

/** Removes the position in the text. */
const bare = (part: object): object => Object.fromEntries(Object.entries(part).filter(([key]) => key !== "span"))

const query = (text: string) => {
  const { any, qualifiers } = Result.getOrThrow(SearchQuery.parse(text))
  return {
    any: any.map((group) => group.map(bare)),
    qualifiers: qualifiers.map(bare)
  }
}

const groups = (text: string) =>
  Result.getOrThrow(SearchQuery.parse(text)).any.map((group) => group.map((term) => term.text))

const problems = (text: string) =>
  Result.match(SearchQuery.parse(text), {
    onFailure: (all) => all.map((problem) => [problem.start, problem.length, problem.message]),
    onSuccess: () => []
  })

describe("parse", () => {
  it("reads keywords and phrases with their positions", () => {
    assert.deepStrictEqual(Result.getOrThrow(SearchQuery.parse(' addClass "a \\"b\\" \\\\" NOT x')), {
      any: [
        [
          { text: "addClass", phrase: false, not: false, span: { start: 1, length: 8 } },
          { text: 'a "b" \\', phrase: true, not: false, span: { start: 10, length: 12 } },
          { text: "x", phrase: false, not: true, span: { start: 27, length: 1 } }
        ]
      ],
      qualifiers: []
    })
  })

  it("groups by OR, which binds less tightly than AND", () => {
    assert.deepStrictEqual(groups("a b OR c AND d OR e"), [["a", "b"], ["c", "d"], ["e"]])
    assert.deepStrictEqual(groups("and or not"), [["and", "or", "not"]])
    assert.deepStrictEqual(groups('"OR" x'), [["OR", "x"]])
  })

  it("reads every qualifier", () => {
    assert.deepStrictEqual(
      query('x repo:a/b user:c -org:d path:"my docs" filename:f.ts extension:.ts NOT Language:go in:file,path')
        .qualifiers,
      [
        { name: "repo", value: "a/b", not: false },
        { name: "user", value: "c", not: false },
        { name: "org", value: "d", not: true },
        { name: "path", value: "my docs", not: false },
        { name: "filename", value: "f.ts", not: false },
        { name: "extension", value: "ts", not: false },
        { name: "language", value: "go", not: true },
        { name: "in", value: "file", not: false },
        { name: "in", value: "path", not: false }
      ]
    )
  })

  it("reads sizes as inclusive bounds", () => {
    const size = (text: string) => query(`x size:${text}`).qualifiers[0]
    const expected = (range: object) => ({ name: "size", ...range, not: false })
    assert.deepStrictEqual(size(">10"), expected({ min: 11 }))
    assert.deepStrictEqual(size(">=10"), expected({ min: 10 }))
    assert.deepStrictEqual(size("<10"), expected({ max: 9 }))
    assert.deepStrictEqual(size("<=10"), expected({ max: 10 }))
    assert.deepStrictEqual(size("1..10"), expected({ min: 1, max: 10 }))
    assert.deepStrictEqual(size("*..10"), expected({ max: 10 }))
    assert.deepStrictEqual(size("10"), expected({ min: 10, max: 10 }))
  })

  it("reads code as keywords", () => {
    for (const word of [
      "std::vector",
      "path::join",
      "http://x",
      "-Wall",
      'say("hi")',
      "a:b",
      "f(",
      "/usr/bin",
      "//",
      "->x"
    ]) {
      assert.deepStrictEqual(groups(word), [[word]])
    }
  })

  it("accepts OR between qualifiers of one kind", () => {
    assert.deepStrictEqual(query("x repo:a/b OR org:c"), query("x repo:a/b org:c"))
    assert.lengthOf(problems("x path:a OR language:go"), 1)
    for (const negated of ["-path:a OR path:b", "path:b OR -path:a", "NOT path:a OR path:b", "path:b OR NOT path:a"]) {
      assert.lengthOf(problems(`x ${negated}`), 1, negated)
    }
    assert.lengthOf(problems("x path:a OR y"), 1)
  })

  it("reports the mistake, its position and the remedy", () => {
    assert.deepStrictEqual(problems('a "b c'), [[2, 4, "Close the quotation mark, or remove it."]])
    assert.deepStrictEqual(problems('a "b\\'), [[2, 3, "Close the quotation mark, or remove it."]])
    assert.deepStrictEqual(problems("OR a"), [[0, 2, "Put a keyword on both sides of OR."]])
    assert.deepStrictEqual(problems("a AND"), [[2, 3, "Put a keyword on both sides of AND."]])
    assert.deepStrictEqual(problems("a NOT"), [[2, 3, "Put a keyword or a qualifier after NOT."]])
    assert.deepStrictEqual(problems("a repo: b"), [[2, 5, "Write a value right after repo: (no space between)."]])
    assert.deepStrictEqual(problems("a repo:b"), [[2, 6, "Write the repository with its owner: repo:owner/b."]])
    assert.deepStrictEqual(problems("a in:title"), [[2, 8, "Write in:file, in:path or in:file,path."]])
    assert.lengthOf(problems("a size:big size:5..1 size:<0"), 3)
  })

  it("explains syntax that only the extended language has", () => {
    const message = (text: string) => problems(text).map(([, , message]) => message)
    assert.deepStrictEqual(
      problems("x (a OR b)").map(([start]) => start),
      [2]
    )
    assert.deepStrictEqual(
      problems("f(x, y)").map(([start]) => start),
      [6]
    )
    assert.include(message("/parse(Query|Text)/")[0], "Write parse Query Text,")
    assert.include(message("x /\\d+/")[0], "Write words of the text,")
    assert.include(message("/foo[ab/")[0], "Write foo,")
    assert.include(message("symbol:make x")[0], "Write make without symbol:")
    assert.include(message("x case:yes")[0], "Remove case:")
    assert.include(message("x word:yes")[0], "Remove word:")
    assert.include(message('x -"a b"')[0], 'Write NOT "a b"')
    assert.include(message("x path:*.ts")[0], "Write extension:ts.")
    assert.include(message("x path:src/**/*.{ts,tsx}")[0], "Write path:src extension:ts extension:tsx.")
    assert.include(message("x path:src/**")[0], "Write path:src.")
    assert.include(message("x path:**/Foo*.ts")[0], "Write filename:Foo.")
    assert.include(message("x path:*")[0], "Write path:folder or extension:ts.")
    assert.include(message("x filename:*.test.ts")[0], "filename:.test.ts")
    assert.include(message("x repo:octo/*")[0], "user:octo")
    assert.deepStrictEqual(message('x path:"a*b"'), [])
  })

  it("rejects a query without terms", () => {
    assert.deepStrictEqual(problems("repo:a/b"), [[0, 8, "Add a keyword: qualifiers alone find nothing."]])
    assert.lengthOf(problems(""), 1)
    assert.deepStrictEqual(problems("a OR NOT b"), [[9, 1, "Add a keyword: NOT alone finds nothing."]])
  })

  it("limits length and operators", () => {
    assert.deepStrictEqual(problems(`${"x".repeat(256)} repo:a/b`), [])
    assert.deepStrictEqual(problems(`${"x".repeat(257)} repo:a/b`), [
      [0, 257, "Shorten the keywords to 256 characters. They have 257."]
    ])
    assert.deepStrictEqual(problems("a OR b OR c AND d NOT e OR f"), [])
    assert.deepStrictEqual(problems("a OR b OR c OR d OR e OR f OR g"), [
      [27, 2, "A query can have at most 5 operators (AND, OR, NOT). Remove one."]
    ])
    assert.lengthOf(problems("x".repeat(SearchQuery.MAX_TEXT + 1)), 1)
    assert.lengthOf(problems(")".repeat(SearchQuery.MAX_TEXT)), SearchQuery.MAX_DIAGNOSTICS)
  })
})

describe("print", () => {
  it("is canonical", () => {
    assert.strictEqual(
      SearchQuery.print(
        Result.getOrThrow(SearchQuery.parse('repo:a/b  a AND "b c" OR NOT x y  NOT path:"d e" size:>9'))
      ),
      'a "b c" OR NOT x y repo:a/b -path:"d e" size:>=10'
    )
  })

  const Word = Schema.Union([
    Schema.Literals([
      "a",
      "-b",
      "std::vector",
      "AND",
      "OR",
      "NOT",
      '"a b"',
      '"\\"\\\\"',
      '"',
      "-",
      "\\",
      '"a"b',
      "(",
      ")",
      "/a b/",
      "f(x)",
      "symbol:x"
    ]),
    Schema.Literals(qualifierNames).pipe((name) =>
      Schema.TemplateLiteral([
        Schema.Literals(["", "-"]),
        name,
        ":",
        Schema.Literals(["a/b", "file", ">9", '"x y"', "", "a*", "(a)", "b)"])
      ])
    ),
    Schema.String
  ])

  it.prop("gives back the same query", [Schema.Array(Word)], ([words]) => {
    const text = words.join(" ")
    const parsed = SearchQuery.parse(text)
    if (Result.isSuccess(parsed)) assert.deepStrictEqual(query(SearchQuery.print(parsed.success)), query(text))
    else {
      for (const { length, message, start } of parsed.failure) {
        assert.isTrue(start >= 0 && start + length <= text.length && message.endsWith("."))
      }
    }
  })

  const Phrase = Schema.Struct({ text: Schema.String.check(Schema.isPattern(/\S/)), not: Schema.Boolean })
  const Range = Schema.Literals([1, 7])

  it.prop(
    "for any phrase and path",
    [Phrase, Schema.NonEmptyString, Range, Schema.Boolean],
    ([phrase, path, min, not]) => {
      const span = { start: 0, length: 0 }
      const printed = SearchQuery.print({
        any: [
          [
            { text: "k", phrase: false, not: false, span },
            { ...phrase, phrase: true, span }
          ]
        ],
        qualifiers: [
          { name: "path", value: path, not, span },
          { name: "size", min, max: 7, not, span }
        ]
      })
      assert.deepStrictEqual(query(printed), {
        any: [
          [
            { text: "k", phrase: false, not: false },
            { ...phrase, phrase: true }
          ]
        ],
        qualifiers: [
          { name: "path", value: path, not },
          { name: "size", min, max: 7, not }
        ]
      })
    }
  )
})

describe("toCodeQuery", () => {
  it("applies qualifiers to the whole query, and treats those of one name as alternatives", () => {
    const text = "a b OR NOT c d repo:a/b path:p user:u -path:q in:path,file"
    assert.strictEqual(
      CodeQueryParser.print(SearchQuery.toCodeQuery(Result.getOrThrow(SearchQuery.parse(text)))),
      "((a b) OR (NOT c d)) (repo:a/b OR user:u) path:p -path:q"
    )
    const { expression, ...options } = SearchQuery.toCodeQuery(Result.getOrThrow(SearchQuery.parse("a")))
    assert.deepStrictEqual(expression, { _tag: "Text", text: "a", span: { start: 0, length: 1 } })
    assert.deepStrictEqual(options, { ...CodeQuery.defaultOptions, inPath: false })
  })
})
