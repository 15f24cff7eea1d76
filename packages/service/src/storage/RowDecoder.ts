/** Decodes database rows. A failed statement or an invalid row is a defect, because no caller can repair the database. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import * as RowReader from "./RowReader.ts"

/** Creates a function that runs a query and decodes the first row, if any. */
export const decodeFirstRow = <A, I>(row: Schema.Codec<A, I>) => {
  const rows = decodeRows(row)
  return (query: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<A | undefined> =>
    Effect.map(rows(query), ([first]) => first)
}

/** Returns the result of a query that always has a result. A missing result is a defect. */
export const requireRow = <A, E, R>(row: Effect.Effect<A | undefined, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(row, (row) =>
    row === undefined ? Effect.die(new Error("A query has no result")) : Effect.succeed(row)
  )

/** Creates a function that decodes a row. Throws for an invalid row. */
const decoder = <A, I>(row: Schema.Codec<A, I>): ((raw: unknown) => A) => {
  const decode = Schema.decodeUnknownSync(row)
  const read = RowReader.make(row.ast)
  if (read === undefined) return decode
  return (raw) => {
    const value = read(raw)
    return value === RowReader.invalid ? decode(raw) : (value as A) // oxlint-disable-line typescript/no-unsafe-type-assertion -- the reader follows the schema
  }
}

/** Creates a function that runs a query and decodes all rows. */
export const decodeRows = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = decoder(row)
  return (query: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<ReadonlyArray<A>> =>
    Effect.map(Effect.orDie(query), (raws) => raws.map(decode))
}

/**
 * Creates a function that runs a query and decodes the rows. A row with the same `id` that has not changed since the
 * previous call is the same object, so that values derived from the row can be cached by identity.
 */
export const decodeSharedRows = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = decoder(row)
  type Shared = ReadonlyMap<unknown, { readonly text: string; readonly value: A }>
  let previous: Shared = new Map()
  const share = (raws: ReadonlyArray<unknown>): ReadonlyArray<A> => {
    const rows = raws.map((raw) => {
      const id = typeof raw === "object" && raw !== null && "id" in raw ? raw.id : undefined
      const text = JSON.stringify(raw)
      const before = previous.get(id)
      return { id, row: before?.text === text ? before : { text, value: decode(raw) } }
    })
    previous = new Map(rows.map(({ id, row }) => [id, row]))
    return rows.map(({ row }) => row.value)
  }
  return (query: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<ReadonlyArray<A>> =>
    Effect.map(Effect.orDie(query), share)
}

const count = decodeFirstRow(Schema.Struct({ count: Schema.Int }))

/** Runs a query with a single row, and returns the column `count`. */
export const decodeCount = (query: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<number> =>
  Effect.map(requireRow(count(query)), (row) => row.count)
