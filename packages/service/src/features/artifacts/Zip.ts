/** Creates zip files. */
import { createWriteStream, readdirSync, statSync } from "node:fs"
import { basename, join, relative, sep } from "node:path"
import { pipeline } from "node:stream/promises"
import { ZipFile } from "yazl"

interface Entry {
  readonly path: string
  /** Path in the archive, with slashes. */
  readonly name: string
}

/** Files below a folder sorted by name, or the single file. Skips symbolic links, which can point outside. */
const entriesOf = (source: string): ReadonlyArray<Entry> => {
  if (statSync(source).isFile()) return [{ path: source, name: basename(source) }]
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, name: relative(source, path).split(sep).join("/") }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Writes a zip file of `source` to `target`, readable only for the owner. Rejects if `target` exists. */
export const write = async (source: string, target: string): Promise<void> => {
  const archive = new ZipFile()
  const failing = new AbortController()
  // yazl reports a read error with this event, and then never ends `outputStream`.
  archive.on("error", (error) => failing.abort(error))
  for (const { name, path } of entriesOf(source)) archive.addFile(path, name)
  archive.end()
  const output = createWriteStream(target, { flags: "wx", mode: 0o600, flush: true })
  try {
    await pipeline(archive.outputStream, output, { signal: failing.signal })
  } catch (error) {
    throw failing.signal.aborted ? failing.signal.reason : error
  }
}
