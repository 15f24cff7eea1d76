/** Copies the state of the forge within the process, and returns to a copy. */
import { randomUUID } from "node:crypto"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as SqlClient from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import { Snapshot } from "./TestForge.ts"

type Row = Record<string, unknown>

/** Tables with data, and SQLite's own counters of ids. Triggers keep the indexes of texts, which are no such tables. */
const tableNames = Effect.fnUntraced(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`
    SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
      AND (name = 'sqlite_sequence' OR name NOT LIKE 'sqlite_%') AND name <> 'effect_sql_migrations'`
  return rows.map(({ name }) => name)
})

/** Selects the names of the tables that have rows, in one statement, because most tables are empty. */
const nonEmpty = (names: Iterable<string>) =>
  Statement.literal(
    [...names].map((name) => `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM ${name})`).join(" UNION ALL ")
  )

/** SQLite's own table, which cannot have triggers. */
const COUNTERS = "sqlite_sequence"

/**
 * Adds triggers that record the names of changed tables. They belong to the connection. The second restore adds them,
 * because they take longer than one restore.
 */
const watchTables = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  if (yield* isWatched) return
  yield* sql.unsafe("CREATE TEMP TABLE changed_tables (name TEXT PRIMARY KEY) WITHOUT ROWID")
  for (const name of names) {
    if (name === COUNTERS) continue
    for (const event of ["INSERT", "UPDATE", "DELETE"])
      yield* sql.unsafe(`CREATE TEMP TRIGGER changed_${name}_${event} AFTER ${event} ON main.${name} BEGIN
        INSERT INTO changed_tables SELECT '${name}' WHERE '${name}' NOT IN (SELECT name FROM changed_tables); END`)
  }
})

