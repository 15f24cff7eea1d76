import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { PullRequestRow } from "../issues/PullRequestRows.ts"
import { ReviewCommentRow } from "../reviews/ReviewCommentRows.ts"
import * as RowReader from "./RowReader.ts"

const Row = Schema.Struct({
  id: Schema.Int,
  size: Schema.Number,
  title: Schema.NullOr(Schema.String),
  state: Schema.Literals(["open", "closed"]),
  note: Schema.optionalKey(Schema.String),
  owner: Schema.NullOr(Schema.fromJsonString(Schema.Struct({ login: Schema.String }))),
  names: Schema.fromJsonString(Schema.Array(Schema.String)),
  counts: Schema.fromJsonString(Schema.Record(Schema.String, Schema.Int))
})

const row = {
  id: 1,
  size: 0.5,
  title: null,
  state: "open",
  owner: '{"login":"ann","id":1}',
  names: '["a"]',
  counts: "{}"
}

const rows: ReadonlyArray<unknown> = [
  row,
  { ...row, note: "given", unknown: 1 },
  { ...row, counts: '{"+1":2}', owner: null, title: "Title" },
  ...[null, "row", [row], {}].map((value): unknown => value),
  ...[1.5, "1", null, undefined, 2 ** 53].map((id) => ({ ...row, id })),
  { ...row, title: undefined },
  { ...row, note: undefined },
  { ...row, state: "merged" },
  ...["", "null", "{}", '{"login":1}', 1].map((owner) => ({ ...row, owner })),
  ...["[1]", "{}", "[", "null"].map((names) => ({ ...row, names })),
  ...['{"a":"b"}', "[]", '{"__proto__":1}'].map((counts) => ({ ...row, counts }))
]

describe("RowReader", () => {
  it("decodes as the schema does", () => {
    const read = RowReader.make(Row.ast)
    const decode = Schema.decodeUnknownResult(Row)
    for (const one of rows) {
      const expected = decode(one)
      const found = read?.(one)
      const text = JSON.stringify(one)
      if (Result.isFailure(expected)) assert.strictEqual(found, RowReader.invalid, text)
      else if (found !== RowReader.invalid) assert.deepStrictEqual(found, expected.success, text)
      else assert.include(text, "__proto__")
    }
  })

  it("reads the rows of long lists", () => {
    for (const { ast } of [PullRequestRow, ReviewCommentRow]) assert.isDefined(RowReader.make(ast))
  })

  it("leaves other schemas alone", () => {
    for (const schema of [
      Schema.NumberFromString,
      Schema.String.check(Schema.isMinLength(1)),
      Schema.Tuple([Schema.Int])
    ])
      assert.isUndefined(RowReader.make(schema.ast))
  })

  it("gives equal texts the same object", () => {
    const read = RowReader.make(Schema.fromJsonString(Schema.Struct({ id: Schema.Int })).ast)
    assert.strictEqual(read?.('{"id":1}'), read?.('{"id":1}'))
    assert.notStrictEqual(read?.('{"id":1}'), read?.('{"id":2}'))
  })
})
