/** A PostgreSQL database as the source or the target of a copy. */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { rootMessage } from "../../base/RootMessage.ts"
import * as Postgres from "../postgres/Postgres.ts"
import * as PostgresRevision from "../postgres/PostgresRevision.ts"
import { type Changes, CopyFailed, type CopyStore, type Row, type Table, VERSION } from "./CopyStore.ts"

/**
 * Opens a database. A source and a snapshot stay as they are at this moment. A forge may run only on the database of a
 * snapshot.
 */
export const open = Effect.fnUntraced(function* (
  name: string,
  options: Postgres.Options,
  role: "snapshot" | "source" | "target"
) {
  const config = Postgres.session(options)
  const session = yield* attempt(
    name,
    // A copy can wait for the other database, and reads large tables as a whole.
    PgConnection.make({
      ...config,
      startupParameters: {
        ...config.startupParameters,
        idle_in_transaction_session_timeout: "0",
        statement_timeout: "0"
      }
    })
  )
  const isFree = role === "snapshot" || (yield* attempt(name, PostgresRevision.tryLock(session)))
  if (!isFree) {
    return yield* new CopyFailed({
      detail: `A forge is running on ${name}`,
      hint: "Stop it first, so that the copy has all of its changes"
    })
  }
  if (role !== "target") yield* attempt(name, session.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
  return make(name, session)
})

const attempt = <A, R>(name: string, effect: Effect.Effect<A, SqlError, R>): Effect.Effect<A, CopyFailed, R> =>
  Effect.mapError(
    effect,
    (error) =>
      new CopyFailed({
        detail: `${name}: ${rootMessage(error)}`,
        hint: "Correct the cause and run the command again"
      })
  )

/** A table that exists until all rows are copied. */
const MARK = "copy_in_progress"

const quoted = (name: string) => `"${name}"`

const make = (name: string, session: PgConnection.PgConnection): CopyStore => {
  const rows = (sql: string, params: ReadonlyArray<unknown> = []) =>
    attempt(
      name,
      Effect.map(session.query(sql, params), ({ rows }) => rows as ReadonlyArray<Row>) // oxlint-disable-line typescript/no-unsafe-type-assertion -- the values of the types in the schema
    )

  const ordered = ({ names }: Table, column: string, value = quoted(column)) =>
    names.has(column) ? `lower(${value} COLLATE "C")` : value

  /** The rows of a parameter with JSON as a table `n`. */
  const given = (table: Table) => `json_populate_recordset(NULL::${quoted(table.name)}, CAST($1 AS json)) AS n`

  const isKey = (table: Table) =>
    table.key
      .map(
        (column) =>
          `${ordered(table, column, `t.${quoted(column)}`)} = ${ordered(table, column, `n.${quoted(column)}`)}`
      )
      .join(" AND ")

  const write = Effect.fnUntraced(function* (table: Table, { deleted, inserted, updated }: Changes) {
    const target = `${quoted(table.name)} AS t`
    if (deleted.length > 0) {
      yield* rows(`DELETE FROM ${target} USING ${given(table)} WHERE ${isKey(table)}`, [jsonOf(deleted)])
    }
    if (updated.length > 0) {
      const set = table.columns.map((column) => `${quoted(column)} = n.${quoted(column)}`).join(", ")
      yield* rows(`UPDATE ${target} SET ${set} FROM ${given(table)} WHERE ${isKey(table)}`, [jsonOf(updated)])
    }
    if (inserted.length > 0) {
      const names = table.columns.map(quoted).join(", ")
      yield* rows(`INSERT INTO ${quoted(table.name)} (${names}) SELECT ${names} FROM ${given(table)}`, [
        jsonOf(inserted)
      ])
    }
  })

  return {
    begin: Effect.gen(function* () {
      const [state] = yield* rows(`
        SELECT CAST(to_regclass('${MARK}') AS text) AS mark, (SELECT count(*) FROM users) AS users`)
      if (state?.["mark"] === null && state["users"] !== 0) {
        return yield* new CopyFailed({
          detail: `${name} already has the rows of a forge`,
          hint: "Name an empty database"
        })
      }
      yield* rows(`CREATE TABLE IF NOT EXISTS ${MARK} ()`)
    }),
    end: Effect.asVoid(rows(`DROP TABLE ${MARK}`)),
    name,
    refusesNull: true,
    version: Effect.map(rows(VERSION), ([row]) => Number(row?.["version"])),
    count: ({ name }) => Effect.map(rows(`SELECT count(*) AS n FROM ${quoted(name)}`), ([row]) => Number(row?.["n"])),
    page: (table, after, limit) => {
      const keys = table.key.map((column) => ordered(table, column)).join(", ")
      const values = table.key.map((column, index) => ordered(table, column, `$${index + 1}`)).join(", ")
      const where = after === undefined ? "" : `WHERE (${keys}) > (${values})`
      const last = after === undefined ? [] : table.key.map((column) => after[column])
      return rows(`SELECT * FROM ${quoted(table.name)} ${where} ORDER BY ${keys} LIMIT ${limit}`, last)
    },
    write: (table, changes) =>
      Effect.gen(function* () {
        yield* rows("BEGIN")
        yield* write(table, changes)
        yield* rows("COMMIT")
      }).pipe(Effect.tapError(() => Effect.ignore(rows("ROLLBACK")))),
    sequence: ({ name }) =>
      Effect.map(
        rows(`
          SELECT coalesce(pg_sequence_last_value(CAST(pg_get_serial_sequence('${name}', 'id') AS regclass)), 0) AS last`),
        ([row]) => Number(row?.["last"])
      ),
    setSequence: ({ name }, last) =>
      Effect.asVoid(rows(`SELECT setval(pg_get_serial_sequence('${name}', 'id'), ${Math.max(1, last)}, ${last > 0})`))
  }
}

/** Bytes in the form of PostgreSQL. */
const jsonOf = (rows: ReadonlyArray<Row>): string =>
  JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value
        ])
      )
    )
  )
