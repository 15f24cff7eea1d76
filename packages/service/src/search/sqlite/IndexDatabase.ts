/**
 * The file in which the index is. All of it can be made again from git, so a file that is broken is thrown away. Each
 * version of the index has a file of its own: programs of several versions may share a data folder.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"

/** Of the tables below, and of what their values mean. */
const version = 3

/** Milliseconds after which a file of another version goes that nobody has opened. */
const disuse = 30 * 24 * 60 * 60 * 1_000

/** How long a statement waits for another process, in milliseconds. */
const busyTimeout = 10_000

const schema = `
-- What the index has of a repository. Documents and terms are shared by all of them.
CREATE TABLE repositories (
  id INTEGER PRIMARY KEY,
  git_dir TEXT NOT NULL UNIQUE,
  commit_id TEXT,
  files INTEGER NOT NULL DEFAULT 0,
  size INTEGER NOT NULL DEFAULT 0,
  unreadable INTEGER NOT NULL DEFAULT 0,
  left_out INTEGER NOT NULL DEFAULT 0 -- these, too
);
-- A content. Its number is never used again for another.
CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  oid TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  reason TEXT, -- why it is left out
  outline TEXT NOT NULL -- what it defines
);
CREATE INDEX left_out ON documents (id) WHERE reason IS NOT NULL;
CREATE TABLE files (
  repository INTEGER NOT NULL,
  path TEXT NOT NULL,
  document INTEGER NOT NULL,
  size INTEGER NOT NULL,
  PRIMARY KEY (repository, path)
) WITHOUT ROWID;
-- Files whose content git cannot give. Elsewhere, or later, it may.
CREATE TABLE unreadable (
  repository INTEGER NOT NULL,
  path TEXT NOT NULL,
  oid TEXT NOT NULL,
  PRIMARY KEY (repository, path)
) WITHOUT ROWID;
-- The documents that have a term, by segments of documents that were indexed together.
CREATE TABLE segments (id INTEGER PRIMARY KEY, first INTEGER NOT NULL, count INTEGER NOT NULL);
CREATE TABLE postings (
  segment INTEGER NOT NULL,
  term INTEGER NOT NULL,
  documents NOT NULL,
  PRIMARY KEY (segment, term)
) WITHOUT ROWID;
-- The terms of documents that are in no segment yet.
CREATE TABLE fresh (document INTEGER PRIMARY KEY, terms BLOB NOT NULL);
-- The one process that writes.
CREATE TABLE writer (id INTEGER PRIMARY KEY CHECK (id = 1), process TEXT NOT NULL, until INTEGER NOT NULL);
`

/** In a data folder. */
export const fileIn = (data: string): string => join(data, `index-${version}.sqlite`)

/** Opens the index to read and write, and makes it where there is none that this version can use. */
export const open = (filename: string): DatabaseSync => {
  const existing = openExisting(filename)
  if (existing !== undefined) return existing
  remove(filename)
  mkdirSync(dirname(filename), { recursive: true })
  const database = connect(filename)
  // Another process may be making it as well.
  database.exec("BEGIN IMMEDIATE")
  if (versionOf(database) !== version) database.exec(`${schema}; PRAGMA user_version=${version}`)
  database.exec("COMMIT")
  return database
}

const openExisting = (filename: string): DatabaseSync | undefined => {
  if (!existsSync(filename)) return undefined
  try {
    const database = connect(filename)
    if (versionOf(database) === version) return database
    database.close()
  } catch (error) {
    if (!isBroken(error)) throw error
  }
  return undefined
}

/** Shows that a file is in use, and removes those of other versions that have not been for long. */
export const removeUnused = (filename: string): void => {
  utimesSync(filename, new Date(), new Date())
  const folder = dirname(filename)
  for (const name of readdirSync(folder)) {
    const other = join(folder, name)
    if (!/^index(-\d+)?\.sqlite$/.test(name) || other === filename) continue
    const used = [other, `${other}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (Date.now() - Math.max(...used) > disuse) remove(other)
  }
}

/**
 * Something made of the index, made anew when the file is another: this or another process has found it broken. Where
 * that is found by what `use` does, the file is thrown away.
 */
export const keep = <A>(filename: string, make: (database: DatabaseSync) => A) => {
  let made: { readonly database: DatabaseSync; readonly value: A; readonly file: number } | undefined
  const file = () => statSync(filename, { throwIfNoEntry: false })?.ino
  const current = (): A => {
    if (made !== undefined && made.file === file()) return made.value
    made?.database.close()
    made = undefined
    const database = open(filename)
    made = { database, value: make(database), file: statSync(filename).ino }
    return made.value
  }
  const failed = (error: unknown): never => {
    // Another process may have put a new one there by now.
    if (isBroken(error) && (made === undefined || made.file === file())) remove(filename)
    if (codeOf(error) === full) made?.database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    throw error
  }
  return {
    use: <B>(use: (value: A) => B): B => {
      try {
        return use(current())
      } catch (error) {
        return failed(error)
      }
    },
    failed
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "errcode" in error ? error.errcode : undefined)

/** Of SQLite: that the disk has no more room. What was written in vain is given back to the others who need some. */
const full = 13

/** Whether a database says that its file is none, or is damaged. */
const isBroken = (error: unknown): boolean => [11, 26].some((code) => code === codeOf(error))

/** Removes an index that is of no use. */
const remove = (filename: string): void => {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(filename + suffix, { force: true })
}

const connect = (filename: string): DatabaseSync => {
  try {
    const database = new DatabaseSync(filename, { timeout: busyTimeout })
    database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32768")
    return database
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { message: `${filename}: ${error.message}` }) : error
  }
}

const versionOf = (database: DatabaseSync): unknown => database.prepare("PRAGMA user_version").get()?.user_version
