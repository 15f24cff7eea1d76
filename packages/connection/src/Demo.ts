/** The demonstration: a forge apart from the person's, with something to see on every screen. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { ConnectionError } from "./ConnectionError.ts"

/** Whose it is, and the repository that one stands in: the fixture file has both. */
const owner = "ada"
export const here = { owner: "north-pier", repo: "lighthouse" }

export const notice =
  "This is a demonstration. Nothing in it is real, and what you change in it can be lost at any time"

/**
 * What the embedded forge is made with. It lies in the cache, in a folder that is named for the file's content: another
 * file makes another forge, and those of files before go.
 */
export const options = Effect.fnUntraced(function* (file: string, cache: string) {
  return yield* Effect.try({
    try: () => {
      const all = join(cache, "demo")
      const name = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 12)
      const data = join(all, name)
      const done = join(data, "complete")
      mkdirSync(all, { recursive: true })
      for (const other of readdirSync(all)) {
        // One that was not completed begins anew.
        if (other !== name || !existsSync(done)) rmSync(join(all, other), { recursive: true, force: true })
      }
      return {
        data,
        owner,
        adopts: false,
        fixtures: existsSync(done) ? undefined : file,
        /** To be called when the file has been loaded: it is not loaded again. */
        complete: Effect.sync(() => writeFileSync(done, ""))
      }
    },
    catch: (cause) =>
      new ConnectionError({
        reason: "StorageFailed",
        detail: `The demonstration cannot be made: ${cause instanceof Error ? cause.message : String(cause)}`,
        hint: "Check that the cache folder is yours and the disk is not full"
      })
  })
})
