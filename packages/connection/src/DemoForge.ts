/** The demonstration (`--demo`): a separate embedded forge with sample data for every screen. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as DataFolder from "@tongs/service/storage/DataFolder"
import { ConnectionError } from "./base/ConnectionError.ts"
import * as FileLock from "./base/FileLock.ts"
import { messageOf } from "./base/PlatformErrors.ts"

/** The account that is signed in; defined by the fixture file. */
const owner = "ada"

/** The current repository of the demonstration; defined by the fixture file. */
export const demoRepository = { owner: "north-pier", repo: "lighthouse" }

/** Tells the user that they see sample data. */
export const notice = "This is a demonstration. Its data is invented, and your changes can be lost at any time"

const waiting = Effect.logWarning("Waiting for another process to create the demonstration")

/**
 * The options of the embedded forge that serves the demonstration. Fails with `StorageFailed`.
 *
 * **Details**
 *
 * The data is in a cache folder named for the content of the fixture file, so that a new file gets a new forge. Folders of
 * earlier files are deleted unless a process uses them. A lock makes one process at a time check and create the folder.
 */
export const options = Effect.fnUntraced(function* (file: string, cache: string) {
  const creation = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
  const all = join(cache, "demo")
  const name = yield* attempt(() => {
    DataFolder.make(all)
    return createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 12)
  })
  const data = join(all, name)
  const marker = join(data, "complete")
  yield* Scope.provide(FileLock.acquire(join(cache, "demo.lock"), { timeout: Infinity, onWait: waiting }), creation)
  const isComplete = existsSync(marker)
  const obsolete = (yield* attempt(() => readdirSync(all))).filter((other) => other !== name || !isComplete)
  for (const other of obsolete) yield* removeUnused(join(all, other))
  yield* markInUse(data)
  const unlock = Scope.close(creation, Exit.void)
  if (isComplete) yield* unlock
  return {
    data,
    owner,
    adopts: false,
    fixtures: isComplete ? undefined : file,
    /** Run this after the fixture file has been loaded, so that later processes do not load it again. */
    complete: isComplete
      ? Effect.void
      : Effect.andThen(
          attempt(() => writeFileSync(marker, "")),
          unlock
        )
  }
})

const inUse = (data: string) => join(data, "in-use")

/** Prevents other processes from deleting the folder until the scope closes. */
const markInUse = (data: string) =>
  Effect.acquireRelease(FileLock.tryAcquire(inUse(data), true), (lock) =>
    Effect.sync(() => typeof lock === "object" && lock.close())
  )

const removeUnused = Effect.fnUntraced(function* (data: string) {
  const lock = yield* FileLock.tryAcquire(inUse(data))
  if (lock === "busy") return
  lock?.close()
  // Retries, because git children of a killed process may still write.
  yield* attempt(() => rmSync(data, { recursive: true, force: true, maxRetries: 5 }))
})

const attempt = <A>(action: () => A) =>
  Effect.try({
    try: action,
    catch: (cause) =>
      new ConnectionError({
        reason: "StorageFailed",
        detail: `Cannot create the demonstration: ${messageOf(cause)}`,
        hint: "Check the permissions of the cache folder and the free disk space"
      })
  })
