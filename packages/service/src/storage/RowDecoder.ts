/** Reading rows: a row that does not decode, or a statement that fails, is a broken store, and no caller can mend it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"

/** The first row of a query, if any. */
export const stored = <A, I>(row: Schema.Codec<A, I>) => {
  const rows = storedRows(row)
  return (query: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<Option.Option<A>> =>
    Effect.map(rows(query), ([first]) => Option.fromUndefinedOr(first))
}

/** Every row of a query. */
export const storedRows = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(row))
  return (query: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<ReadonlyArray<A>> =>
    query.pipe(Effect.flatMap(decode), Effect.orDie)
}

const count = stored(Schema.Struct({ count: Schema.Int }))

/** What a query of one `count` gives. */
export const counted = (query: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<number> =>
  Effect.map(count(query), (row) => Option.getOrThrow(row).count)
