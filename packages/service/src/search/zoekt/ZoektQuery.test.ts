import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as ZoektQuery from "./ZoektQuery.ts"

const repositories = [
  { fullName: "octo/hello", name: "git.example/octo/hello" },
  { fullName: "hubot/world", name: "world" }
]

/** Omits the repositories and the case, which are the same for most queries. */
const asked = (text: string) => {
  const query = ZoektQuery.make(Result.getOrThrow(CodeQueryParser.parse(text)), repositories)
  const [, rest] = /^repo:"\^\(\?:git\\\\\.example\/octo\/hello\|world\)\$" ?(.*?) ?case:no$/.exec(query ?? "") ?? []
  return rest ?? query
}

describe("make", () => {
  it("restricts the repositories and sets the case", () => {
    const query = (text: string) =>
      ZoektQuery.make(Result.getOrThrow(CodeQueryParser.parse(text)), repositories.slice(1))
    assert.strictEqual(query("Abc"), 'repo:"^(?:world)$" "Abc" case:no')
    assert.strictEqual(query("Abc case:yes"), 'repo:"^(?:world)$" "Abc" case:yes')
    assert.isUndefined(ZoektQuery.make(Result.getOrThrow(CodeQueryParser.parse("a")), []))
  })

  it("restricts the field and escapes text", () => {
    assert.strictEqual(asked("a.b in:file"), 'content:"a\\\\.b"')
    assert.strictEqual(asked("a in:path"), 'file:"a"')
    assert.strictEqual(asked(String.raw`"say \"hi\" \\ (x)"`), String.raw`"say \"hi\" \\\\ \\(x\\)"`)
    assert.strictEqual(asked("Ärger"), '"[Ää]rger"')
    assert.strictEqual(asked("symbol:make"), 'content:"make"')
  })

  it("groups with parentheses", () => {
    assert.strictEqual(asked("a (b OR c d)"), '"a" ( "b" or "c" "d" )')
    assert.strictEqual(asked("a -b NOT (c OR d)"), '"a" -( "b" )')
  })

  it("uses the required text of a regular expression", () => {
    assert.strictEqual(asked("/foo(bar|baz)+qux/"), '"foo" ( "bar" or "baz" ) "qux"')
    assert.strictEqual(asked("/\\d/"), "")
  })

  it("filters by path and repository", () => {
    assert.strictEqual(asked("a path:/src/x"), String.raw`"a" file:"(?i)^src/x(?:/|$)"`)
    assert.strictEqual(asked("a path:src/x"), String.raw`"a" file:"(?i)src/x"`)
    assert.strictEqual(asked("a path:/"), String.raw`"a" file:"(?i)^[^/]*$"`)
    assert.strictEqual(asked("a filename:x"), String.raw`"a" file:"(?i)x[^/]*$"`)
    assert.strictEqual(asked("a -extension:d.ts"), String.raw`"a" -( file:"(?i)\\.d\\.ts$" )`)
    assert.strictEqual(
      asked("a language:ruby"),
      String.raw`"a" file:"(?i)(?:\\.rb|\\.rake|\\.gemspec|(?:^|/)gemfile|(?:^|/)rakefile)$"`
    )
    assert.strictEqual(asked("a repo:octo/hello"), String.raw`"a" repo:"^(?:git\\.example/octo/hello)$"`)
    assert.isUndefined(asked("a repo:octo/none"))
    assert.strictEqual(asked("a -repo:octo/none"), '"a"')
    assert.strictEqual(asked("(a repo:octo/none) OR b"), '( "b" )')
  })

  it("widens conditions without an equivalent: sizes, whole words, unknown languages", () => {
    assert.strictEqual(asked("a size:>9 language:elvish word:yes -b -size:1 -language:go"), '"a"')
    assert.strictEqual(asked("a OR size:>9"), "")
  })
})
