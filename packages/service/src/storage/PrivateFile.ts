/** What a data folder keeps in files of their own that nobody else may read: keys, and the owner's token. */
import { randomBytes, randomUUID } from "node:crypto"
import { chmodSync, existsSync, linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { StorageFailed } from "./StorageFailed.ts"

/** Bytes of a key. */
const keyLength = 32

/** The line in a file, made on first use; the same for all processes that ask at once. */
export const line = (path: string, make: () => string): Effect.Effect<string, StorageFailed> =>
  attempt(path, () => readLine(path, make))

/** 32 random bytes, made on first use. */
export const key = (path: string): Effect.Effect<Buffer, StorageFailed> =>
  attempt(path, () => {
    const key = Buffer.from(
      readLine(path, () => randomBytes(keyLength).toString("hex")),
      "hex"
    )
    if (key.length !== keyLength) throw new Error(`it does not hold ${keyLength} bytes in hexadecimal digits`)
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

/** Writes beside the place and puts it there: whole or not at all. A link is never over what another process put. */
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
