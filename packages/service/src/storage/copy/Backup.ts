/**
 * Backs up a forge while it runs: first the rows, as they are at one moment, then the repositories and files. So the
 * backup has all objects that its rows name. A repository can be newer than the rows, as after a push whose events
 * another program did not see.
 */
import { execFile } from "node:child_process"
import { existsSync, lstatSync } from "node:fs"
import { readFile, rename, writeFile } from "node:fs/promises"
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { promisify } from "node:util"
import { DatabaseSync } from "node:sqlite"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as DataFolder from "../DataFolder.ts"
import * as DatabaseMark from "../DatabaseMark.ts"
import type * as Postgres from "../postgres/Postgres.ts"
import { CopyFailed } from "./CopyStore.ts"
import { flush } from "../../base/Flush.ts"
import * as FileCopy from "./FileCopy.ts"
import * as LiveRepositoryCopy from "./LiveRepositoryCopy.ts"
import * as SqliteStore from "./SqliteStore.ts"
import * as StoreCopy from "./StoreCopy.ts"

export interface Options {
  /** The data folder of the forge. */
  readonly data: string
  /** The PostgreSQL database with the rows, by default SQLite in the data folder. */
  readonly postgres?: Postgres.Options | undefined
  /** The folder to create. */
  readonly to: string
  /** An earlier backup, whose equal files become hard links. */
  readonly previous?: string | undefined
  /** Completes the backup without repositories that are missing although the forge has their rows. Fails by default. */
  readonly allowsMissing?: boolean | undefined
  readonly onProgress: (progress: StoreCopy.Progress | FileProgress) => void
}

export interface FileProgress {
  readonly step: "repositories" | "files"
  readonly done: number
  readonly total: number
}

export interface Result {
  readonly rows: number
  readonly repositories: number
  /** Paths of missing repositories, which were deleted during the backup or are allowed to be missing. */
  readonly missing: ReadonlyArray<string>
  readonly copied: number
  readonly linked: number
  readonly bytes: number
}

/** The file that makes a folder a complete backup. */
export const MANIFEST = "backup.json"

const Manifest = Schema.Struct({
  format: Schema.Literal(1),
  /** The data folder of the forge, whose path the rows contain. */
  data: Schema.String,
  /** When the rows were read. */
  created_at: Schema.String,
  repositories: Schema.Int
})
export type Manifest = typeof Manifest.Type

const decodeManifest = Schema.decodeUnknownEffect(Schema.fromJsonString(Manifest))

/** Reads the manifest of a complete backup. */
export const manifestOf = (backup: string): Effect.Effect<Manifest, CopyFailed> =>
  Effect.tryPromise(() => readFile(join(backup, MANIFEST), "utf8")).pipe(
    Effect.flatMap(decodeManifest),
    Effect.mapError(
      () =>
        new CopyFailed({
          detail: `${backup} is not a complete backup`,
          hint: `Name a folder that tongs data backup has completed; it has a file ${MANIFEST}`
        })
    )
  )

/** Number of repositories that are copied at the same time. */
const CONCURRENCY = 4

/**
 * Files of the data folder that a backup lacks: the rows, which are copied in another way; what the forge creates again,
 * the code index and statistics of requests; and what belongs to the processes.
 */
const skipped =
  /^(?:forge\.db.*|requests\.db.*|database|git|runners|(?:index|history)-.*|repositories|demonstration)$|^\.|\.part$|\.lock$/

const failed = (detail: string) => (cause: unknown) =>
  cause instanceof CopyFailed
    ? cause
    : new CopyFailed({
        detail: `${detail}: ${cause instanceof Error ? cause.message : String(cause)}`,
        hint: "Correct the cause and run the command again"
      })

/** True for files and folders at the top of the data folder, where an administrator can link to another disk. */
const isAtTop = (path: string) => dirname(path) === "."

/** Creates a backup. Fails if the folder exists, and leaves an incomplete folder without a manifest after a failure. */
export const run = Effect.fn("Backup.run")(function* (options: Options): Effect.fn.Return<Result, CopyFailed> {
  const [data, to] = [resolve(options.data), resolve(options.to)]
  const previous = options.previous === undefined ? undefined : resolve(options.previous)
  if (previous !== undefined) yield* manifestOf(previous)
  yield* prepare(data, to, options.postgres !== undefined)
  return yield* Effect.mapError(
    fill(options, data, to, previous),
    ({ detail, hint }) => new CopyFailed({ detail, hint: `${hint}, with a new folder as --to` })
  )
})

