/** The files that a C file includes. */
import * as CIncludes from "@tongs/syntax/navigation/CIncludes"
import * as ModulePaths from "./ModulePaths.ts"
import type { Commit, RepositoryFiles } from "../RepositoryFiles.ts"
import * as WorkLimit from "../WorkLimit.ts"

/** Maximum depth, number of files and time in milliseconds in which included files are followed. */
const MAX_DEPTH = 5
const MAX_FILES = 400
const MAX_MILLIS = 250

/** Maximum number of files that one file includes, and length of the text that has them. */
const MAX_TARGETS = 200
const MAX_LENGTH = 200_000

/** Returns the files that a file includes, directly or through other files, and the file itself. */
export const closure = async (files: RepositoryFiles, at: Commit, path: string): Promise<ReadonlyArray<string>> => {
  const isOver = WorkLimit.make(MAX_MILLIS)
  const found = new Set([path])
  let level = [path]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0 && found.size < MAX_FILES; depth++) {
    const next = new Set<string>()
    const lists = await Promise.all(level.map((one) => included(files, at, one)))
    for (const one of lists.flat()) if (!found.has(one)) next.add(one)
    for (const one of next) if (found.size < MAX_FILES) found.add(one)
    if (isOver()) break
    level = [...next]
  }
  return [...found]
}

const included = async (files: RepositoryFiles, at: Commit, path: string): Promise<ReadonlyArray<string>> => {
  const targets = (await targetsOf(files, at, path)) ?? []
  const resolved = await Promise.all(
    targets.slice(0, MAX_TARGETS).map(async (target) => {
      for (const one of ModulePaths.includedFiles(path, target)) {
        if ((await targetsOf(files, at, one)) !== undefined) return one
      }
      return undefined
    })
  )
  return resolved.filter((one) => one !== undefined)
}

/** Returns the includes of a file. Undefined for a missing file. */
const targetsOf = (files: RepositoryFiles, at: Commit, path: string) =>
  files.fact(at, path, "includes", (text): readonly [ReadonlyArray<string> | undefined, number] => {
    if (text === undefined) return [undefined, 1]
    const found = CIncludes.find(text.slice(0, MAX_LENGTH)).map(({ target }) => target)
    return [found, found.length * 40]
  })
