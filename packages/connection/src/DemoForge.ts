/** The demonstration (`--demo`): a separate embedded forge with sample data for every screen. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as DataFolder from "@tongs/service/storage/DataFolder"
import { ConnectionError } from "./base/ConnectionError.ts"
import * as FileLock from "./base/FileLock.ts"
import { messageOf } from "./base/PlatformErrors.ts"

/** The login of the demonstration's user. The fixture file defines the account. */
const OWNER = "ada"

/** The current repository of the demonstration, which the fixture file defines. */
export const demoRepository = { owner: "north-pier", repo: "lighthouse" }

/** The notice to users that the data is a sample. */
export const NOTICE = "Demonstration: the data is invented, changes can be lost"

const DAY_MILLIS = 24 * 60 * 60 * 1000

const waiting = Effect.logWarning("Waiting for another process to create the demonstration")

/**
 * Prepares the data folder of the demonstration, and returns the options of its embedded forge. Fails with
 * `StorageFailed` if the folder cannot be written.
 *
 * **Details**
 *
 * The name of the data folder is a digest of the fixture file and the day, so that a changed file gets a new forge, and
 * that times relative to now stay recent. Earlier folders are deleted unless a process uses them. A lock lets one process
 * at a time check and create the folder.
 */
export const options = Effect.fnUntraced(function* (file: string, cache: string) {
  const creation = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
  const all = join(cache, "demo")
  const day = Math.floor((yield* Clock.currentTimeMillis) / DAY_MILLIS)
  const name = yield* attempt(() => {
    DataFolder.make(all)
    return createHash("sha256").update(readFileSync(file)).update(String(day)).digest("hex").slice(0, 12)
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
    owner: OWNER,
    adopts: false,
    fixtures: isComplete ? undefined : file,
    /** Records that the fixture file has been loaded, so that later processes do not load it again. */
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
  // Retries, because git processes that a killed process started may still write to the folder.
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
