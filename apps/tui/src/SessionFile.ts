/** The file with the sessions of the terminal UI: one for each forge and repository. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Maximum number of sessions to keep. */
const MAX_SESSIONS = 50

/** Maximum size of the file in bytes. A larger file is not ours. */
const MAX_BYTES = 1_000_000

const Sessions = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
const decode = Schema.decodeUnknownOption(Sessions)

/** Returns the path of the file in the folder for state. */
const pathIn = (folder: string): string => Path.join(folder, "sessions.json")

const readAll = (folder: string): Readonly<Record<string, unknown>> => {
  try {
    const status = Fs.statSync(pathIn(folder))
    // A pipe would block.
    if (!status.isFile() || status.size > MAX_BYTES) return {}
    return Option.getOrElse(decode(Fs.readFileSync(pathIn(folder), "utf8")), () => ({}))
  } catch {
    return {}
  }
}

/** Reads the session with a name; undefined without one, or if the file is not readable. */
export const read = (folder: string, name: string): unknown => {
  const all = readAll(folder)
  return Object.hasOwn(all, name) ? all[name] : undefined
}

/** Saves the session with a name. A failure is ignored, because a session is a convenience. */
export const write = (folder: string, name: string, session: unknown): void => {
  const others = Object.entries(readAll(folder)).filter(([other]) => other !== name)
  const all = [...others.slice(-(MAX_SESSIONS - 1)), [name, session]]
  // A larger file would never be read again. Keeps the latest sessions.
  while (all.length > 1 && Buffer.byteLength(JSON.stringify(all)) > MAX_BYTES / 2) all.shift()
  const temporary = `${pathIn(folder)}.${process.pid}`
  try {
    Fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    Fs.writeFileSync(temporary, JSON.stringify(Object.fromEntries(all)), { mode: 0o600 })
    Fs.renameSync(temporary, pathIn(folder))
  } catch {
    try {
      Fs.rmSync(temporary, { force: true })
    } catch {
      // The path can be the path of a file instead of a folder.
    }
  }
}
