/**
 * The file `database` in a data folder, which names the PostgreSQL database with the rows. Without the file, a start
 * without the database would silently begin an empty store.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { StorageFailed } from "./StorageFailed.ts"

/** Names a PostgreSQL database, without user and password. */
export const nameOf = (url: Redacted.Redacted): string => {
  const { host, pathname } = new URL(Redacted.value(url))
  return `postgres://${host}${pathname}`
}

const fileIn = (data: string) => join(data, "database")

/** Returns the name of the PostgreSQL database with the rows of a data folder. Undefined for SQLite. */
export const read = (data: string): string | undefined =>
  existsSync(fileIn(data)) ? readFileSync(fileIn(data), "utf8").trim() : undefined

/** Fails if the rows of a data folder are in another kind of database. `name` is the PostgreSQL database to open. */
export const check = (data: string, name: string | undefined): Effect.Effect<void, StorageFailed> =>
  Effect.suspend(() => {
    const marked = read(data)
    if (name === undefined && marked !== undefined) {
      return new StorageFailed({
        path: data,
        detail: `its rows are in ${marked}`,
        hint: "Name the database with --database or TONGS_DATABASE, or name another folder with --data"
      })
    }
    const store = join(data, "forge.db")
    if (name !== undefined && marked === undefined && existsSync(store)) {
      return new StorageFailed({
        path: data,
        detail: `its rows are in ${store}`,
        hint: `Copy them with tongs data copy --to ${name}, or name another folder with --data`
      })
    }
    return Effect.void
  })

/** Records the PostgreSQL database of a data folder. */
export const write = (data: string, name: string): Effect.Effect<void, StorageFailed> =>
  attempt(data, () => writeFileSync(fileIn(data), `${name}\n`, { mode: 0o600 }))

/** Records that the rows of a data folder are in SQLite. */
export const remove = (data: string): Effect.Effect<void, StorageFailed> =>
  attempt(data, () => rmSync(fileIn(data), { force: true }))

const attempt = (data: string, f: () => void) =>
  Effect.try({ try: f, catch: (cause) => new StorageFailed({ path: fileIn(data), detail: String(cause) }) })
