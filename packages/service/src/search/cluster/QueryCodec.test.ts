import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as QueryCodec from "./QueryCodec.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(QueryCodec.CodeQuery))

const queries = [
  'word "two words" /a.*b/ symbol:Name',
  "(a OR b) -c repo:x/y repo:x/* repo:/z/ user:u org:o path:a/b path:*.ts path:/a$/ filename:f extension:e",
  "language:go size:>10 case:yes word:yes rev:main rev:v1.* kind:class a",
  "content:a in:path b count:all",
  "type:commit author:x committer:y message:m after:2024-01-01 before:yesterday word",
  "type:diff lang:go word"
]

it("gives the same query in another process", () => {
  for (const q of queries) {
    const parsed = Result.getOrThrow(CodeQueryParser.parse(q))
    const read = QueryCodec.fromMessage(decode(JSON.stringify(QueryCodec.toMessage(parsed))))
    assert.deepStrictEqual(read, { ...parsed, count: undefined }, q)
  }
})

it("ignores unknown fields", () => {
  const parsed = Result.getOrThrow(CodeQueryParser.parse("word"))
  const message = { ...QueryCodec.toMessage(parsed), isNewer: true }
  assert.deepStrictEqual(QueryCodec.fromMessage(decode(JSON.stringify(message))), { ...parsed, count: undefined })
})
