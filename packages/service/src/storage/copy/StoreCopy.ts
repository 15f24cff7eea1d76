/**
 * Copies the rows of a forge from SQLite to PostgreSQL or back, and compares all rows afterwards. A copy that was
 * stopped goes on: both databases are read in the order of their keys, and only what differs is written.
 */
import { existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { rootMessage } from "../../base/RootMessage.ts"
import * as DataFolder from "../DataFolder.ts"
import * as DatabaseMark from "../DatabaseMark.ts"
import type { StorageFailed } from "../StorageFailed.ts"
import * as Migrations from "../Migrations.ts"
import { baseline } from "../postgres/Baseline.ts"
import * as Postgres from "../postgres/Postgres.ts"
import * as WriteLock from "../postgres/WriteLock.ts"
import * as Sqlite from "../Sqlite.ts"
import { type Changes, CopyFailed, type CopyStore, type Row, type Table, type Value } from "./CopyStore.ts"
import * as PostgresStore from "./PostgresStore.ts"
import * as SqliteStore from "./SqliteStore.ts"

export interface Options {
  /** Path of the SQLite database, `forge.db` of a data folder. */
  readonly sqlite: string
  readonly postgres: Postgres.Options
  readonly direction: "toPostgres" | "toSqlite"
  readonly onProgress: (progress: Progress) => void
}

/** What a copy is doing: writing the rows that differ, or comparing all rows. */
export interface Progress {
  readonly step: "copying" | "comparing"
  readonly table: string
  /** Rows of all tables that were read in this step, and that the source has. */
  readonly done: number
  readonly total: number
}

export interface Result {
  readonly tables: number
  readonly rows: number
  /** True if the SQLite source has changed since the copy started. */
  readonly isOutdated: boolean
}

/** Aimed size of a page, in bytes, and the limits of its number of rows. */
const PAGE_BYTES = 4 * 1024 * 1024
const MIN_ROWS = 10
const MAX_ROWS = 2_000

/** Copies and compares. The data folder then uses the target. */
export const run = Effect.fn("StoreCopy.run")(function* ({ direction, onProgress, postgres, sqlite }: Options) {
  const file = resolve(sqlite)
  const name = DatabaseMark.nameOf(postgres.url)
  const isToPostgres = direction === "toPostgres"
  const data = dirname(file)
  yield* checkFolder(data, file, isToPostgres)
  yield* migrate(isToPostgres ? file : name, isToPostgres ? sqliteMigrations(file) : postgresMigrations(postgres))
  yield* migrate(isToPostgres ? name : file, isToPostgres ? postgresMigrations(postgres) : sqliteMigrations(file))
  const result = yield* Effect.scoped(
    Effect.gen(function* () {
      const own = yield* SqliteStore.open(file, isToPostgres ? "source" : "target")
      const other = yield* PostgresStore.open(name, postgres, isToPostgres ? "target" : "source")
      const [source, target]: readonly [CopyStore, CopyStore] = isToPostgres ? [own, other] : [other, own]
      yield* target.begin
      const rows = yield* transfer(own.tables, source, target, onProgress)
      yield* target.end
      return { tables: own.tables.length, rows, isOutdated: isToPostgres && own.hasChanged() } satisfies Result
    })
  )
  yield* isToPostgres ? DatabaseMark.write(data, name) : DatabaseMark.remove(data)
  return result
})

/**
 * Copies the rows of all tables, and compares them. Returns their number. Fails if the schemas differ, since columns and
 * tables that the target lacks would not be copied.
 */
export const transfer = Effect.fnUntraced(function* (
  tables: ReadonlyArray<Table>,
  source: CopyStore,
  target: CopyStore,
  onProgress: Options["onProgress"]
) {
  const [version, wanted] = [yield* target.version, yield* source.version]
  if (version !== wanted) {
    return yield* new CopyFailed({
      detail: `${source.name} has version ${wanted} of the schema, ${target.name} has version ${version}`,
      hint: "Use the version of tongs that the forge uses"
    })
  }
  const counts = yield* Effect.forEach(tables, source.count)
  const total = counts.reduce((sum, count) => sum + count, 0)
  let done = 0
  for (const step of ["copying", "comparing"] as const) {
    done = 0
    for (const table of tables) {
      const count = (read: number) => {
        done += read
        onProgress({ step, table: table.name, done, total })
      }
      count(0)
      const differs = yield* walk(table, source, target, step === "copying", count)
      if (step === "comparing" && differs !== undefined) {
        return yield* new CopyFailed({
          detail: `${table.name}: the row with ${differs} differs after the copy`,
          hint: `Another program may write to ${target.name}; stop it and run the command again`
        })
      }
      if (step === "copying" && table.isCounted) {
        const last = yield* source.sequence(table)
        if (last !== (yield* target.sequence(table))) yield* target.setSequence(table, last)
      }
    }
  }
  return done
})

/** Fails if the target is the store that the data folder uses now, whose rows the copy would replace. */
const checkFolder = (data: string, file: string, isToPostgres: boolean) =>
  Effect.suspend((): Effect.Effect<void, CopyFailed | StorageFailed> => {
    const current = DatabaseMark.read(data)
    if (isToPostgres && current !== undefined) {
      const detail = `The forge in ${data} already uses ${current}; ${file} is older`
      return new CopyFailed({ detail, hint: "Copy from that database, or name another folder with --data" })
    }
    if (isToPostgres && !existsSync(file)) {
      return new CopyFailed({ detail: `No forge has its rows in ${file}`, hint: "Name the folder with --data" })
    }
    if (isToPostgres || current !== undefined) return Effect.void
    if (existsSync(file)) {
      const detail = `The forge in ${data} uses ${file}, which the copy would replace`
      return new CopyFailed({ detail, hint: "Name another folder with --data" })
    }
    DataFolder.make(data)
    return DatabaseMark.write(data, "an unfinished copy")
  })

export const sqliteMigrations = (filename: string) => Layer.provide(Migrations.sqliteLayer, Sqlite.layer({ filename }))

const postgresMigrations = (options: Postgres.Options) =>
  Layer.provide(Migrations.postgresLayer(baseline, WriteLock.install), Postgres.layer(options))

/** Brings a database to the latest schema. */
export const migrate = <E extends Error>(name: string, layer: Layer.Layer<never, E>) =>
  Effect.mapError(
    Effect.scoped(Layer.build(layer)),
    (error) =>
      new CopyFailed({
        detail: `${name} cannot be opened: ${rootMessage(error)}`,
        hint: "Check that the database exists and can be written"
      })
  )

/**
 * Reads a table of both databases in the order of the key. Writes what differs to the target, or returns the key of the
 * first row that differs. `onRead` gets numbers of rows of the source.
 */
const walk = Effect.fnUntraced(function* (
  table: Table,
  source: CopyStore,
  target: CopyStore,
  writes: boolean,
  onRead: (rows: number) => void
) {
  const from = new Reader(table, source)
  const to = new Reader(table, target)
  let changes = noChanges()
  let bytes = 0
  while (true) {
    const wanted = yield* from.head()
    const present = yield* to.head()
    if (wanted === undefined && present === undefined) break
    const order = wanted === undefined ? 1 : present === undefined ? -1 : compareKeys(table, wanted, present)
    const row = order > 0 ? present : wanted
    const isEqual = order === 0 && wanted !== undefined && present !== undefined && areEqual(table, wanted, present)
    if (row !== undefined && !isEqual) {
      if (!writes) return keyOf(table, row)
      const unsafe = order <= 0 && target.refusesNull ? nullColumn(row) : undefined
      if (unsafe !== undefined) {
        return yield* new CopyFailed({
          detail: `${table.name}: ${unsafe} of the row with ${keyOf(table, row)} has a null character`,
          hint: "PostgreSQL stores none; change the text first"
        })
      }
      changes[order < 0 ? "inserted" : order > 0 ? "deleted" : "updated"].push(row)
      bytes += sizeOf(row)
    }
    if (order <= 0) from.next()
    if (order >= 0) to.next()
    if (bytes >= PAGE_BYTES || from.read >= MAX_ROWS) {
      onRead(from.takeRead())
      yield* target.write(table, changes)
      changes = noChanges()
      bytes = 0
      // The progress is shown in between.
      yield* Effect.sleep(0)
    }
  }
  onRead(from.takeRead())
  yield* target.write(table, changes)
  return undefined
})

const keyOf = ({ key }: Table, row: Row): string =>
  key.map((column) => `${column} ${JSON.stringify(row[column])}`).join(", ")

/** Returns the name of a column whose text has a null character. */
const nullColumn = (row: Row): string | undefined =>
  Object.entries(row).find(([, value]) => typeof value === "string" && value.includes("\0"))?.[0]

const noChanges = (): { [Name in keyof Changes]: Array<Row> } => ({ inserted: [], updated: [], deleted: [] })

/** Reads the rows of a table in pages of about `PAGE_BYTES`. */
class Reader {
  /** Number of rows that were read since `takeRead`. */
  read = 0
  readonly #table: Table
  readonly #store: CopyStore
  #page: ReadonlyArray<Row> = []
  #index = 0
  #last: Row | undefined
  #limit = 100
  #isAtEnd = false

  constructor(table: Table, store: CopyStore) {
    this.#table = table
    this.#store = store
  }

  /** The current row, or undefined at the end. */
  head(): Effect.Effect<Row | undefined, CopyFailed> {
    const row = this.#page[this.#index]
    if (row !== undefined || this.#isAtEnd) return Effect.succeed(row)
    return Effect.map(this.#store.page(this.#table, this.#last, this.#limit), (page) => {
      this.#page = page
      this.#index = 0
      this.#isAtEnd = page.length < this.#limit
      const bytes = page.reduce((sum, row) => sum + sizeOf(row), 0)
      const fitting = page.length === 0 ? MAX_ROWS : Math.floor((PAGE_BYTES * page.length) / Math.max(1, bytes))
      this.#limit = Math.min(MAX_ROWS, Math.max(MIN_ROWS, fitting))
      return page[0]
    })
  }

  next(): void {
    this.#last = this.#page[this.#index]
    this.#index += 1
    this.read += 1
  }

  takeRead(): number {
    const { read } = this
    this.read = 0
    return read
  }
}

/** Approximate size of a row in bytes. */
const sizeOf = (row: Row): number => {
  let size = 0
  for (const value of Object.values(row)) {
    size += typeof value === "string" || value instanceof Uint8Array ? value.length : 8
  }
  return size
}

const areEqual = ({ columns }: Table, a: Row, b: Row): boolean =>
  columns.every((column) => isSame(a[column] ?? null, b[column] ?? null))

const isSame = (a: Value, b: Value): boolean =>
  a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b

/** Compares the keys of two rows as both databases sort them: numbers by value, texts by their bytes. */
const compareKeys = ({ key, names }: Table, a: Row, b: Row): number => {
  for (const column of key) {
    const order = compareValues(a[column] ?? null, b[column] ?? null, names.has(column))
    if (order !== 0) return order
  }
  return 0
}

const compareValues = (a: Value, b: Value, isName: boolean): number => {
  if (typeof a === "number" && typeof b === "number") return a - b
  return Buffer.compare(bytesOf(a, isName), bytesOf(b, isName))
}

const bytesOf = (value: Value, isName: boolean): Uint8Array =>
  value instanceof Uint8Array
    ? value
    : Buffer.from(isName ? String(value).replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : String(value))
