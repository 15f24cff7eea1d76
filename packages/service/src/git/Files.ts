import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { open } from "node:fs/promises"

// Looking at files that other programs change at any time: what cannot be read is as good as absent.
const attempt = <A>(look: () => A): A | undefined => {
  try {
    return look()
  } catch {
    return undefined
  }
}

export const isFile = (path: string): boolean => attempt(() => statSync(path).isFile()) ?? false

export const isDirectory = (path: string): boolean => attempt(() => statSync(path).isDirectory()) ?? false

export const realpath = (path: string): string | undefined => attempt(() => realpathSync(path))

export const entries = (folder: string): ReadonlyArray<Dirent> =>
  attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []

/** Bytes of a pointer file at most: `HEAD`, `commondir`, a `.git` file. */
const maxPointerBytes = 8192

/** The text of a small file without the line feed at its end. */
export const readLine = (path: string): string | undefined =>
  attempt(() => {
    const { size } = statSync(path)
    return size > maxPointerBytes ? undefined : readFileSync(path, "utf8").trimEnd()
  })

/** Waits until a file, or what a folder lists, is on disk. */
export const flush = async (path: string): Promise<void> => {
  // There, folders cannot be opened.
  if (process.platform === "win32") return
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
