import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as CodeQuery from "./CodeQuery.ts"
import * as CodeQueryParser from "./CodeQueryParser.ts"
import * as Grammar from "./Grammar.ts"
import * as SearchQuery from "./SearchQuery.ts"

const parse = (text: string) => Result.getOrThrow(CodeQueryParser.parse(text))

/** Formats an expression with parentheses that show the structure. */
const canonical = (text: string) => CodeQueryParser.print(parse(text))

/** Removes the positions in the text. */
const bare = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, part]) => (key === "span" ? [] : [[key, bare(part)]])))
}

const failures = (text: string) => {
  const parsed = CodeQueryParser.parse(text)
  return Result.isFailure(parsed) ? parsed.failure : []
}

const problems = (text: string) => failures(text).map(({ length, message, start }) => [start, length, message])

const where = (text: string) => failures(text).map(({ length, start }) => [start, length])

describe("parse", () => {
  it("limits the texts in the braces of a path pattern", () => {
    const pattern = (count: number) => `path:{${Array.from({ length: count }, (_, at) => `a${at}`).join(",")}}`
    assert.isTrue(Result.isSuccess(CodeQueryParser.parse(`x ${pattern(64)}`)))
    assert.isTrue(Result.isFailure(CodeQueryParser.parse(`x ${pattern(65)}`)))
  })

  it("reads words, phrases, regular expressions and symbols with their positions", () => {
    assert.deepStrictEqual(parse(' fo-o -"a \\"b" /x[/]\\/+ y/ symbol:make() symbol:"a b"').expression, {
      _tag: "And",
      all: [
        { _tag: "Text", text: "fo-o", span: { start: 1, length: 4 } },
        {
          _tag: "Not",
          not: { _tag: "Text", text: 'a "b', span: { start: 6, length: 8 } },
          span: { start: 6, length: 8 }
        },
        { _tag: "Regex", source: "x[/]\\/+ y", span: { start: 15, length: 11 } },
        { _tag: "Symbol", name: "make", exact: false, span: { start: 27, length: 13 } },
        { _tag: "Symbol", name: "a b", exact: true, span: { start: 41, length: 12 } }
      ],
      span: { start: 1, length: 52 }
    })
  })

  it("reads kinds of definitions, which apply to the whole query", () => {
    const { inContent, inPath, symbolKinds } = parse(
      "(len kind:field) in:path sym:x kind:Enum-Member kind:func kind:field"
    )
    assert.deepStrictEqual([inContent, inPath, symbolKinds], [true, false, ["field", "enum_member", "function"]])
    assert.strictEqual(canonical("len kind:property"), "len kind:field")
    // Alone, a kind lists all its definitions.
    assert.strictEqual(canonical("kind:enum"), "size:>=0 kind:enum")
    assert.deepStrictEqual(parse("a kind:field OR kind:class").symbolKinds, ["field", "class"])
    for (const text of ["kind: Deployment", "kind::field"]) assert.deepStrictEqual(parse(text).symbolKinds, [], text)
    assert.deepStrictEqual(
      ["kind:Deployment", "a kind:funtion", "a -kind:field", "a kind:field type:diff", "a type:commit kind:field"].map(
        (text) => failures(text).map(({ replacement }) => replacement)
      ),
      [['"kind:Deployment"'], ["kind:function"], ["kind:field"], [""], [""]]
    )
    assert.deepStrictEqual(
      failures("x select:symbol.enum-member").map(({ replacement }) => replacement),
      ["kind:enum_member"]
    )
  })

  it("reads code as words", () => {
    for (const text of [
      "std::vector",
      "http://x",
      "->next",
      "--flag",
      'say("hi")',
      "f(",
      "/usr/bin",
      "//",
      "/api",
      "a|b"
    ]) {
      assert.deepStrictEqual(bare(parse(text).expression), { _tag: "Text", text })
    }
  })

  it("groups by parentheses, then AND, then OR", () => {
    assert.strictEqual(canonical("a b OR c AND d"), "(a b) OR (c d)")
    assert.strictEqual(canonical("a (b OR c) d"), "a (b OR c) d")
    assert.strictEqual(canonical("((a)) ((b c))"), "a b c")
    assert.strictEqual(canonical("NOT (a OR b) f(x) -(-c)"), "NOT (a OR b) f(x) c")
    assert.strictEqual(canonical("a NOT NOT b NOT -/c/"), "a b /c/")
  })

  it("applies qualifiers to the whole group, like the language of the contract", () => {
    assert.strictEqual(canonical("a OR b repo:x/y"), "(a OR b) repo:x/y")
    assert.strictEqual(canonical("repo:x/y a user:u path:p -path:q"), "a (repo:x/y OR user:u) path:p -path:q")
    assert.strictEqual(canonical("(a path:p) OR (b path:q)"), "(a path:p) OR (b path:q)")
    assert.strictEqual(canonical("a (path:p) path:q"), "a (path:p) path:q")
  })

  it("joins a qualifier and its neighbour with OR", () => {
    assert.strictEqual(canonical("a OR path:p"), "a OR path:p")
    assert.strictEqual(canonical("a path:p OR language:go"), "a (path:p OR language:go)")
    assert.strictEqual(canonical("a path:p OR path:q path:r"), "a (path:p OR path:q OR path:r)")
    assert.strictEqual(canonical("a path:p OR b"), "(a path:p) OR b")
  })

  it("has options of the whole query", () => {
    const { expression: _, ...plain } = parse("a")
    assert.deepStrictEqual(plain, CodeQuery.defaultOptions)
    const { expression: _e, ...options } = parse("Case:YES (a word:yes) OR b in:file")
    assert.deepStrictEqual(options, {
      ...CodeQuery.defaultOptions,
      caseSensitive: true,
      wholeWord: true,
      inPath: false
    })
    assert.strictEqual(canonical("a in:path OR in:path b"), "a b in:path")
    assert.strictEqual(canonical("case:yes a word:yes in:path case:no"), "a in:path word:yes")
  })

  it("reads patterns of paths", () => {
    const filter = (text: string) => bare(parse(text).expression)
    const path = (value: string, glob: boolean) => ({ _tag: "Filter", filter: { name: "path", value, glob } })
    assert.deepStrictEqual(filter("path:*.ts"), path("**/*.ts", true))
    assert.deepStrictEqual(filter("path:/src/*.{a,b}"), path("src/*.{a,b}", true))
    assert.deepStrictEqual(filter("path:test?/"), path("**/test?/**", true))
    assert.deepStrictEqual(filter('path:"a*"'), path("a*", false))
    assert.strictEqual(
      canonical('path:**/*.ts OR path:/a* OR path:**/a OR path:"b*"'),
      'path:*.ts OR path:/a* OR path:**/a OR path:"b*"'
    )
  })

  it("translates the syntax of ripgrep that ECMAScript does not have", () => {
    for (const [written, source] of [
      ["/(?i)x/", "/(?i:x)/"],
      ["/\\p{Han}/", "/[\\p{Script=Han}]/"],
      ["/[[:alpha:]]+/", "/[A-Za-z]+/"],
      ["content:/(?i)x/", "content:/(?i:x)/"],
      ["/\\p{Lu}\\w/", "/\\p{Lu}\\w/"]
    ] as const) {
      // pairs
      assert.strictEqual(canonical(written), source)
    }
    assert.lengthOf(problems("/a(b/"), 1)
  })

  it("accepts a query of qualifiers, but not of NOT alone", () => {
    assert.strictEqual(canonical("path:src extension:.ts"), "path:src extension:ts")
    for (const text of ["NOT a", "-path:x", "a OR NOT b", "NOT (a b)"]) assert.lengthOf(problems(text), 1)
  })

  it("reports the mistake, its position and the remedy", () => {
    assert.deepStrictEqual(problems(""), [[0, 0, "Add a word to search for."]])
    assert.deepStrictEqual(problems('a "b'), [[2, 2, "Close the quotation mark, or remove it."]])
    assert.deepStrictEqual(where('a ""'), [[2, 2]])
    assert.deepStrictEqual(problems("a OR"), [[2, 2, "Put a term on both sides of OR."]])
    assert.deepStrictEqual(where("(AND a)"), [[1, 3]])
    assert.deepStrictEqual(where("a OR case:yes"), [[2, 2]])
    assert.deepStrictEqual(where("a NOT"), [[2, 3]])
    assert.deepStrictEqual(where("a (b"), [[2, 1]])
    assert.deepStrictEqual(where("f(a, b)"), [[6, 1]])
    assert.deepStrictEqual(where("a ()"), [[2, 1]])
    assert.deepStrictEqual(problems("/a{2,1}/"), [
      [0, 8, "Invalid regular expression: numbers out of order in {} quantifier."]
    ])
    // Backtracking would take 2^300 steps, even on an empty text.
    assert.lengthOf(problems(`/${"(|)".repeat(300)}x/`), 0)
    assert.deepStrictEqual(where("x /fo+/i"), [[2, 6]])
    assert.deepStrictEqual(where("x /fo+"), [[2, 4]])
    assert.deepStrictEqual(where("a symbol: case:maybe in:title -in:file path:{a repo:{b"), [
      [2, 7],
      [10, 10],
      [21, 8],
      [30, 8],
      [39, 7],
      [47, 7]
    ])
  })

  it("limits length, depth and number of terms", () => {
    const nested = (depth: number) => `${"(".repeat(depth)}a${")".repeat(depth)}`
    assert.lengthOf(problems(nested(Grammar.MAX_DEPTH)), 0)
    assert.lengthOf(problems(nested(Grammar.MAX_DEPTH + 1)), 1)
    assert.lengthOf(problems("a ".repeat(Grammar.MAX_PARTS)), 0)
    assert.lengthOf(problems("a ".repeat(Grammar.MAX_PARTS + 1)), 1)
    assert.lengthOf(problems("x".repeat(CodeQueryParser.MAX_TEXT + 1)), 1)
    assert.lengthOf(problems(")".repeat(CodeQueryParser.MAX_TEXT)), CodeQueryParser.MAX_DIAGNOSTICS)
  })

  it("reads the longest possible queries", () => {
    for (const piece of [
      "(",
      ")",
      "-",
      '"',
      "/",
      "/[ ",
      "\\",
      " /\\",
      "f(",
      "a OR ",
      "NOT ",
      "-(",
      "path:{",
      "😀",
      "file:",
      "file:a.",
      "repo:has.x((",
      "repo:^a.*",
      "repo:a.*b",
      "type:symbol a ",
      "file:\\-",
      "rev:a@"
    ]) {
      const text = piece.repeat(Math.floor(CodeQueryParser.MAX_TEXT / piece.length))
      void SearchQuery.parse(text)
      for (const { length, start } of failures(text)) {
        assert.isTrue(start >= 0 && length >= 0 && start + length <= text.length)
      }
    }
  })
})

