/** Decodes database rows. A failed statement or an invalid row is a defect, because no caller can repair the database. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"

/** Creates a function that runs a query and decodes its first row, if any. */
export const decodeFirstRow = <A, I>(row: Schema.Codec<A, I>) => {
  const rows = decodeRows(row)
  return (query: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<Option.Option<A>> =>
    Effect.map(rows(query), ([first]) => Option.fromUndefinedOr(first))
}

/** Creates a function that runs a query and decodes all its rows. */
export const decodeRows = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(row))
  return (query: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<ReadonlyArray<A>> =>
    query.pipe(Effect.flatMap(decode), Effect.orDie)
}

const count = decodeFirstRow(Schema.Struct({ count: Schema.Int }))

/** Runs a query with a single row, and returns its column `count`. */
export const decodeCount = (query: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<number> =>
  Effect.map(count(query), (row) => Option.getOrThrow(row).count)
