import { assert, it } from "@effect/vitest"
import { type CodeQuery, defaultOptions, type Expression, type Filter } from "@tongs/core/query/CodeQuery"
import * as LogArguments from "./LogArguments.ts"

const span = { start: 0, length: 0 }
const text = (text: string): Expression => ({ _tag: "Text", text, span })
const regex = (source: string): Expression => ({ _tag: "Regex", source, span })
const filter = (filter: Filter): Expression => ({ _tag: "Filter", filter, span })
const not = (not: Expression): Expression => ({ _tag: "Not", not, span })
const and = (...all: ReadonlyArray<Expression>): Expression => ({ _tag: "And", all, span })
const or = (...any: ReadonlyArray<Expression>): Expression => ({ _tag: "Or", any, span })

/** The arguments that a query without conditions does not have. */
const args = (kind: CodeQuery["kind"], expression: Expression, dates = {}) => {
  const make = (one: Expression) =>
    LogArguments.make({ query: { ...defaultOptions, kind, expression: one }, dates }).args
  const usual = make(not(text("x")))
  return make(expression).filter((one) => !usual.includes(one))
}

it("searches changed lines for a text that every match has", () => {
  assert.deepStrictEqual(args("diff", text("malloc")), ["-Gmalloc", "--numstat"])
  assert.deepStrictEqual(args("diff", or(text("calloc"), text("malloc"))), ["-Gcalloc|malloc", "--numstat"])
  assert.deepStrictEqual(args("diff", and(text("int"), text("malloc"))), ["-Gmalloc", "--numstat", "--pickaxe-all"])
  assert.deepStrictEqual(args("diff", and(text("malloc"), not(text("int")))), [
    "-Gmalloc",
    "--numstat",
    "--pickaxe-all"
  ])
  assert.deepStrictEqual(args("diff", regex("\\w+_alloc\\((int|long)")), ["-G_alloc\\(int|_alloc\\(long", "--numstat"])
  assert.deepStrictEqual(args("diff", text("é")), [])
  assert.deepStrictEqual(args("diff", or(text("malloc"), filter({ name: "author", value: "ann" }))), [])
})

it("admits the letters outside of ASCII that are equal to s and k", () => {
  assert.deepStrictEqual(args("diff", text("ask(")), ["-Ga(s|[^ -~]+)(k|[^ -~]+)\\(", "--numstat"])
})

it("filters messages, people and dates", () => {
  assert.deepStrictEqual(args("commit", and(text("fix"), text("bug"))), ["--grep=fix", "--grep=bug", "--all-match"])
  assert.deepStrictEqual(
    args("commit", and(filter({ name: "author", value: "ann" }), filter({ name: "author", value: "bob" }))),
    ["--author=ann"]
  )
  assert.deepStrictEqual(
    args("commit", or(filter({ name: "author", value: "ann" }), filter({ name: "author", value: "bob" }))),
    ["--author=ann", "--author=bob"]
  )
  assert.deepStrictEqual(args("commit", not(filter({ name: "author", value: "ann" }))), [])
  const expression = and(filter({ name: "after", value: "a" }), filter({ name: "before", value: "b" }))
  const query = { query: { ...defaultOptions, kind: "commit" as const, expression }, dates: { a: 1, b: 2 } }
  assert.deepStrictEqual(LogArguments.dateRange(query), { from: 1, to: 2 })
})

it("restricts paths", () => {
  const paths = (one: Filter) => args("diff", and(text("é"), filter(one)))
  assert.deepStrictEqual(paths({ name: "path", value: "/src/[a]", glob: false }), [
    ":(top,glob,icase)src/\\[a\\]",
    ":(top,glob,icase)src/\\[a\\]/**"
  ])
  assert.deepStrictEqual(paths({ name: "path", value: "src/a", glob: false }), [
    ":(top,glob,icase)**/*src/a*",
    ":(top,glob,icase)**/*src/a*/**"
  ])
  assert.deepStrictEqual(paths({ name: "path", value: "**/t?st/*.ts", glob: true }), [":(top,glob,icase)**/t*st/*.ts"])
  assert.deepStrictEqual(paths({ name: "path", value: "*.{js,ts}", glob: true }), [])
  assert.deepStrictEqual(paths({ name: "extension", value: "ts" }), [":(top,glob,icase)**/*.ts"])
})
