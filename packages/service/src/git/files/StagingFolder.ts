/** Folders for building content before a rename to the final path. The names contain the name of the process. */
import { lstatSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { join } from "node:path"
import * as ProcessName from "../../base/ProcessName.ts"
import { entries } from "./Files.ts"

/** Creates a temporary folder in `parent`. */
export const make = (parent: string): Promise<string> => mkdtemp(join(parent, `.new-${ProcessName.own}-`))

const names = new RegExp(`^\\.new-(?:${ProcessName.PATTERN}-)?`)

/** Temporary folders in `parent` that ended processes left behind, at the time `now` in epoch milliseconds. */
export const abandoned = (parent: string, now: number): ReadonlyArray<string> =>
  entries(parent).flatMap((entry) => {
    const match = names.exec(entry.name)
    if (match === null || !entry.isDirectory()) return []
    const path = join(parent, entry.name)
    const age = now - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now)
    return ProcessName.hasEnded(match[1], match[2], age) ? [path] : []
  })
