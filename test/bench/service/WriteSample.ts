/** Messages between the benchmark of writes and the load. */
import * as Schema from "effect/Schema"

export const operations = [
  "create a ref",
  "update a ref",
  "delete a ref",
  "create a commit",
  "a read beside writes"
] as const

export const issueOperations = ["create an issue", "comment on an issue", "30 issues after a comment"] as const

export const WriteLoad = Schema.Struct({
  url: Schema.String,
  owner: Schema.String,
  sha: Schema.String,
  tokens: Schema.Array(Schema.String),
  operation: Schema.Literals([...operations, ...issueOperations]),
  /** Number of writes. */
  times: Schema.Int,
  /** Duration of the reads. */
  milliseconds: Schema.Finite
})

/** Quantiles in milliseconds. */
export const WriteSample = Schema.Struct({ p50: Schema.Finite, p90: Schema.Finite, p99: Schema.Finite })
