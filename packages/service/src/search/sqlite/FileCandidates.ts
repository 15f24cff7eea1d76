/** The files that may match a query, from the indexed commit and from targets that differ from the indexed commit. */
import type { SearchTarget } from "../CodeIndex.ts"
import type * as FileFilter from "../FileFilter.ts"
import * as Ranking from "../Ranking.ts"
import type { FileTable } from "./FileTable.ts"
import type { TargetFiles } from "./TargetFiles.ts"

/** Points that delay unindexed contents: more than any file gets. */
const UNINDEXED_DELAY = 1_000

/** A file that may match a query, with an estimated rank. */
export interface FileCandidate {
  readonly targets: [number, ...Array<number>]
  readonly gitDir: string
  readonly path: string
  /** Number of the document. 0 if the content is not indexed. */
  readonly document: number
  readonly oid: string | undefined
  readonly size: number
  readonly folder?: string | undefined
  readonly estimate: number
  readonly isCopy?: boolean | undefined
  readonly importers?: number | undefined
}

/** A target with the files, or with the reason why the target cannot be searched. */
export interface TargetState {
  readonly index: number
  readonly target: SearchTarget
  readonly files: TargetFiles | undefined
  readonly detail: string
}

/** Tests files and estimates ranks without reading the contents. */
export interface Judge {
  readonly matches: (file: FileFilter.File, document: number) => boolean
  /** Estimates the part of a file's rank from the name and the definitions. */
  readonly estimate: (calledName: string, path: string, document: number) => number
}

/** Returns the files of the indexed commit that may match, each with the targets that have the file. */
export const indexedFiles = (
  { matches, estimate }: Judge,
  gitDir: string,
  table: FileTable,
  group: ReadonlyArray<TargetState>
): ReadonlyArray<FileCandidate> => {
  const { documents, names, paths, sizes } = table
  const { fullName = "" } = group[0]?.target ?? {}
  const targets = group.flatMap(({ files, index }) =>
    files?.base === table.commit ? [{ index, hidden: files.hidden }] : []
  )
  const found: Array<FileCandidate> = []
  if (targets.length === 0) return found
  for (let file = 0; file < paths.length; file++) {
    const path = paths[file] ?? ""
    const document = documents[file] ?? 0
    const size = sizes[file] ?? 0
    if (!matches({ fullName, path, size }, document)) continue
    const [first, ...rest] = targets.filter(({ hidden }) => !hidden.has(path)).map(({ index }) => index)
    if (first === undefined) continue
    const points = table.worth(file) + estimate(names[file] ?? "", path, document)
    found.push({ targets: [first, ...rest], gitDir, path, document, oid: undefined, size, estimate: points })
  }
  return found
}

/** Returns the files of the targets that may match and that the indexed commit lacks. */
export const otherFiles = (
  { matches, estimate }: Judge,
  gitDir: string,
  group: ReadonlyArray<TargetState>
): Iterable<FileCandidate> => {
  const found = new Map<string, FileCandidate>()
  for (const { files, index, target } of group) {
    for (const { document, folder, oid, path, size } of files?.files ?? []) {
      if (!matches({ fullName: target.fullName, path, size }, document)) continue
      const key = `${folder ?? oid} ${path}`
      const same = found.get(key)
      if (same !== undefined) {
        same.targets.push(index)
        continue
      }
      const name = Ranking.calledOf(path)
      // Unindexed contents come last, because most do not match.
      const points = Ranking.ofPath(path) + estimate(name, path, document) - (document === 0 ? UNINDEXED_DELAY : 0)
      found.set(key, { targets: [index], gitDir, path, document, oid, size, folder, estimate: points })
    }
  }
  return found.values()
}

/** Orders files by estimate, the best first. */
export const byEstimate = (a: FileCandidate, b: FileCandidate): number => b.estimate - a.estimate
