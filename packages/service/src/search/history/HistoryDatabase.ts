/**
 * Database files of the history index: one for each repository, in a folder for this version of the format. A broken
 * file is deleted and built again.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { CommitGraph } from "./CommitGraph.ts"

/** Version of the database schema, of the terms and of the value encoding. */
const VERSION = 1

/** Milliseconds without use after which a file, or the folder of another version, is deleted. */
const DISUSE = 30 * 24 * 60 * 60 * 1_000

/** Milliseconds that a statement waits for a lock of another process. */
const BUSY_TIMEOUT = 10_000

const SCHEMA = `
CREATE TABLE history (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  boundary TEXT NOT NULL, -- commits of a shallow clone whose parents are absent, at which the diffs are different
  indexed INTEGER NOT NULL DEFAULT 0 -- number of commits whose changes are indexed, the first ones of the graph
);
-- Ranges of commits, parents before children. The numbers of commits are those of CommitGraph.
CREATE TABLE commits (
  first INTEGER PRIMARY KEY,
  count INTEGER NOT NULL,
  oids BLOB NOT NULL,
  dates BLOB NOT NULL,
  first_parents BLOB NOT NULL,
  other_parents BLOB NOT NULL
);
-- Commits whose changes have too many terms, or could not be read. Each is a candidate of every query.
CREATE TABLE broad (commit_number INTEGER PRIMARY KEY);
-- Posting lists: the commits that added or removed a line with a term, per segment of commits.
CREATE TABLE segments (id INTEGER PRIMARY KEY, first INTEGER NOT NULL, count INTEGER NOT NULL);
CREATE TABLE postings (id INTEGER PRIMARY KEY, lists BLOB NOT NULL);
-- Lease of the process that may write, until a time in milliseconds since the epoch.
CREATE TABLE writer (id INTEGER PRIMARY KEY CHECK (id = 1), process TEXT NOT NULL, until INTEGER NOT NULL);
`

/** Returns the folder of this version's files in a data folder. */
export const folderIn = (data: string): string => join(data, `history-${VERSION}`)

/** Returns the file for a git directory. */
export const fileOf = (folder: string, gitDir: string): string =>
  join(folder, `${createHash("sha256").update(gitDir).digest("hex").slice(0, 32)}.sqlite`)

/** Returns the boundary of a shallow clone: the commits whose parents are absent. Empty for a full clone. */
export const readBoundary = (gitDir: string): string => {
  try {
    return readFileSync(join(gitDir, "shallow"), "latin1")
  } catch {
    return ""
  }
}

/** Opens the file of a repository for writing. Creates a missing file, and replaces a corrupt or outdated one. */
export const open = (filename: string, boundary: string): DatabaseSync => {
  const existing = openExisting(filename)
  if (existing !== undefined) {
    if (existing.prepare("SELECT boundary FROM history").get()?.boundary === boundary) return existing
    existing.close()
  }
  remove(filename)
  mkdirSync(dirname(filename), { recursive: true })
  const database = connect(filename)
  // Another process can create the file at the same time.
  database.exec("BEGIN IMMEDIATE")
  if (versionOf(database) !== VERSION) {
    database.exec(`${SCHEMA}; PRAGMA user_version=${VERSION}`)
    database.prepare("INSERT INTO history (id, boundary) VALUES (1, ?)").run(boundary)
  }
  database.exec("COMMIT")
  return database
}

/** Opens a file if it exists and has this version. Deletes a corrupt file. */
export const openExisting = (filename: string): DatabaseSync | undefined => {
  if (!existsSync(filename)) return undefined
  let database: DatabaseSync | undefined
  try {
    database = connect(filename)
    if (versionOf(database) === VERSION) return database
  } catch (error) {
    if (!isBroken(error)) throw error
    remove(filename)
  }
  database?.close()
  return undefined
}

/** True for SQLite's codes of a corrupt file (11) and of a file without a database (26). */
export const isBroken = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && (error.errcode === 11 || error.errcode === 26)

/** Deletes a file. */
export const remove = (filename: string): void => {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(filename + suffix, { force: true })
}

/** Marks a file as used. */
export const touch = (filename: string): void => {
  if (existsSync(filename)) utimesSync(filename, new Date(), new Date())
}

/** Deletes the files in a folder, and the folders of other versions, that have not been used for 30 days. */
export const removeUnused = (folder: string): void => {
  const isUnused = (path: string) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > DISUSE
  const parent = dirname(folder)
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const other = join(parent, name)
    if (/^history-\d+$/.test(name) && other !== folder && isUnused(other))
      rmSync(other, { recursive: true, force: true })
  }
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const file = join(folder, name)
    if (name.endsWith(".sqlite") && isUnused(file)) remove(file)
  }
}

/** Returns the number of commits whose changes are indexed. */
export const indexedCount = (database: DatabaseSync): number =>
  Number(database.prepare("SELECT indexed FROM history").get()?.indexed ?? 0)

/** Adds the stored commits that a graph lacks. */
export const loadCommits = (database: DatabaseSync, graph: CommitGraph): void => {
  const rows = database.prepare("SELECT * FROM commits WHERE first >= ? ORDER BY first").all(graph.size)
  for (const { dates, first, first_parents: firstParents, oids, other_parents: otherParents } of rows) {
    if (Number(first) !== graph.size) throw new Error("the history index lacks some commits")
    if (!(oids instanceof Uint8Array) || !(dates instanceof Uint8Array)) continue
    if (!(firstParents instanceof Uint8Array) || !(otherParents instanceof Uint8Array)) continue
    graph.addEncoded({ oids, dates, firstParents, otherParents })
  }
}

/** Writes a range of the commits of a graph. */
export const saveCommits = (database: DatabaseSync, graph: CommitGraph, from: number, to: number): void => {
  const { dates, firstParents, oids, otherParents } = graph.encode(from, to)
  database
    .prepare("INSERT INTO commits (first, count, oids, dates, first_parents, other_parents) VALUES (?, ?, ?, ?, ?, ?)")
    .run(from, to - from, oids, dates, firstParents, otherParents)
}

const connect = (filename: string): DatabaseSync => {
  const database = new DatabaseSync(filename, { timeout: BUSY_TIMEOUT })
  database.exec("PRAGMA page_size=16384")
  database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-8192")
  return database
}

const versionOf = (database: DatabaseSync): unknown => database.prepare("PRAGMA user_version").get()?.user_version
