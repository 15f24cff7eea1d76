/** Writes loose objects as `git hash-object -w` does: with equal ids, durably and atomically. */
import { createHash, randomBytes } from "node:crypto"
import { type FileHandle, chmod, link, mkdir, open, rename, rm, stat, utimes } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { deflate, deflateSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { codeOf } from "../../base/SystemError.ts"
import { flush } from "../../base/Flush.ts"
import { isDirectory } from "../files/Files.ts"
import { type GitError, gitError, unavailable } from "../values/GitError.ts"
import type { ObjectFormat, ObjectType } from "../values/GitObject.ts"
import * as ServedDir from "../files/ServedDir.ts"
import * as SharedPermissions from "../files/SharedPermissions.ts"

/** The folder, format and permissions of the objects of a repository. */
export interface ObjectStore {
  /** The isolated git directory, whose `objects` is a link to the objects of the repository. */
  readonly gitDir: string
  readonly format: ObjectFormat
  /** `core.sharedRepository` */
  readonly shared: string | undefined
  /** False for objects that can be written again and need not survive a crash. Default: true. */
  readonly isDurable?: boolean
}

/** Size in bytes from which objects are compressed in another thread. */
const THREADED_BYTES = 32_768

/** The level of `core.looseCompression` in git. */
const LEVEL = 1

const deflateAsync = promisify(deflate)

export const idOf = (type: ObjectType, content: Uint8Array, format: ObjectFormat): string =>
  createHash(format).update(headerOf(type, content)).update(content).digest("hex")

const headerOf = (type: ObjectType, content: Uint8Array) => Buffer.from(`${type} ${content.length}\0`)

/**
 * Writes an object and gives the id. Like git, only renews the time of an existing loose object, so that `git prune`
 * keeps the object. An object in a pack gets a loose copy, because the pack may be about to be removed.
 */
export const write = (store: ObjectStore, type: ObjectType, content: Uint8Array): Effect.Effect<string, GitError> =>
  Effect.suspend(() => {
    const oid = idOf(type, content, store.format)
    return Effect.as(
      Effect.uninterruptible(
        Effect.tryPromise({ try: () => writeFile(store, oid, type, content), catch: toGitError(store) })
      ),
      oid
    )
  })

const writeFile = async (store: ObjectStore, oid: string, type: ObjectType, content: Uint8Array): Promise<void> => {
  const objects = join(store.gitDir, "objects")
  const folder = join(objects, oid.slice(0, 2))
  const path = join(folder, oid.slice(2))
  if (await renew(path)) return
  const bytes = Buffer.concat([headerOf(type, content), content])
  const compressed =
    bytes.length < THREADED_BYTES ? deflateSync(bytes, { level: LEVEL }) : await deflateAsync(bytes, { level: LEVEL })
  const { file, temporary } = await create(store, folder)
  try {
    try {
      await file.writeFile(compressed)
      await share(store, file)
      if (store.isDurable !== false) await file.sync()
    } finally {
      await file.close()
    }
    await publish(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
  if (store.isDurable !== false) await flushIfPresent(folder)
}

/** `git repack -d` removes the folder after it has moved the object to a pack, which it flushes. */
const flushIfPresent = async (folder: string) => {
  try {
    await flush(folder)
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw cause
  }
}

/**
 * Renews the time of an existing file. False for a file that is missing or cannot be changed; git then writes the
 * object.
 */
const renew = async (path: string): Promise<boolean> => {
  try {
    const now = new Date()
    await utimes(path, now, now)
    return true
  } catch {
    return false
  }
}

/** Attempts to create a file in a folder: `git repack -d` removes folders that are empty at the moment. */
const MAX_ATTEMPTS = 20

/** Creates a temporary file in the folder of the object, with the name that `git prune` removes after a crash. */
const create = async (store: ObjectStore, folder: string) => {
  const temporary = join(folder, `tmp_obj_${randomBytes(6).toString("hex")}`)
  const openNew = async () => ({ file: await open(temporary, "wx", 0o444), temporary })
  for (let attempt = 1; ; attempt++) {
    try {
      if (attempt > 1) await makeFolder(store, folder)
      return await openNew()
    } catch (cause) {
      if (codeOf(cause) !== "ENOENT" || attempt === MAX_ATTEMPTS) throw cause
    }
  }
}

const makeFolder = async ({ gitDir, shared }: ObjectStore, folder: string) => {
  try {
    await mkdir(folder)
  } catch (cause) {
    // Another writer may have created the folder.
    if (codeOf(cause) !== "EEXIST") throw cause
    return
  }
  const { mode } = await stat(folder)
  const adjusted = SharedPermissions.adjust(shared, mode, true)
  if (adjusted !== mode) await chmod(folder, adjusted & 0o7777)
  await flush(join(gitDir, "objects"))
}

const share = async ({ shared }: ObjectStore, file: FileHandle) => {
  if (shared === undefined) return
  const { mode } = await file.stat()
  const adjusted = SharedPermissions.adjust(shared, mode, false)
  if (adjusted !== mode) await file.chmod(adjusted & 0o7777)
}

/** Links the file to the final path. File systems without links need a rename. */
const publish = async (temporary: string, path: string) => {
  try {
    await link(temporary, path)
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") await rename(temporary, path)
  }
}

const toGitError =
  ({ gitDir }: ObjectStore) =>
  (cause: unknown): GitError => {
    const code = codeOf(cause)
    const path = ServedDir.of(gitDir)
    if (!isDirectory(join(gitDir, "objects"))) return gitError({ _tag: "NotARepository", path })
    return code === "EMFILE" || code === "ENFILE" || code === "ENOMEM"
      ? unavailable(`Cannot write an object of ${path}: ${String(cause)}`)
      : gitError({ _tag: "NotWritable", path, detail: String(cause) })
  }
