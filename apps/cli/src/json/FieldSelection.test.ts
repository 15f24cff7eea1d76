import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as FieldSelection from "./FieldSelection.ts"

const commit = { sha: "1a", commit: { author: { name: "Ada", date: "2026" }, message: "Add" }, files: [{ path: "a" }] }

const selected = (fields: string, value: unknown) =>
  Effect.map(FieldSelection.parse(fields), (selection) => JSON.stringify(FieldSelection.select(value, selection)))

const schemas = Presentation.schemasOf(
  Schema.Array(Schema.Struct({ sha: Schema.String, author: Schema.NullOr(Schema.Struct({ name: Schema.String })) })).ast
)

const problem = (fields: string, schemas: Presentation.Schemas, values?: ReadonlyArray<unknown>) =>
  FieldSelection.parse(fields).pipe(
    Effect.flatMap((selection) => FieldSelection.check(selection, schemas, values)),
    Effect.as("none"),
    Effect.catch(({ message }) => Effect.succeed(message))
  )

describe("fields", () => {
  for (const [fields, value, expected] of [
    ["sha", commit, '{"sha":"1a"}'],
    ["commit.author.name,sha", commit, '{"commit":{"author":{"name":"Ada"}},"sha":"1a"}'],
    ["commit.message,commit.author.name", commit, '{"commit":{"message":"Add","author":{"name":"Ada"}}}'],
    ["commit.author.name,commit.author", commit, '{"commit":{"author":{"name":"Ada","date":"2026"}}}'],
    ["commit.author,commit.author.name", commit, '{"commit":{"author":{"name":"Ada","date":"2026"}}}'],
    ["files.path", commit, '{"files":[{"path":"a"}]}'],
    [" sha , files.path ", [commit, commit], `[${'{"sha":"1a","files":[{"path":"a"}]},'.repeat(2).slice(0, -1)}]`],
    ["a,b", [{ a: 1 }, { b: 2 }], '[{"a":1,"b":null},{"a":null,"b":2}]'],
    ["a.b", { a: null }, '{"a":null}'],
    ["a", [], "[]"]
  ] as const) {
    it.effect(`${fields} of ${JSON.stringify(value).slice(0, 40)}`, () =>
      Effect.map(selected(fields, value), (text) => assert.strictEqual(text, expected))
    )
  }

  for (const fields of ["", "a,,b", "a.", ".a", "a..b", ","]) {
    it.effect(`${JSON.stringify(fields)} are invalid`, () =>
      Effect.map(problem(fields, []), (message) => assert.match(message, /^Invalid --fields/))
    )
  }
})

describe("an unknown field", () => {
  it.effect("is found in the schema before there is a value", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* problem("sha,name", schemas),
        'Unknown field "name".\nAvailable fields:\n  author\n  sha'
      )
      assert.match(
        yield* problem("author.login", schemas),
        /^Unknown field "author.login".\nAvailable fields:\n {2}name$/
      )
      assert.strictEqual(yield* problem("sha,author.name", schemas), "none")
    })
  )

  it.effect("is found in the values without a schema", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* problem("c", []), "none")
      assert.strictEqual(yield* problem("c", [], [[]]), "none")
      assert.strictEqual(yield* problem("a.c", [], [[{ a: null }]]), "none")
      assert.strictEqual(
        yield* problem("c", [], [[{ b: 1 }, { a: 2 }]]),
        'Unknown field "c".\nAvailable fields:\n  a\n  b'
      )
      assert.strictEqual(yield* problem("a.b", [], [{ a: 1 }]), 'Unknown field "a.b".\nThis value has no fields.')
    })
  )
})
