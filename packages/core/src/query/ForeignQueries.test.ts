import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as CodeQueryParser from "./CodeQueryParser.ts"
import type { Diagnostic } from "./Diagnostic.ts"
import * as SearchQuery from "./SearchQuery.ts"

/** Applies the replacements of diagnostics to a query. */
const correct = (text: string, problems: ReadonlyArray<Diagnostic>): string =>
  problems
    .toReversed()
    .reduce(
      (before, { length, replacement = "", start }) =>
        before.slice(0, start) + replacement + before.slice(start + length),
      text
    )
    .replace(/\s+/g, " ")
    .trim()

const code = (text: string) => Result.map(CodeQueryParser.parse(text), CodeQueryParser.print)
const basic = (text: string) => Result.map(SearchQuery.parse(text), SearchQuery.print)

/** Returns the printed query, or the correction that the diagnostics contain, which must be valid. */
const read = (parse: typeof code, text: string) => {
  const parsed = parse(text)
  if (Result.isSuccess(parsed)) return `= ${parsed.success}`
  for (const { message, replacement } of parsed.failure) {
    assert.isDefined(replacement, `${text}: ${message}`)
    assert.include(message, replacement, text)
  }
  const corrected = correct(text, parsed.failure)
  assert.isTrue(Result.isSuccess(parse(corrected)), `${text} -> ${corrected}`)
  return `! ${corrected}`
}

/** Queries from the documentation of other code searches, and the query that this search reads (`=`) or suggests (`!`). */
const queries: ReadonlyArray<readonly [query: string, expected: string]> = [
  // Sourcegraph
  ["repo:gorilla/mux testroute", "= testroute repo:gorilla/mux"],
  ["repo:^github\\.com/octo/hello$@v3.14.0 mux", "= mux repo:octo/hello rev:v3.14.0"],
  ["repo:octo/hello@v1.0:main mux", "= mux repo:octo/hello rev:v1.0 rev:main"],
  ["repo:octo/hello@*refs/heads/v1.* mux", "= mux repo:octo/hello rev:v1.*"],
  ["repo:octo/hello rev:v3.14.0 mux", "= mux repo:octo/hello rev:v3.14.0"],
  ["repo:^github\\.com/octo/ mux", "= mux repo:octo/*"],
  ["repo:^github.com/octo mux", "= mux repo:octo**"],
  ["repo:octo/ -repo:old-repo mux", "! user:octo -repo:old-repo mux"],
  ["r:^github\\.com/octo/(hello|world)$ mux", "= mux repo:/^octo\\/(hello|world)$/"],
  ["file:\\.js$ -file:test http", "= http file:\\.js$ -file:test"],
  ["file:internal/ httptest", "= httptest file:internal/"],
  ["f:^src/ -f:\\.test\\.ts$ parse", "= parse file:^src/ -file:\\.test\\.ts$"],
  ['repo:linux content:"repo:sourcegraph"', "= content:repo:sourcegraph repo:linux"],
  ["file:Dockerfile alpine -content:alpine:latest", "= alpine NOT content:alpine:latest file:Dockerfile"],
  ["lang:typescript -l:go encoding", "= encoding language:typescript -language:go"],
  ["OPEN_FILE case:yes", "= OPEN_FILE case:yes"],
  ["type:symbol path", "! symbol:path"],
  ["lang:go type:symbol New Client", "! lang:go symbol:New symbol:Client"],
  ["type:path config", "= config in:path"],
  ["type:repo linux", "! repo:linux"],
  ["fmt.Errorf select:repo", "! fmt.Errorf"],
  ["select:symbol.function New", "! kind:function New"],
  ["TODO select:commit.diff.added", "! TODO type:diff"],
  ['type:diff TODO author:alice since:"2 weeks ago"', '= TODO author:alice after:"2 weeks ago" type:diff'],
  ["type:commit msg:fix -author:bob until:2024-01-31", "= message:fix -author:bob before:2024-01-31 type:commit"],
  ["type:commit author:/a b>$/ fix", "= fix author:/a b>$/ type:commit"],
  ["fix author:alice", "! fix author:alice type:commit"],
  ["type:commit fix -after:2024-01-31", "! type:commit fix before:2024-01-31"],
  ["repo:has.path(\\.py) file:Dockerfile pip", "! file:\\.py file:Dockerfile pip"],
  ["repo:has.file(path:go\\.mod content:k8s) run", "! file:go\\.mod run"],
  ["repo:has.content(k8s.*api) run", "! content:/k8s.*api/ run"],
  ["repo:has.topic(code-search) rank", "! rank"],
  ["repo:has.commit.after(june 25 2017) rank", "! rank"],
  ["file:has.content(Copyright) Sourcegraph", "! content:Copyright Sourcegraph"],
  ["rev:at.time(1 year ago) mux", "! mux"],
  ["count:1000 function", "= function count:1000"],
  ["err count:all", "= err count:all"],
  ["timeout:15s func count:10000", "! func count:10000"],
  ["test. patternType:keyword", "= test."],
  ["foo.*bar patterntype:regexp", "! /foo.*bar/"],
  ["context:global fork:yes archived:yes octo", "= octo"],
  ["context:@octo hello", "! user:octo hello"],
  ["fork:only visibility:public octo", "! octo"],
  ["foo OR rev:v1", "! foo rev:v1"],
  ["-rev:v1 foo", "! rev:v1 foo"],
  ["/static int\\n/", "! /static int$/"],
  ["/(?i)foo\\b/", "= /(?i:foo\\b)/"],
  // GitHub
  ["path: git language:go", "! path:git language:go"],
  ["(language:ruby OR language:python) AND NOT path:tests", "= (language:ruby OR language:python) -path:tests"],
  ["path:/(^|\\/)README\\.md$/ tongs", "= tongs file:(^|\\/)README\\.md$"],
  ["path:/src/**/*.js x", "= x path:/src/**/*.js"],
  ["language:go symbol:WithContext", "= symbol:WithContext language:go"],
  ["language:rust symbol:/^String::to_.*/", "! language:rust symbol:String"],
  ["content:README.md", "= content:README.md"],
  ["content:/sparse.*index/ org:acme", "= content:/sparse.*index/ org:acme"],
  ["log4j NOT is:archived", "! log4j"],
  ["log4j -is:vendored", "! log4j -file:vendor/"],
  ["MIT license:mit", "! MIT"],
  ["user:octo OR org:acme main", "= main (user:octo OR org:acme)"],
  // zoekt
  ["sym:data lang:c", "= symbol:data language:c"],
  ["sym:^New$", '! symbol:"New"'],
  ["f:\\.c$ c:kmalloc case:auto", "= content:kmalloc file:\\.c$"],
  ["c:KMalloc t:file case:auto", "= content:KMalloc case:yes"],
  ["-repo:github\\.com/octo/hello$ main", "= main -repo:octo/hello"],
  ["branch:main content:TODO", "= content:TODO rev:main"],
  ["b:release-* TODO", "= TODO rev:release-*"],
  ["regex:foo.*bar", "! /foo.*bar/"],
  ["archived:no fork:no public:yes main", "! main"],
  ["t:filename README", "= README in:path"],
  ["file:*.ts main", "! path:*.ts main"]
]

