import { open } from "node:fs/promises"

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