const Word = Schema.Union([
  Schema.Literals([
    ..."a|-b|std::vector|AND|OR|NOT|(|)|-(|f(|f(x)|x)|/a b/|-/c/|/[/]\\//|/x|//|\\|-|->|case:yes|word:no|in:path".split(
      "|"
    ),
    '"a b"',
    '"\\"\\\\"',
    '"',
    '-"c"',
    'symbol:"a b"',
    "symbol:f(x",
    "path:*.ts",
    "path:/a*",
    "path:**/a",
    "path:{a,b}(",
    "size:>9",
    ...'path:/[^/]+\\.ts$/|-file:te.*st|f:a?(b)|file:/a\\sb/|file:"a.b"|file:/x/|file:a*|content:/a b/|c:x|content:f(|content:"/x+/"'.split(
      "|"
    ),
    ..."repo:linux|repo:octo/*|r:lin*|-repo:^github\\.com/octo/hello$|repo:/a.?b/|repo:octo/hello@v1:main|repo:{a,b}/c|repo:hello$|repo:.*".split(
      "|"
    ),
    ..."rev:v1.*|b:main|type:commit|type:diff|t:file|type:path|count:all|count:10|case:auto|archived:yes|context:global|OR".split(
      "|"
    ),
    ...'author:me|-author:"a b"|committer:x*|m:fix|since:1.day|before:"2 weeks ago"|sym:a.b|lang:go|is:fork|regex:x.y|type: x|A'.split(
      "|"
    )
  ]),
  Schema.TemplateLiteral([
    Schema.Literals(["", "-", "NOT ", "OR ", "("]),
    Schema.Literals(["repo", "user", "path", "filename", "extension", "language"]),
    ":",
    Schema.Literals(["a/b", "x", '"x y"', '"a*"', "(x)"])
  ]),
  Schema.String
])