const isWatched = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT 1 FROM temp.sqlite_master WHERE name = 'changed_tables'`).length > 0
})

/** The rows of the tables that have not changed since they were copied or restored. Empty without the triggers. */
type KnownTables = Map<string, ReadonlyArray<Row>>

/** Forgets the rows of the tables that have changed. */
const forgetChanged = Effect.fnUntraced(function* (known: KnownTables) {
  const sql = yield* SqlClient.SqlClient
  const changed = yield* sql<{ name: string }>`SELECT name FROM temp.changed_tables`
  yield* sql`DELETE FROM temp.changed_tables`
  for (const { name } of changed) known.delete(name)
  known.delete(COUNTERS)
})

/** Copies the state of the forge with data folder `data`. */
const take = Effect.fnUntraced(function* (data: string, known: KnownTables) {
  const sql = yield* SqlClient.SqlClient
  const names = yield* tableNames()
  // In a transaction, so that all tables have the same requests.
  const copy = Effect.gen(function* () {
    const watched = yield* isWatched
    if (watched) yield* forgetChanged(known)
    const tables = new Map<string, ReadonlyArray<Row>>()
    for (const name of names) {
      const rows = known.get(name) ?? (yield* sql<Row>`SELECT * FROM ${sql(name)}`)
      tables.set(name, rows)
      if (watched) known.set(name, rows)
    }
    return tables
  })
  const tables = yield* sql.withTransaction(copy)
  const repositories = new Map(gitDirs(data).map((path) => [path, refFiles(path)]))
  return new Snapshot({ data, tables, repositories })
})

/**
 * Runs a transaction without foreign keys: deleting an account would search all tables for its rows. The connection is
 * reserved, because the setting cannot change within a transaction and other statements need the keys.
 */
const withoutForeignKeys = Effect.fnUntraced(function* <A, E, R>(changes: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* sql.reserve
  return yield* Effect.all([sql`PRAGMA foreign_keys = OFF`, sql`BEGIN IMMEDIATE`]).pipe(
    Effect.andThen(changes),
    Effect.onExit((exit) => Effect.orDie(Exit.isSuccess(exit) ? sql`COMMIT` : sql`ROLLBACK`)),
    Effect.ensuring(Effect.orDie(sql`PRAGMA foreign_keys = ON`)),
    Effect.provideService(sql.transactionService, [connection, 0])
  )
}, Effect.scoped)

/** Returns to a copy. Repositories that are younger than the copy are removed; unreferenced git objects stay. */
const restore = Effect.fnUntraced(function* (
  data: string,
  snapshot: Snapshot,
  {
    isFirst,
    kept,
    known
  }: { readonly isFirst: boolean; readonly kept: ReadonlySet<string>; readonly known: KnownTables }
) {
  const { repositories, tables } = Snapshot.stateOf(snapshot, data)
  const sql = yield* SqlClient.SqlClient
  const names = [...tables.keys()]
  const written = yield* withoutForeignKeys(
    Effect.gen(function* () {
      if (!isFirst) yield* watchTables(names)
      const watched = yield* isWatched
      if (watched) yield* forgetChanged(known)
      const changed = names.filter((name) => known.get(name) !== tables.get(name))
      for (const { name } of yield* sql<{ name: string }>`${nonEmpty(changed)}`) {
        yield* sql`DELETE FROM ${sql(name)}`
      }
      for (const name of changed) {
        const rows = tables.get(name) ?? []
        // A statement has at most 32,766 parameters.
        const [first = {}] = rows
        const size = Math.max(1, Math.floor(32_000 / Math.max(1, Object.keys(first).length)))
        for (const chunk of Arr.chunksOf(rows, size)) {
          if (Arr.isReadonlyArrayNonEmpty(chunk)) yield* sql`INSERT INTO ${sql(name)} ${sql.insert(chunk)}`
        }
      }
      if (!watched) return []
      // Triggers of the forge can have changed further tables.
      yield* forgetChanged(known)
      return changed
    })
  )
  for (const name of written) known.set(name, tables.get(name) ?? [])
  const ownersOf = (paths: Iterable<string>) => new Set([...paths].map((path) => dirname(path)))
  const [restored, keptOwners] = [ownersOf(repositories.keys()), ownersOf(kept)]
  // One move for an owner instead of one for each repository.
  for (const owner of ownerFolders(data)) {
    if (restored.has(owner)) continue
    if (!keptOwners.has(owner)) yield* remove(data, owner)
    else if (!existsSync(parkedPath(data, owner))) move(owner, parkedPath(data, owner))
  }
  for (const path of gitDirs(data)) {
    if (repositories.has(path)) continue
    if (kept.has(path)) park(data, path)
    else yield* remove(data, path)
  }
  for (const [path, files] of repositories) {
    unpark(data, path)
    restoreFiles(path, files)
  }
})

/** Creates the functions that copy and restore the state of the forge with data folder `data`. Call it once a forge. */
export const make = (data: string) => {
  /** Folders of the repositories in snapshots, which can be restored after their removal. */
  const kept = new Set<string>()
  const known: KnownTables = new Map()
  let restores = 0
  return {
    take: Effect.suspend(() => {
      for (const path of gitDirs(data)) kept.add(path)
      return take(data, known)
    }),
    restore: (snapshot: Snapshot) => restore(data, snapshot, { isFirst: ++restores === 1, kept, known })
  }
}

const move = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}

/** The folder of a repository or an owner that the forge currently does not have. */
const parkedPath = (data: string, path: string): string =>
  join(data, "parked", relative(join(data, "repositories"), path))

/** Moves a repository out of the forge. */
const park = (data: string, path: string): void => {
  const parked = parkedPath(data, path)
  if (existsSync(parked)) {
    // An earlier repository of the same name is in another snapshot. Files of objects have unique names.
    cpSync(join(path, "objects"), join(parked, "objects"), { recursive: true, force: false })
    rmSync(path, { recursive: true })
  } else {
    move(path, parked)
  }
}

/** Moves a repository back. */
const unpark = (data: string, path: string): void => {
  const parked = parkedPath(data, path)
  if (!existsSync(parked)) return
  if (existsSync(path)) {
    cpSync(join(parked, "objects"), join(path, "objects"), { recursive: true, force: false })
    rmSync(parked, { recursive: true })
  } else {
    move(parked, path)
  }
}

/** Removes a folder. The files are deleted later, because the deletion takes longer than all the rest. */
const remove = Effect.fnUntraced(function* (data: string, path: string) {
  const removed = join(data, `removed-${randomUUID()}`)
  renameSync(path, removed)
  yield* Effect.forkDetach(Effect.promise(() => rm(removed, { recursive: true, force: true })))
})

/** Folders of the owners of repositories in a data folder. */
const ownerFolders = (data: string): ReadonlyArray<string> => {
  const root = join(data, "repositories")
  return existsSync(root) ? readdirSync(root).map((name) => join(root, name)) : []
}

/** Folders of the repositories in a data folder. */
const gitDirs = (data: string): ReadonlyArray<string> =>
  ownerFolders(data).flatMap((owner) => readdirSync(owner).map((name) => join(owner, name)))

/** Contents of `HEAD`, `packed-refs` and the files in `refs`, by path. */
const refFiles = (gitDir: string): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  for (const name of ["HEAD", "packed-refs"]) {
    if (existsSync(join(gitDir, name))) files.set(name, readFileSync(join(gitDir, name), "utf8"))
  }
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(gitDir, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) visit(path)
      else files.set(path, readFileSync(join(gitDir, path), "utf8"))
    }
  }
  visit("refs")
  return files
}

const restoreFiles = (gitDir: string, wanted: ReadonlyMap<string, string>): void => {
  const current = refFiles(gitDir)
  for (const path of current.keys()) if (!wanted.has(path)) rmSync(join(gitDir, path))
  for (const [path, content] of wanted) {
    if (current.get(path) === content) continue
    const target = join(gitDir, path)
    mkdirSync(dirname(target), { recursive: true })
    // As git does: the forge notices a change in place only of some references.
    writeFileSync(`${target}.lock`, content)
    renameSync(`${target}.lock`, target)
  }
}
