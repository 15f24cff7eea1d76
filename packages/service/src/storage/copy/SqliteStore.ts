/** A SQLite database as the source or the target of a copy. */
import { existsSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import { type Changes, CopyFailed, type CopyStore, type Row, type Table, VERSION } from "./CopyStore.ts"

export interface SqliteStore extends CopyStore {
  /** The tables, each after the tables that it refers to. */
  readonly tables: ReadonlyArray<Table>
  /** Returns whether another program has written since the start. */
  readonly hasChanged: () => boolean
}

/** Opens a file, which a source keeps as it is at this moment. */
export const open = (filename: string, role: "source" | "target") =>
  Effect.acquireRelease(
    attempt(filename, () => {
      if (role === "source" && !existsSync(filename)) throw new Error("no such file")
      const database = new DatabaseSync(filename, { timeout: 10_000 })
      const watch = new DatabaseSync(filename, { timeout: 10_000 })
      database.exec("PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON; PRAGMA synchronous=FULL")
      const version = () => watch.prepare("PRAGMA data_version").get()?.["data_version"]
      const first = version()
      if (role === "source") database.exec("BEGIN; SELECT count(*) FROM sqlite_schema")
      const close = () => {
        database.close()
        watch.close()
      }
      return { store: make(filename, database, () => version() !== first), close }
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ store }) => store))

const attempt = <A>(filename: string, f: () => A): Effect.Effect<A, CopyFailed> =>
  Effect.try({
    try: f,
    catch: (error) =>
      new CopyFailed({
        detail: `${filename}: ${error instanceof Error ? error.message : String(error)}`,
        hint: "Correct the cause and run the command again"
      })
  })

const quoted = (name: string) => `"${name}"`

const make = (filename: string, database: DatabaseSync, hasChanged: () => boolean): SqliteStore => {
  const rows = (sql: string, ...values: ReadonlyArray<Row[string]>) =>
    database.prepare(sql).all(...values) as unknown as ReadonlyArray<Row> // oxlint-disable-line typescript/no-unsafe-type-assertion -- the values that SQLite gives

  const inTransaction = (f: () => void) => {
    database.exec("BEGIN IMMEDIATE")
    try {
      f()
      database.exec("COMMIT")
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK")
      throw error
    }
  }

  const isKey = ({ key }: Table) => key.map((column) => `${quoted(column)} = ?`).join(" AND ")

  const write = (table: Table, { deleted, inserted, updated }: Changes) => {
    const { columns, key, name } = table
    const remove = database.prepare(`DELETE FROM ${quoted(name)} WHERE ${isKey(table)}`)
    for (const row of deleted) remove.run(...valuesOf(row, key))
    const set = columns.map((column) => `${quoted(column)} = ?`).join(", ")
    const update = database.prepare(`UPDATE ${quoted(name)} SET ${set} WHERE ${isKey(table)}`)
    for (const row of updated) update.run(...valuesOf(row, columns), ...valuesOf(row, key))
    const names = columns.map(quoted).join(", ")
    const insert = database.prepare(
      `INSERT INTO ${quoted(name)} (${names}) VALUES (${columns.map(() => "?").join(", ")})`
    )
    for (const row of inserted) insert.run(...valuesOf(row, columns))
  }

  return {
    // `StoreCopy` checks the data folder.
    begin: Effect.void,
    end: Effect.void,
    name: filename,
    refusesNull: false,
    tables: tablesOf(rows),
    hasChanged,
    version: attempt(filename, () => Number(rows(VERSION)[0]?.["version"])),
    count: ({ name }) => attempt(filename, () => Number(rows(`SELECT count(*) AS n FROM ${quoted(name)}`)[0]?.["n"])),
    page: ({ key, name }, after, limit) =>
      attempt(filename, () => {
        const keys = key.map(quoted).join(", ")
        const where = after === undefined ? "" : `WHERE (${keys}) > (${key.map(() => "?").join(", ")})`
        const last = after === undefined ? [] : valuesOf(after, key)
        return rows(`SELECT * FROM ${quoted(name)} ${where} ORDER BY ${keys} LIMIT ${limit}`, ...last)
      }),
    write: (table, changes) => attempt(filename, () => inTransaction(() => write(table, changes))),
    sequence: ({ name }) =>
      attempt(filename, () => Number(rows("SELECT seq FROM sqlite_sequence WHERE name = ?", name)[0]?.["seq"] ?? 0)),
    setSequence: ({ name }, last) =>
      attempt(filename, () =>
        inTransaction(() => {
          database.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(name)
          database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(name, last)
        })
      )
  }
}

const valuesOf = (row: Row, columns: ReadonlyArray<string>) => columns.map((column) => row[column] ?? null)

/** The table that counts changes of other tables, and is copied after them. */
const COUNTER = "key_registry"

const tablesOf = (rows: (sql: string) => ReadonlyArray<Row>): ReadonlyArray<Table> => {
  const found = rows(`
    SELECT s.name AS name, s.sql AS sql FROM sqlite_schema s JOIN pragma_table_list t ON t.name = s.name
    WHERE t.schema = 'main' AND t.type = 'table' AND s.name NOT LIKE 'sqlite_%' AND s.name <> 'effect_sql_migrations'
    ORDER BY s.name`)
  const tables = found.map((row) => {
    const name = String(row["name"])
    const sql = String(row["sql"])
    const columns = rows(`SELECT name, pk FROM pragma_table_info('${name}') ORDER BY cid`)
    const all = columns.map((column) => String(column["name"]))
    const key = columns
      .filter(({ pk }) => pk !== 0)
      .toSorted((a, b) => Number(a["pk"]) - Number(b["pk"]))
      .map((column) => String(column["name"]))
    const table: Table = {
      name,
      columns: all,
      key: key.length === 0 ? all : key,
      names: new Set(all.filter((column) => new RegExp(`\\b${column} TEXT[^,]*COLLATE NOCASE`).test(sql))),
      isCounted: sql.includes("AUTOINCREMENT")
    }
    const parents = rows(`SELECT DISTINCT "table" AS name FROM pragma_foreign_key_list('${name}')`)
    return { table, parents: parents.map((parent) => String(parent["name"])).filter((parent) => parent !== name) }
  })
  const ordered: Array<Table> = []
  const names = new Set<string>()
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ parents, table }) => !names.has(table.name) && parents.every((parent) => names.has(parent))
    )
    if (next.length === 0) throw new Error("the tables refer to each other in a circle")
    for (const { table } of next) {
      names.add(table.name)
      ordered.push(table)
    }
  }
  return [...ordered.filter(({ name }) => name !== COUNTER), ...ordered.filter(({ name }) => name === COUNTER)]
}
