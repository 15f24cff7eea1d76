import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync
} from "node:fs"
import { open } from "node:fs/promises"

// Other programs may change these files at any time, so an unreadable file counts as absent.
const attempt = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** True for a regular file, or a link to one. */
export const isFile = (path: string): boolean => attempt(() => statSync(path).isFile()) ?? false

/** True for a directory, or a link to one. */
export const isDirectory = (path: string): boolean => attempt(() => statSync(path).isDirectory()) ?? false

/** True if the path exists, even as a dangling link. */
export const exists = (path: string): boolean => attempt(() => lstatSync(path)) !== undefined

/** Metadata of a path, or of a symbolic link itself. Undefined for a missing or unreadable path. */
export const entryOf = (path: string | Buffer): Stats | undefined =>
  attempt(() => lstatSync(path, { throwIfNoEntry: false }))

/** True for a pipe, device, socket or folder. Opening one could block forever. */
export const isIrregular = (path: string): boolean => attempt(() => !statSync(path).isFile()) ?? false

/** The absolute path without symbolic links; `undefined` if it does not exist. */
export const realpath = (path: string): string | undefined => attempt(() => realpathSync(path))

/** The target of a symbolic link; `undefined` for anything else. */
export const linkTarget = (path: string): string | undefined => attempt(() => readlinkSync(path))

/** The same as bytes, for a target that may not be valid UTF-8. */
export const linkTargetBytes = (path: string | Buffer): Buffer | undefined =>
  attempt(() => readlinkSync(path, "buffer"))

/** The entries of a folder; empty if it cannot be read. */
export const entries = (folder: string): ReadonlyArray<Dirent> =>
  attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []

/** Windows lacks the first two. `undefined` acts as 0. */
const { O_NOCTTY, O_NONBLOCK, O_RDONLY } = constants

/** Flags to open a file for reading without blocking, even if it is a pipe or a terminal. */
export const READ_FLAGS = O_RDONLY | O_NONBLOCK | O_NOCTTY

/** The text of a regular file of at most `maxBytes`, else `undefined`. Never blocks, not even on a pipe. */
export const readText = (path: string, maxBytes: number): string | undefined =>
  attempt(() => {
    const file = openSync(path, READ_FLAGS)
    try {
      if (!fstatSync(file).isFile()) return undefined
      const bytes = Buffer.alloc(Math.min(maxBytes, fstatSync(file).size) + 1)
      let length = 0
      for (let read = -1; read !== 0 && length < bytes.length; length += read) {
        read = readSync(file, bytes, length, bytes.length - length, length)
      }
      return length > maxBytes || length === bytes.length ? undefined : bytes.toString("utf8", 0, length)
    } finally {
      closeSync(file)
    }
  })

/** Maximum bytes of `HEAD`, `commondir` or a `.git` file. */
const MAX_POINTER_BYTES = 8192

/** The text of a file of at most 8 KiB without trailing white space; `undefined` if it cannot be read. */
export const readLine = (path: string): string | undefined => readText(path, MAX_POINTER_BYTES)?.trimEnd()

/** Runs fsync on a file or folder. Does nothing on Windows, which cannot open folders. */
export const flush = async (path: string): Promise<void> => {
  if (process.platform === "win32") return
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
