/** A key of the data folder, in a file of its own that nobody else may read; made on first use. */
import { randomBytes, randomUUID } from "node:crypto"
import { chmodSync, existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { StorageFailed } from "./Storage.ts"

/** How many bytes a key has. */
const length = 32

/** The key: whole or not at all. Of two processes that start at once, the one that links its file first decides. */
export const read = (path: string): Effect.Effect<Buffer, StorageFailed> =>
  Effect.try({
    try: () => {
      if (!existsSync(path)) make(path)
      const key = Buffer.from(readFileSync(path, "utf8").trim(), "hex")
      if (key.length !== length) throw new Error(`it does not hold ${length} bytes in hexadecimal digits`)
      chmodSync(path, 0o600)
      return key
    },
    catch: (cause) => new StorageFailed({ path, detail: String(cause) })
  })

const make = (path: string) => {
  const aside = `${path}.${randomUUID()}`
  writeFileSync(aside, `${randomBytes(length).toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true })
  try {
    linkSync(aside, path)
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
  } finally {
    unlinkSync(aside)
  }
}
