/** Decodes rows. A failed statement or an invalid row is a defect, because no caller can recover from a broken store. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"

/** The first row of a query, if any. */
export const decodeFirstRow = <A, I>(row: Schema.Codec<A, I>) => {
  const rows = decodeRows(row)
  return (query: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<Option.Option<A>> =>
    Effect.map(rows(query), ([first]) => Option.fromUndefinedOr(first))
}

/** All rows of a query. */
export const decodeRows = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(row))
  return (query: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<ReadonlyArray<A>> =>
    query.pipe(Effect.flatMap(decode), Effect.orDie)
}

const count = decodeFirstRow(Schema.Struct({ count: Schema.Int }))

/** The value of the column `count` in the single row of a query. */
export const decodeCount = (query: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<number> =>
  Effect.map(count(query), (row) => Option.getOrThrow(row).count)
