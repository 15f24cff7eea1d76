/** The demonstration: a forge apart from the person's, with something to see on every screen. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as DataFolder from "@tongs/service/storage/DataFolder"
import { ConnectionError } from "./base/ConnectionError.ts"
import * as FileLock from "./base/FileLock.ts"

/** Whose it is, and the repository that one stands in: the fixture file has both. */
const owner = "ada"
export const demoRepository = { owner: "north-pier", repo: "lighthouse" }

export const notice =
  "This is a demonstration. Nothing in it is real, and what you change in it can be lost at any time"

const waiting = Effect.logWarning("Another process is making the demonstration, and this one waits for it")

/**
 * What the embedded forge is made with. It lies in the cache, in a folder that is named for the file's content: another
 * file makes another forge, and those of files before go, unless somebody has them open. One process at a time makes one,
 * or looks whether it is there.
 */
export const options = Effect.fnUntraced(function* (file: string, cache: string) {
  const making = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
  const all = join(cache, "demo")
  const name = yield* attempt(() => {
    DataFolder.make(all)
    return createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 12)
  })
  const data = join(all, name)
  const done = join(data, "complete")
  yield* Scope.provide(FileLock.acquire(join(cache, "demo.lock"), { timeout: Infinity, onWait: waiting }), making)
  const isThere = existsSync(done)
  // One that was not completed begins anew.
  const over = (yield* attempt(() => readdirSync(all))).filter((other) => other !== name || !isThere)
  for (const other of over) yield* removeUnused(join(all, other))
  yield* use(data)
  const leave = Scope.close(making, Exit.void)
  if (isThere) yield* leave
  return {
    data,
    owner,
    adopts: false,
    fixtures: isThere ? undefined : file,
    /** To be called when the file has been loaded: it is not loaded again. */
    complete: isThere
      ? Effect.void
      : Effect.andThen(
          attempt(() => writeFileSync(done, "")),
          leave
        )
  }
})

const inUse = (data: string) => join(data, "in-use")

/** As long as the scope lasts, nobody removes it. */
const use = (data: string) =>
  Effect.acquireRelease(FileLock.tryAcquire(inUse(data), true), (held) =>
    Effect.sync(() => typeof held === "object" && held.close())
  )

const removeUnused = Effect.fnUntraced(function* (data: string) {
  const held = yield* FileLock.tryAcquire(inUse(data))
  if (held === "busy") return
  held?.close()
  // What git was at for a process that was killed may not be over.
  yield* attempt(() => rmSync(data, { recursive: true, force: true, maxRetries: 5 }))
})

const attempt = <A>(action: () => A) =>
  Effect.try({
    try: action,
    catch: (cause) =>
      new ConnectionError({
        reason: "StorageFailed",
        detail: `The demonstration cannot be made: ${cause instanceof Error ? cause.message : String(cause)}`,
        hint: "Check that the cache folder is yours and the disk is not full"
      })
  })