const Commit = Schema.Literals([
  ...'a|OR|NOT|/b/|author:me|author:you|author:/a b>$/|message:/x|-author:"a b"|committer:x*|m:fix|msg:"a"|since:1.day|after:2024-01-31'.split(
    "|"
  ),
  ...'before:"2 weeks ago"|rev:v1|rev:"a(b"|file:x|-file:y.z|path:p|path:q|content:c|repo:octo/*|(a author:b)'.split(
    "|"
  )
])

describe("print", () => {
  it.prop("gives back the same query", [Schema.Array(Word)], ([words]) => {
    const text = words.join(" ")
    const parsed = CodeQueryParser.parse(text)
    if (Result.isSuccess(parsed)) {
      const printed = CodeQueryParser.print(parsed.success)
      assert.deepStrictEqual(bare(parse(printed)), bare(parsed.success))
      assert.strictEqual(canonical(printed), printed)
    } else {
      for (const { length, message, start } of parsed.failure) {
        assert.isTrue(start >= 0 && length >= 0 && start + length <= text.length && message.endsWith("."))
      }
    }
  })

  it.prop("gives back the same query of one kind", [Schema.Array(Commit)], ([words]) => {
    const parsed = CodeQueryParser.parse(`${words.join(" ")} type:diff`)
    if (Result.isFailure(parsed)) return
    const printed = CodeQueryParser.print(parsed.success)
    assert.deepStrictEqual(bare(parse(printed)), bare(parsed.success))
    assert.strictEqual(canonical(printed), printed)
  })

  const Contract = Schema.Array(
    Schema.Literals(["a", "b", "OR", "NOT", '"c d"', "path:p", "path:q", "-path:r", "user:u", "size:1", "in:path,file"])
  )

  it.prop("gives queries of the contract's language the same meaning", [Contract], ([words]) => {
    const text = [...words, "in:path,file"].join(" ")
    const contract = SearchQuery.parse(text)
    if (Result.isSuccess(contract))
      assert.deepStrictEqual(bare(parse(text)), bare(SearchQuery.toCodeQuery(contract.success)))
  })
})

describe("CodeQuery.matchPattern", () => {
  const found = (text: string, line: string) => line.match(CodeQuery.matchPattern(parse(text)) ?? /^$/g)

  it("matches the terms, longest first, but not negated ones", () => {
    assert.deepStrictEqual(found("par parse NOT query", "a Parse(query)"), ["Parse"])
    assert.deepStrictEqual(found("par case:yes", "Parse par"), ["par"])
    assert.deepStrictEqual(found("par OR /q\\w/ word:yes", "parse q1 xpar par. q1x"), ["q1", "par"])
    assert.deepStrictEqual(found("symbol:a+b", "a+b"), ["a+b"])
    assert.isUndefined(CodeQuery.matchPattern(parse("path:src")))
  })
})
