/**
 * Database file of the index. A broken file is deleted and rebuilt from git. Each version of the index has a separate
 * file, because programs of different versions can share a data folder.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"

/** Version of the database schema, of the value encoding and of the decoding of files. */
const VERSION = 6

/** Milliseconds without use after which the file of another version is deleted. */
const DISUSE = 30 * 24 * 60 * 60 * 1_000

/** Milliseconds that a statement waits for a lock of another process. */
const BUSY_TIMEOUT = 10_000

const SCHEMA = `
-- State of each indexed repository. All repositories share the documents and terms.
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
-- Contents of files. Ids are not reused.
CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  oid TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  reason TEXT, -- reason why it is not searchable, if it is not
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
-- Posting lists: the documents of each term, per segment of documents that were indexed together.
CREATE TABLE segments (id INTEGER PRIMARY KEY, first INTEGER NOT NULL, count INTEGER NOT NULL);
CREATE TABLE postings (
  segment INTEGER NOT NULL,
  term INTEGER NOT NULL,
  documents NOT NULL,
  PRIMARY KEY (segment, term)
) WITHOUT ROWID;
-- Terms of the documents outside segments.
CREATE TABLE fresh (document INTEGER PRIMARY KEY, terms BLOB NOT NULL);
-- Lease of the process that may write, until a time in milliseconds since the epoch.
CREATE TABLE writer (id INTEGER PRIMARY KEY CHECK (id = 1), process TEXT NOT NULL, until INTEGER NOT NULL);
`

/** Returns the path of this version's index in a data folder. */
export const fileIn = (data: string): string => join(data, `index-${VERSION}.sqlite`)

/**
 * Opens the index for reading and writing. Creates a missing index, and replaces a corrupt index or an index of another
 * version. Throws SQLite's error with the filename in the message if the file cannot be opened.
 */
export const open = (filename: string): DatabaseSync => {
  const existing = openExisting(filename)
  if (existing !== undefined) return existing
  remove(filename)
  mkdirSync(dirname(filename), { recursive: true })
  const database = connect(filename)
  // Another process can create the index at the same time.
  database.exec("BEGIN IMMEDIATE")
  if (versionOf(database) !== VERSION) database.exec(`${SCHEMA}; PRAGMA user_version=${VERSION}`)
  database.exec("COMMIT")
  return database
}

const openExisting = (filename: string): DatabaseSync | undefined => {
  if (!existsSync(filename)) return undefined
  try {
    const database = connect(filename)
    if (versionOf(database) === VERSION) return database
    database.close()
  } catch (error) {
    if (!isBroken(error)) throw error
  }
  return undefined
}

/** Marks an index file as used, and removes index files of other versions that have not been used for 30 days. */
export const removeUnused = (filename: string): void => {
  utimesSync(filename, new Date(), new Date())
  const folder = dirname(filename)
  for (const name of readdirSync(folder)) {
    const other = join(folder, name)
    if (!/^index(-\d+)?\.sqlite$/.test(name) || other === filename) continue
    const used = [other, `${other}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (Date.now() - Math.max(...used) > DISUSE) remove(other)
  }
}

/**
 * Holds a value made from the open database, and makes a new value when this or another process has replaced the file.
 * Deletes the file if an error shows that it is corrupt. `use` rethrows errors; `failed` handles asynchronous errors.
 */
export const makeHandle = <A>(filename: string, make: (database: DatabaseSync) => A) => {
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
    // Keeps a file that another process has already replaced.
    if (isBroken(error) && (made === undefined || made.file === file())) remove(filename)
    if (codeOf(error) === FULL) made?.database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
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

/** SQLite's code for a full disk. Truncating the write-ahead log then frees the space of the failed transaction. */
const FULL = 13

/** True for SQLite's codes of a corrupt file (11) and of a file without a database (26). */
const isBroken = (error: unknown): boolean => [11, 26].some((code) => code === codeOf(error))

const remove = (filename: string): void => {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(filename + suffix, { force: true })
}

const connect = (filename: string): DatabaseSync => {
  try {
    const database = new DatabaseSync(filename, { timeout: BUSY_TIMEOUT })
    database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32768")
    return database
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { message: `${filename}: ${error.message}` }) : error
  }
}

const versionOf = (database: DatabaseSync): unknown => database.prepare("PRAGMA user_version").get()?.user_version
