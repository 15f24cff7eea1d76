/** Code search queries as JSON. */
import * as Schema from "effect/Schema"
import type * as Query from "@tongs/core/query/CodeQuery"

const span = Schema.Struct({ start: Schema.Finite, length: Schema.Finite })
const place = Schema.optionalKey(Schema.Literals(["content", "path"]))

const Filter = Schema.Union([
  Schema.Struct({
    name: Schema.Literals(["user", "org", "filename", "extension", "language"]),
    value: Schema.String
  }),
  Schema.Struct({
    name: Schema.Literal("repo"),
    value: Schema.String,
    match: Schema.optionalKey(Schema.Literals(["pattern", "regex"]))
  }),
  Schema.Struct({ name: Schema.Literals(["author", "committer", "message", "after", "before"]), value: Schema.String }),
  Schema.Struct({ name: Schema.Literal("path"), value: Schema.String, glob: Schema.Boolean }),
  Schema.Struct({
    name: Schema.Literal("size"),
    min: Schema.optionalKey(Schema.Finite),
    max: Schema.optionalKey(Schema.Finite)
  })
])

const Parts = Schema.Array(Schema.suspend((): Schema.Codec<Query.Expression> => Expression))

const Expression: Schema.Codec<Query.Expression> = Schema.Union([
  Schema.TaggedStruct("And", { all: Parts, span }),
  Schema.TaggedStruct("Or", { any: Parts, span }),
  Schema.TaggedStruct("Not", { not: Schema.suspend((): Schema.Codec<Query.Expression> => Expression), span }),
  Schema.TaggedStruct("Text", { text: Schema.String, place, span }),
  Schema.TaggedStruct("Regex", { source: Schema.String, place, span }),
  Schema.TaggedStruct("Symbol", { name: Schema.String, exact: Schema.Boolean, span }),
  Schema.TaggedStruct("Filter", { filter: Filter, span })
])

/** A query without the number of wanted results, which only the process of the request counts. */
export const CodeQuery = Schema.Struct({
  expression: Expression,
  caseSensitive: Schema.Boolean,
  wholeWord: Schema.Boolean,
  inContent: Schema.Boolean,
  inPath: Schema.Boolean,
  kind: Schema.Literals(["file", "commit", "diff"]),
  symbolKinds: Schema.Array(Schema.String),
  revisions: Schema.Array(Schema.String)
})

/** Prepares a query for another process. */
export const toMessage = ({ count: _count, ...query }: Query.CodeQuery): typeof CodeQuery.Type => query

/** Returns the query of another process. */
export const fromMessage = (message: typeof CodeQuery.Type): Query.CodeQuery => ({ ...message, count: undefined })
