/** Reads files of a work tree safely, while other programs change them. For workers, which do not use Effect. */
import { createHash } from "node:crypto"
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { entryOf, linkTargetBytes, realpath } from "../files/Files.ts"
import type { ObjectFormat } from "../values/GitObject.ts"

/** Size and content of a file in a work tree. */
export interface WorkTreeContent {
  /** Size of the file in bytes. */
  readonly size: number
  /** Content of the file. Undefined if the size exceeds the limit. */
  readonly bytes: Buffer | undefined
  /** The id that git gives to a blob with this content. Undefined without `bytes`. */
  readonly oid: string | undefined
  /** False if the file changed during every attempt to read. */
  readonly isStable: boolean
}

/** Windows lacks the first three flags. `undefined` acts as 0. */
const { O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/** Number of attempts to read a file that changes during the read. The last attempt counts. */
const ATTEMPTS = 3

/**
 * Reads the regular file at `path` in the work tree `folder`, of up to `limit` bytes. Returns undefined for anything else:
 * a missing file, a link, a path through a link, a pipe or a device. Never blocks. `folder` must have no links.
 */
export const read = (
  folder: string,
  path: string,
  limit: number,
  objectFormat: ObjectFormat = "sha1"
): WorkTreeContent | undefined => {
  if (!isInside(path)) return undefined
  const name = nameOnDisk(folder, path)
  if (name === undefined) return undefined
  try {
    // Opening a device can have effects, so check the type first.
    if (!lstatSync(name).isFile()) return undefined
    const file = openSync(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    try {
      return isAt(file, name) ? readFile(file, limit, objectFormat) : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    // The file vanished, or this user cannot read the file.
    return undefined
  }
}

/**
 * Returns the target of the symbolic link at `path` in the work tree `folder`. Undefined for anything else, and for a
 * path through another link. `folder` must have no links.
 */
export const readLink = (folder: string, path: string): Buffer | undefined => {
  const name = isInside(path) ? nameOnDisk(folder, path) : undefined
  const target = name === undefined ? undefined : linkTargetBytes(name)
  const parent = dirname(join(folder, path))
  return realpath(parent) === parent ? target : undefined
}

const blobId = (bytes: Uint8Array, objectFormat: ObjectFormat): string =>
  createHash(objectFormat).update(`blob ${bytes.length}\0`).update(bytes).digest("hex")

const readFile = (file: number, limit: number, objectFormat: ObjectFormat): WorkTreeContent | undefined => {
  for (let attempt = 1; ; attempt++) {
    const before = fstatSync(file)
    if (!before.isFile()) return undefined
    if (before.size > limit) return { size: before.size, bytes: undefined, oid: undefined, isStable: true }
    // One more byte shows whether the file grew.
    const buffer = Buffer.alloc(before.size + 1)
    const length = readAll(file, buffer)
    const after = fstatSync(file)
    const isStable = length === before.size && after.size === before.size && after.mtimeMs === before.mtimeMs
    if (!isStable && attempt < ATTEMPTS) continue
    const bytes = buffer.subarray(0, Math.min(length, before.size))
    return { size: bytes.length, bytes, oid: blobId(bytes, objectFormat), isStable }
  }
}

const readAll = (file: number, buffer: Buffer): number => {
  let length = 0
  for (let count = -1; count !== 0 && length < buffer.length; length += count) {
    count = readSync(file, buffer, length, buffer.length - length, length)
  }
  return length
}

/** True for a relative path without `..`, `.git` and empty components. */
const isInside = (path: string) =>
  !path.includes("\0") && path.split("/").every((part) => !/^(?:\.{0,2}|\.git)$/i.test(part))

/** True if an open file is the one at `name`, so that no folder of the path is a link. */
const isAt = (file: number, name: Buffer): boolean => {
  const actual = linkTargetBytes(`/proc/self/fd/${file}`)
  if (actual !== undefined) return actual.equals(name)
  const [opened, listed] = [fstatSync(file), lstatSync(name)]
  const text = name.toString()
  return opened.ino === listed.ino && opened.dev === listed.dev && realpathSync(dirname(text)) === dirname(text)
}

/**
 * The bytes of an absolute path. Paths are decoded component by component, as UTF-8 or else as Latin-1
 * (`TextDecoding.decodeNames`), so each component has at most two encodings.
 */
const nameOnDisk = (folder: string, path: string): Buffer | undefined => {
  const direct = Buffer.from(folder + sep + path)
  if (entryOf(direct) !== undefined || !/[\x80-\xff]/.test(path)) return direct
  let name = Buffer.from(folder)
  for (const part of path.split("/")) {
    const found = [Buffer.from(part), Buffer.from(part, "latin1")]
      .map((bytes) => Buffer.concat([name, Buffer.from(sep), bytes]))
      .find((candidate) => entryOf(candidate) !== undefined)
    if (found === undefined) return undefined
    name = found
  }
  return name
}
