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

/** Metadata of a path without following a symbolic link. Undefined for a missing or unreadable path. */
export const entryOf = (path: string | Buffer): Stats | undefined =>
  attempt(() => lstatSync(path, { throwIfNoEntry: false }))

/** True for a pipe, device, socket or folder, which could block forever when opened. */
export const isIrregular = (path: string): boolean => attempt(() => !statSync(path).isFile()) ?? false

/** The absolute path without symbolic links; `undefined` for a missing path. */
export const realpath = (path: string): string | undefined => attempt(() => realpathSync(path))

/** The target of a symbolic link; `undefined` for anything else. */
export const linkTarget = (path: string): string | undefined => attempt(() => readlinkSync(path))

/** The target as bytes, because a target may not be valid UTF-8. */
export const linkTargetBytes = (path: string | Buffer): Buffer | undefined =>
  attempt(() => readlinkSync(path, "buffer"))

/** The entries of a folder; empty for an unreadable folder. */
export const entries = (folder: string): ReadonlyArray<Dirent> =>
  attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []

/** Windows lacks `O_NOCTTY` and `O_NONBLOCK`. `undefined` acts as 0. */
const { O_NOCTTY, O_NONBLOCK, O_RDONLY } = constants

/** Flags to open a file for reading without blocking, even for a pipe or a terminal. */
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

/** The text of a file of at most 8 KiB without trailing white space; `undefined` for an unreadable file. */
export const readLine = (path: string): string | undefined => readText(path, MAX_POINTER_BYTES)?.trimEnd()
