/** Helpers for the SQLite files of this package, without loading `node:sqlite`, which would slow down the start. */
import { rmSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"

/** Calls `prepare` with a database that was just opened. Closes the database if `prepare` throws. */
export const prepare = <A>(database: DatabaseSync, prepare: (database: DatabaseSync) => A): A => {
  try {
    return prepare(database)
  } catch (error) {
    database.close()
    throw error
  }
}

/** Extended result codes of SQLite (https://sqlite.org/rescode.html). */
export const codes = {
  error: 1,
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  notADatabase: 26,
  moved: 1032
}

/** Returns the extended result code of an SQLite error; 0 for any other error. */
export const extendedCode = (error: unknown): number =>
  typeof error === "object" && error !== null && "errcode" in error ? Number(error.errcode) : 0

/** Returns the primary result code of an SQLite error: the low byte of the extended code. */
export const primaryCode = (error: unknown): number => extendedCode(error) & 0xff

/** Removes a database, including the journal, write-ahead log and shared memory. */
export const remove = (path: string): void => {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(path + suffix, { force: true })
}
