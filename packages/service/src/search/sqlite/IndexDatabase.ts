/**
 * Database files of the index, called shards. Each shard is the complete index of a group of repositories. A damaged
 * shard is deleted and rebuilt from git. Each version of the index has a separate folder, because programs of different
 * versions can share a data folder.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync, utimesSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"

/** Version of the database schema, of the value encoding and of the decoding of files. */
const VERSION = 7

/** Milliseconds without use after which the index of another version is deleted. */
const DISUSE = 30 * 24 * 60 * 60 * 1_000

/** Milliseconds that a statement waits for a lock of another process. */
const BUSY_TIMEOUT = 10_000

/** Size to which the write-ahead log of a shard shrinks after a checkpoint. */
const MAX_LOG_BYTES = 16 * 1024 * 1024

const SCHEMA = `
-- State of each indexed repository. All repositories of the file share the documents and terms.
CREATE TABLE repositories (
  id INTEGER PRIMARY KEY,
  git_dir TEXT NOT NULL UNIQUE,
  commit_id TEXT,
  pinned TEXT NOT NULL DEFAULT '', -- other commits whose documents are kept, separated by spaces
  files INTEGER NOT NULL DEFAULT 0,
  size INTEGER NOT NULL DEFAULT 0,
  unreadable INTEGER NOT NULL DEFAULT 0,
  left_out INTEGER NOT NULL DEFAULT 0 -- includes the unreadable files
);
-- Distinct contents of files. The text of a document has blocks, numbered from the id. Numbers are not reused.
CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  oid TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  reason TEXT, -- reason why it is not searchable, if it is not
  layout BLOB, -- lines and length of each chunk, null for a single chunk
  outline TEXT NOT NULL -- symbols that it defines
);
CREATE INDEX left_out ON documents (id) WHERE reason IS NOT NULL;
CREATE TABLE files (
  repository INTEGER NOT NULL,
  path TEXT NOT NULL,
  document INTEGER NOT NULL,
  size INTEGER NOT NULL,
  PRIMARY KEY (repository, path)
) WITHOUT ROWID;
-- Files with content that git cannot read, to retry with the next commit.
CREATE TABLE unreadable (
  repository INTEGER NOT NULL,
  path TEXT NOT NULL,
  oid TEXT NOT NULL,
  PRIMARY KEY (repository, path)
) WITHOUT ROWID;
-- Documents of pinned commits that no file of the indexed commit has.
CREATE TABLE pins (
  repository INTEGER NOT NULL,
  document INTEGER NOT NULL,
  PRIMARY KEY (repository, document)
) WITHOUT ROWID;
-- Documents with the symbols that patterns found, until a grammar finds them. The path is one of their files'.
CREATE TABLE imprecise (
  repository INTEGER NOT NULL,
  document INTEGER NOT NULL,
  path TEXT NOT NULL,
  PRIMARY KEY (repository, document)
) WITHOUT ROWID;
CREATE INDEX imprecise_documents ON imprecise (document);
-- Compressed texts, in chunks of several blocks. The id is the first block.
CREATE TABLE contents (id INTEGER PRIMARY KEY, chunk BLOB NOT NULL);
-- Posting lists: the blocks of each term, per segment of blocks that were indexed together.
CREATE TABLE segments (id INTEGER PRIMARY KEY, first INTEGER NOT NULL, count INTEGER NOT NULL);
CREATE TABLE postings (id INTEGER PRIMARY KEY, lists BLOB NOT NULL);
-- Terms of the blocks outside segments.
CREATE TABLE fresh (block INTEGER PRIMARY KEY, terms BLOB NOT NULL);
-- Time in milliseconds since the epoch at which the documents up to a number were indexed.
CREATE TABLE additions (last INTEGER PRIMARY KEY, at INTEGER NOT NULL);
-- Lease of the process that may write, until a time in milliseconds since the epoch.
CREATE TABLE writer (id INTEGER PRIMARY KEY CHECK (id = 1), process TEXT NOT NULL, until INTEGER NOT NULL);
`

/** Name of the folder of this version in the data folder. */
const FOLDER = `index-${VERSION}`

/** Returns the path of a shard of this version's index in a data folder. Shards have numbers from 1. */
export const fileIn = (data: string, shard = 1): string => join(data, FOLDER, `shard-${shard}.sqlite`)

/** Returns the numbers of the shards in a data folder, ascending. */
export const shardsIn = (data: string): ReadonlyArray<number> =>
  namesIn(join(data, FOLDER))
    .flatMap((name) => /^shard-(\d+)\.sqlite$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)

/** Returns the names in a folder. Empty for a missing folder. */
const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return []
    throw error
  }
}

