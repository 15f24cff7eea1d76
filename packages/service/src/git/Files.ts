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
  statSync
} from "node:fs"
import { open } from "node:fs/promises"

// These files belong to others, who may change them at any time: a file that cannot be read counts as absent.
const attempt = <A>(look: () => A): A | undefined => {
  try {
    return look()
  } catch {
    return undefined
  }
}

export const isFile = (path: string): boolean => attempt(() => statSync(path).isFile()) ?? false

export const isDirectory = (path: string): boolean => attempt(() => statSync(path).isDirectory()) ?? false

/** True for everything that has this name, a link that leads nowhere too. */
export const exists = (path: string): boolean => attempt(() => lstatSync(path)) !== undefined

/** True for a pipe, a device, a socket or a folder: opening it could wait for ever, and it holds no text. */
export const isIrregular = (path: string): boolean => attempt(() => !statSync(path).isFile()) ?? false

export const realpath = (path: string): string | undefined => attempt(() => realpathSync(path))

/** The target of a symbolic link. */
export const linkTarget = (path: string): string | undefined => attempt(() => readlinkSync(path))

export const entries = (folder: string): ReadonlyArray<Dirent> =>
  attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []

/** On Windows the first two are undefined, which counts as 0. */
const { O_NOCTTY, O_NONBLOCK, O_RDONLY } = constants

/** The text of a regular file of at most `maxBytes`. Never waits: a pipe is opened without its writer, and left. */
export const readText = (path: string, maxBytes: number): string | undefined =>
  attempt(() => {
    const file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
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

/** Bytes of a pointer file at most: `HEAD`, `commondir`, a `.git` file. */
const maxPointerBytes = 8192

/** The text of a small file without the line feed at its end. */
export const readLine = (path: string): string | undefined => readText(path, maxPointerBytes)?.trimEnd()

/** Waits until a file, or the list of files of a folder, is on disk. */
export const flush = async (path: string): Promise<void> => {
  // Folders cannot be opened there.
  if (process.platform === "win32") return
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