/** Copies everything to the new folder `to`. */
const fill = Effect.fnUntraced(function* (options: Options, data: string, to: string, previous: string | undefined) {
  const database = join(to, "forge.db")
  const created_at = new Date(yield* Clock.currentTimeMillis).toISOString()
  const rows = yield* copyRows(options, data, database)
  const copy = FileCopy.make(data, to, previous, isAtTop)
  const { missing, repositories } = yield* copyRepositories(options, data, to, previous, copy)
  options.onProgress({ step: "files", done: 0, total: 1 })
  const manifest: Manifest = { format: 1, data, created_at, repositories }
  yield* Effect.tryPromise({
    try: async () => {
      for (const name of await topLevel(copy)) await copy.file(name)
      // A power cut leaves no manifest without its files.
      await flush(database)
      await copy.flush(to)
      await writeFile(join(to, `${MANIFEST}.part`), `${JSON.stringify(manifest, undefined, 2)}\n`, { flush: true })
      await rename(join(to, `${MANIFEST}.part`), join(to, MANIFEST))
      await flush(to)
    },
    catch: failed(data)
  })
  return { rows, repositories, missing, ...copy.counts }
})

/** Names of the other files, including the pools of shared objects, which the copied repositories name. */
const topLevel = (copy: FileCopy.FileCopy) => copy.list("", (path) => !skipped.test(path))

/** Creates the folder. Checks that the data folder has a forge with its rows in the given database. */
const prepare = (data: string, to: string, isPostgres: boolean) =>
  Effect.try({
    try: () => {
      const marked = DatabaseMark.read(data)
      if (isPostgres !== (marked !== undefined)) {
        return new CopyFailed(
          isPostgres
            ? { detail: `The forge in ${data} does not use PostgreSQL`, hint: "Omit --database" }
            : { detail: `The rows of the forge in ${data} are in ${marked}`, hint: "Name it with --database" }
        )
      }
      if (!isPostgres && !existsSync(join(data, "forge.db"))) {
        return new CopyFailed({ detail: `No forge has its rows in ${data}`, hint: "Name the folder with --data" })
      }
      if (existsSync(to)) {
        return new CopyFailed({ detail: `${to} exists already`, hint: "Name a new folder for each backup" })
      }
      if (`${to}${sep}`.startsWith(`${data}${sep}`)) {
        return new CopyFailed({ detail: `${to} is in the data folder`, hint: "Name a folder outside of it" })
      }
      DataFolder.make(to)
      return undefined
    },
    catch: failed(to)
  }).pipe(Effect.flatMap((error) => (error === undefined ? Effect.void : Effect.fail(error))))

/** Copies the rows as they are at one moment, and returns their number. */
const copyRows = Effect.fnUntraced(function* ({ onProgress, postgres }: Options, data: string, database: string) {
  if (postgres === undefined) {
    return yield* Effect.try({
      try: () => {
        const source = new DatabaseSync(join(data, "forge.db"), { readOnly: true, timeout: 10_000 })
        try {
          source.prepare("VACUUM INTO ?").run(database)
        } finally {
          source.close()
        }
        return countRows(database)
      },
      catch: failed(join(data, "forge.db"))
    })
  }
  // The client of PostgreSQL is loaded only for a forge that uses PostgreSQL.
  const PostgresStore = yield* Effect.promise(() => import("./PostgresStore.ts"))
  yield* StoreCopy.migrate(database, StoreCopy.sqliteMigrations(database))
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const target = yield* SqliteStore.open(database, "target")
      const source = yield* PostgresStore.open(DatabaseMark.nameOf(postgres.url), postgres, "snapshot")
      return yield* StoreCopy.transfer(target.tables, source, target, onProgress)
    })
  )
})

const countRows = (file: string): number => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const names = database.prepare(`
      SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
        AND name <> 'effect_sql_migrations'`)
    const count = (name: string) => Number(database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.["n"])
    return names.all().reduce((sum, { name }) => sum + count(String(name)), 0)
  } finally {
    database.close()
  }
}

interface RepositoryPlace {
  readonly id: number
  readonly git: string
  readonly owner: string
  readonly name: string
}

/** Copies the repositories of the rows. One outside of the data folder becomes one of the backup's data folder. */
const copyRepositories = Effect.fnUntraced(function* (
  options: Options,
  data: string,
  to: string,
  previous: string | undefined,
  copy: FileCopy.FileCopy
) {
  const database = new DatabaseSync(join(to, "forge.db"))
  const statement = database.prepare(`
    SELECT r.id AS id, r.git AS git, u.login AS owner, r.name AS name
    FROM repositories r JOIN users u ON u.id = r.owner_id ORDER BY r.id`)
  const rows = statement.all().map(({ git, id, name, owner }): RepositoryPlace => ({
    id: Number(id),
    git: String(git),
    owner: String(owner),
    name: String(name)
  }))
  const missing: Array<RepositoryPlace> = []
  let done = 0
  const copyOne = async (place: RepositoryPlace) => {
    const { git, id, name, owner } = place
    const isHosted = git.startsWith(data + sep)
    // The name of no hosted repository has an @.
    const inside = isHosted ? relative(data, git) : join("repositories", owner, `${name}@${id}.git`)
    const isCopied = isHosted
      ? await LiveRepositoryCopy.run(copy, inside)
      : await copyOutside(git, to, inside, previous, copy.counts)
    if (isCopied) await checkAlternates(git, to, inside, isHosted)
    if (!isCopied) missing.push(place)
    else if (!isHosted) database.prepare("UPDATE repositories SET git = ? WHERE id = ?").run(join(data, inside), id)
    done += 1
    options.onProgress({ step: "repositories", done, total: rows.length })
  }
  const all = Effect.forEach(rows, (row) => Effect.tryPromise({ try: () => copyOne(row), catch: failed(row.git) }), {
    concurrency: CONCURRENCY,
    discard: true
  })
  yield* Effect.ensuring(
    all,
    Effect.sync(() => {
      // The backup is one file.
      database.exec("PRAGMA journal_mode=DELETE")
      database.close()
    })
  )
  if (options.allowsMissing !== true) yield* checkMissing(options, data, missing)
  return { repositories: rows.length - missing.length, missing: missing.map(({ git }) => git) }
})