const basicQueries: ReadonlyArray<readonly [query: string, expected: string]> = [
  ["lang:go -l:rust foo", "! language:go -language:rust foo"],
  ["sym:New", "! New"],
  ["file:\\.ts$ -file:test foo", "! extension:ts -filename:test foo"],
  ["f:^src/ foo", "! path:src foo"],
  ["path:/(^|\\/)README\\.md$/ foo", "! filename:README.md foo"],
  ["file:*.ts foo", "! extension:ts foo"],
  ["repo:linux foo", "! repo:owner/linux foo"],
  ["r:octo/hello foo", "! repo:octo/hello foo"],
  ["repo:octo/* foo", "! user:octo foo"],
  ["repo:^github\\.com/octo/hello$@v1 foo", "! repo:octo/hello foo"],
  ["-repo:^github\\.com/octo/ foo", "! -user:octo foo"],
  ["rev:v1 type:commit author:ann foo", "! foo"],
  ["b:main count:all case:yes foo", "! foo"],
  ['content:"a b" -content:c', '! "a b" NOT c'],
  ["content:/foo.*/ x", "! foo x"],
  ["type:path foo", "! in:path foo"],
  ["foo NOT is:archived", "! foo"],
  ["foo context:@octo timeout:10s", "! foo user:octo"],
  ["foo fork:yes select:repo patterntype:literal", "! foo"],
  ["foo file:has.content(x) repo:has.path(y z)", "! foo"],
  ["std::vector a:b foo:bar http://x file://y", "= std::vector a:b foo:bar http://x file://y"]
]

describe("queries in the habits of other code searches", () => {
  it.each(queries)("the code query language reads %s", (query, expected) => {
    assert.strictEqual(read(code, query), expected)
  })

  it.each(basicQueries)("the search query language reads %s", (query, expected) => {
    assert.strictEqual(read(basic, query), expected)
  })

  it.each([
    "std::vector",
    "http://x",
    "a:b",
    "foo:bar",
    "case 1:",
    "type: string",
    "f: x",
    "c:\\windows",
    "file://etc/hosts",
    "message: hello",
    "public: fork: x",
    '"lang:go"',
    "(type:)",
    "::f:",
    "or and not"
  ])("%s is text", (query) => {
    const parsed = Result.getOrThrow(CodeQueryParser.parse(query))
    const parts = parsed.expression._tag === "And" ? parsed.expression.all : [parsed.expression]
    for (const part of parts) assert.deepInclude(part, { _tag: "Text" })
    const words = parts.map((part) => (part._tag === "Text" ? part.text : ""))
    assert.strictEqual(words.join(" "), query.replace(/^[("]|[)"]$/g, ""))
    assert.isTrue(parts.every((part) => !("place" in part)))
  })

  it("rejects revisions that are not those of the whole query", () => {
    for (const query of [
      "(foo rev:v1) OR bar",
      "foo OR repo:a/b@v1",
      "foo -repo:a/b@v1",
      "foo repo:a/b@v1 repo:c/d",
      "foo rev:-x",
      "foo type:commit type:diff",
      "symbol:foo type:commit",
      "foo count:0",
      "foo type:issue"
    ]) {
      assert.isTrue(Result.isFailure(CodeQueryParser.parse(query)), query)
    }
  })

  it("chooses case-sensitivity by the capitals of the terms", () => {
    for (const query of ["Foo", "foo symbol:Bar", "/fo\\wX/", "content:Foo file:x"]) {
      assert.isTrue(Result.getOrThrow(CodeQueryParser.parse(`${query} case:auto`)).caseSensitive, query)
    }
    for (const query of ["foo", "foo NOT Bar", "/\\S+\\p{Lu}/", "foo file:README"]) {
      assert.isFalse(Result.getOrThrow(CodeQueryParser.parse(`${query} case:auto`)).caseSensitive, query)
    }
  })
})