/** Identity of a file until it is replaced, and the time of its last change. */
export interface FileVersion {
  readonly inode: number
  readonly changedAt: number
}

/** Returns the version of a file. Undefined for a missing file. */
export const versionOfFile = (filename: string): FileVersion | undefined => {
  const stats = statSync(filename, { throwIfNoEntry: false })
  return stats === undefined ? undefined : { inode: stats.ino, changedAt: stats.mtimeMs }
}

const HEADER = "SQLite format 3\0"

/** True if a file begins like a database. SQLite does not read the beginning again while it has the page in memory. */
export const isDatabase = (filename: string): boolean => {
  const file = openSync(filename, "r")
  try {
    const bytes = Buffer.alloc(HEADER.length)
    return readSync(file, bytes) === 0 || bytes.toString("latin1") === HEADER
  } finally {
    closeSync(file)
  }
}

/** A shard whose content is not what this program has written. The shard is deleted and rebuilt. */
export class DamagedShard extends Error {
  override readonly name = "DamagedShard"
}

/**
 * Opens a shard for reading and writing, with at most `cacheKilobytes` of memory for pages. Creates a missing shard.
 * Throws `DamagedShard` for a database without the tables of this version, and SQLite's error with the filename in the
 * message if the file cannot be opened.
 */
export const open = (filename: string, cacheKilobytes = 2_048): DatabaseSync => {
  mkdirSync(dirname(filename), { recursive: true })
  const database = connect(filename, cacheKilobytes)
  try {
    if (versionOf(database) !== VERSION) createTables(database, filename)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Opens an index without repositories in memory, for targets that no shard has. */
export const openEmpty = (): DatabaseSync => {
  const database = new DatabaseSync(":memory:")
  database.exec(SCHEMA)
  return database
}

/** Creates the tables in an empty file, which another process can do at the same time. */
const createTables = (database: DatabaseSync, filename: string): void => {
  database.exec("BEGIN IMMEDIATE")
  const isEmpty = database.prepare("SELECT 1 FROM sqlite_schema").get() === undefined
  if (isEmpty) database.exec(`${SCHEMA}; PRAGMA user_version=${VERSION}`)
  database.exec("COMMIT")
  if (versionOf(database) !== VERSION) throw new DamagedShard(`${filename}: not a shard of version ${VERSION}`)
}

/** Marks the index as used, and removes indexes of other versions that have not been used for 30 days. */
export const removeUnused = (data: string): void => {
  const own = join(data, FOLDER)
  mkdirSync(own, { recursive: true })
  utimesSync(own, new Date(), new Date())
  const entries = readdirSync(data)
  for (const name of entries) {
    const path = join(data, name)
    if (!/^index(-\d+)?(\.sqlite)?$/.test(name) || path === own) continue
    // Older versions have one file, with its log beside it.
    const files = name.endsWith(".sqlite")
      ? [path, `${path}-wal`]
      : [path, ...namesIn(path).map((file) => join(path, file))]
    const used = files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (Date.now() - Math.max(...used) > DISUSE) remove(path)
  }
}

/** Deletes a database, or the folder of a version. */
export const remove = (path: string): void => {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { recursive: true, force: true })
}

const codeOf = (error: unknown): number =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0

/** SQLite's code for a full disk. */
const FULL = 13

/** True for SQLite's code of a full disk. Truncating the write-ahead log then frees the space of the failed transaction. */
export const isFull = (error: unknown): boolean => codeOf(error) === FULL

/** SQLite's codes of a corrupt file, of a file without a database, and of a file that ends too early. */
const CORRUPT = 11
const NO_DATABASE = 26
const SHORT_READ = 522

/** Mask of the primary part of SQLite's extended codes. */
const PRIMARY = 0xff

/** True if an error shows that a shard is damaged. */
export const isDamage = (error: unknown): boolean => {
  const code = codeOf(error)
  const primary = code & PRIMARY
  return error instanceof DamagedShard || primary === CORRUPT || primary === NO_DATABASE || code === SHORT_READ
}

const connect = (filename: string, cacheKilobytes: number): DatabaseSync => {
  try {
    const database = new DatabaseSync(filename, { timeout: BUSY_TIMEOUT })
    // Rows of the contents and posting lists have about 3 KB: with the default of 4 KB, a page would be a quarter empty.
    database.exec("PRAGMA page_size=16384")
    database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-${cacheKilobytes}`)
    // Otherwise the log keeps the size of the largest segment.
    database.exec(`PRAGMA journal_size_limit=${MAX_LOG_BYTES}`)
    return database
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { message: `${filename}: ${error.message}` }) : error
  }
}

const versionOf = (database: DatabaseSync): unknown => database.prepare("PRAGMA user_version").get()?.user_version