/** Number of missing repositories that a message names. */
const MAX_NAMED = 5

/**
 * Fails if the forge still has the row of a missing repository: its folder is on a disk that this machine lacks, or it
 * was removed without the forge. The rows do not say which. A deleted repository loses its row before its folder.
 */
const checkMissing = Effect.fnUntraced(function* (
  options: Options,
  data: string,
  missing: ReadonlyArray<RepositoryPlace>
) {
  if (missing.length === 0) return
  const present = yield* presentIds(
    options,
    data,
    missing.map(({ id }) => id)
  )
  const lost = missing.filter(({ id }) => present.has(id)).map(({ git }) => git)
  if (lost.length === 0) return
  const others = lost.length > MAX_NAMED ? ` and ${lost.length - MAX_NAMED} more` : ""
  return yield* new CopyFailed({
    detail: `No repository at ${lost.slice(0, MAX_NAMED).join(", ")}${others}, but the forge has its row`,
    hint:
      "Run the command where the folders of all repositories are mounted, or with --allow-missing if they were " +
      "removed for good"
  })
})

/** Returns the ids of the repositories that the forge has now. */
const presentIds = Effect.fnUntraced(function* ({ postgres }: Options, data: string, ids: ReadonlyArray<number>) {
  if (postgres !== undefined) {
    const PostgresStore = yield* Effect.promise(() => import("./PostgresStore.ts"))
    const store = yield* PostgresStore.open(DatabaseMark.nameOf(postgres.url), postgres, "snapshot")
    const table = { name: "repositories", columns: [], key: ["id"], names: new Set<string>(), isCounted: true }
    const pages = yield* Effect.forEach(ids, (id) => store.page(table, { id: id - 1 }, 1))
    return new Set(pages.flat().map((row) => Number(row["id"])))
  }
  return yield* Effect.try({
    try: () => {
      const source = new DatabaseSync(join(data, "forge.db"), { readOnly: true, timeout: 10_000 })
      try {
        const statement = source.prepare("SELECT 1 FROM repositories WHERE id = ?")
        return new Set(ids.filter((id) => statement.get(id) !== undefined))
      } finally {
        source.close()
      }
    },
    catch: failed(join(data, "forge.db"))
  })
}, Effect.scoped)

/** Throws if a copy borrows objects that the backup lacks. Only the forge's repositories use the pools of the backup. */
const checkAlternates = async (git: string, to: string, inside: string, isHosted: boolean) => {
  const objects = join(to, inside, "objects")
  const text = await readFile(join(objects, "info", "alternates"), "utf8").catch(() => "")
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue
    if (isHosted && !isAbsolute(line) && resolve(objects, line).startsWith(join(to, "pools") + sep)) continue
    throw new CopyFailed({
      detail: `${git} borrows objects from ${line}, which the backup lacks`,
      hint: "Run `git repack -a -d` there, delete its objects/info/alternates, and run the command again"
    })
  }
}

const runProgram = promisify(execFile)

/** Copies the git directory of a repository outside of the data folder, as a bare repository. */
const copyOutside = async (
  git: string,
  to: string,
  inside: string,
  previous: string | undefined,
  counts: FileCopy.FileCounts
): Promise<boolean> => {
  const dotGit = join(git, ".git")
  const gitDir = existsSync(dotGit) ? dotGit : git
  // The owner of the folder could link to a repository of another user.
  const linked = [git, gitDir].find((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
  if (linked !== undefined) throw new Error(`${linked} is a symbolic link; serve the folder that it names`)
  const isFile = lstatSync(gitDir, { throwIfNoEntry: false })?.isFile() === true
  if (isFile || existsSync(join(gitDir, "commondir"))) throw new Error("a linked work tree cannot be backed up")
  const earlier = previous === undefined ? undefined : join(previous, inside)
  const copy = FileCopy.make(gitDir, join(to, inside), earlier)
  const isCopied = await LiveRepositoryCopy.run(copy, "")
  counts.copied += copy.counts.copied
  counts.linked += copy.counts.linked
  counts.bytes += copy.counts.bytes
  if (!isCopied) return false
  await runProgram("git", ["config", "--file", join(to, inside, "config"), "core.bare", "true"])
  await copy.flush(to)
  return true
}
