/** Files of the data folder that only the owner can read: keys and the owner's token. */
import { randomBytes, randomUUID } from "node:crypto"
import { chmodSync, existsSync, linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { StorageFailed } from "./StorageFailed.ts"

/** Length of a key in bytes. */
const KEY_LENGTH = 32

/** Reads a one-line file; creates a missing file with `make`. Concurrent processes get the same line. */
export const line = (path: string, make: () => string): Effect.Effect<string, StorageFailed> =>
  attempt(path, () => readLine(path, make))

/** Reads a file, which may not exist. */
export const find = (path: string): Effect.Effect<string | undefined, StorageFailed> =>
  attempt(path, () => (existsSync(path) ? read(path) : undefined))

/** Reads a file with a key of 32 random bytes; creates a missing file. */
export const key = (path: string): Effect.Effect<Buffer, StorageFailed> =>
  attempt(path, () => {
    const key = Buffer.from(
      readLine(path, () => randomBytes(KEY_LENGTH).toString("hex")),
      "hex"
    )
    if (key.length !== KEY_LENGTH) throw new Error(`it does not hold ${KEY_LENGTH} bytes in hexadecimal digits`)
    return key
  })

const attempt = <A>(path: string, f: () => A): Effect.Effect<A, StorageFailed> =>
  Effect.try({ try: f, catch: (cause) => new StorageFailed({ path, detail: String(cause) }) })

const readLine = (path: string, make: () => string): string => {
  if (!existsSync(path)) place(path, make(), linkSync)
  else if (read(path) === "") place(path, make(), renameSync)
  chmodSync(path, 0o600)
  return read(path)
}

const read = (path: string) => readFileSync(path, "utf8").trim()

/**
 * Creates a file atomically: writes a temporary file, then links or renames that file. A link never replaces a file.
 */
const place = (path: string, content: string, put: typeof linkSync | typeof renameSync) => {
  const aside = `${path}.${randomUUID()}`
  writeFileSync(aside, `${content}\n`, { mode: 0o600, flag: "wx", flush: true })
  try {
    put(aside, path)
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
  } finally {
    if (existsSync(aside)) unlinkSync(aside)
  }
}
