/** The files that may match a query, from the indexed commit and from targets that differ from the indexed commit. */
import type { CandidateOrder, SearchTarget } from "../CodeIndex.ts"
import type * as FileFilter from "../FileFilter.ts"
import type * as QueryNames from "../QueryNames.ts"
import * as Ranking from "../Ranking.ts"
import type { BitSet } from "./BitSet.ts"
import type { FileTable } from "./FileTable.ts"
import type { TargetFiles } from "./TargetFiles.ts"

/** Points that delay unindexed contents: more than any file gets. */
const UNINDEXED_DELAY = 1_000

/** A file that may match a query. */
export interface FileCandidate {
  readonly targets: [number, ...Array<number>]
  readonly gitDir: string
  readonly path: string
  /** Number of the document. 0 if the content is not indexed. */
  readonly document: number
  readonly oid: string | undefined
  readonly size: number
  readonly folder?: string | undefined
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
  /** Returns the files that may match, or undefined if all may. */
  readonly select: (table: FileTable) => BitSet | undefined
  /** True for a document that defines a name of the query. */
  readonly defines: (document: number) => boolean
  /** Normalized names of the query. */
  readonly names: QueryNames.QueryNames
}

/** Files of one kind, as numbers. */
interface FileSource {
  readonly file: (number: number) => FileCandidate
}

/** Factor for estimates, and number of ranked files, in the keys of an order. */
const PRECISION = 1_000
const MAX_FILES = 2 ** 24

/** Age of a file that is not indexed yet, and the largest number of a document. */
const NOT_INDEXED = 2 ** 29

/** Files with estimated ranks, in one array per column, because a common word is in many thousands. */
export class RankedFiles {
  readonly #sources: Array<FileSource> = []
  readonly #numbers: Array<number> = []
  readonly #estimates: Array<number> = []
  readonly #documents: Array<number> = []

  add(source: FileSource, number: number, estimate: number, document: number): void {
    this.#sources.push(source)
    this.#numbers.push(number)
    this.#estimates.push(estimate)
    this.#documents.push(document)
  }

  /** Returns the places of the files in an order: the best estimate first, or by the age of the documents. */
  order(order: CandidateOrder): ReadonlyArray<number> {
    const age = (at: number) => this.#documents[at] || NOT_INDEXED
    const keys = Float64Array.from(this.#numbers, (_, at) => {
      const key =
        order === "best"
          ? Math.round((2 * UNINDEXED_DELAY - (this.#estimates[at] ?? 0)) * PRECISION)
          : order === "oldest"
            ? age(at)
            : NOT_INDEXED - age(at)
      return key * MAX_FILES + at
    }).sort()
    return Array.from(keys, (key) => key % MAX_FILES)
  }

  file(at: number): FileCandidate {
    const source = this.#sources[at]
    if (source === undefined) throw new RangeError(`no file ${at}`)
    return source.file(this.#numbers[at] ?? 0)
  }

  estimate(at: number): number {
    return this.#estimates[at] ?? 0
  }
}

/** Adds the files of the indexed commit that may match, each with the targets that have the file. */
export const addIndexed = (
  found: RankedFiles,
  { defines, matches, names, select }: Judge,
  gitDir: string,
  table: FileTable,
  group: ReadonlyArray<TargetState>
): void => {
  const { fullName = "" } = group[0]?.target ?? {}
  const targets = group.flatMap(({ files, index }) =>
    files?.base === table.commit ? [{ index, hidden: files.hidden }] : []
  )
  if (targets.length === 0) return
  const hidesFiles = targets.some(({ hidden }) => hidden.size > 0)
  const having = (path: string) => targets.filter(({ hidden }) => !hidden.has(path)).map(({ index }) => index)
  const all = targets.map(({ index }) => index)
  const source: FileSource = {
    file: (number) => {
      const path = table.path(number)
      const [first = 0, ...rest] = hidesFiles ? having(path) : all
      return {
        targets: [first, ...rest],
        gitDir,
        path,
        document: table.documents[number] ?? 0,
        oid: undefined,
        size: table.sizes[number] ?? 0
      }
    }
  }
  const named = namedFiles(table, names)
  const add = (number: number) => {
    const path = table.path(number)
    const document = table.documents[number] ?? 0
    if (!matches({ fullName, path, size: table.sizes[number] ?? 0 }, document)) return
    if (hidesFiles && having(path).length === 0) return
    const points = named.has(number) ? Ranking.ofNames(table.name(number), path, names) : 0
    const estimate = table.worth(number) + points + (defines(document) ? Ranking.weights.definition : 0)
    found.add(source, number, estimate, document)
  }
  const selected = select(table)
  if (selected !== undefined) return selected.forEach(add)
  for (let number = 0; number < table.length; number++) add(number)
}

/** Returns the files that can have points for their names. */
const namedFiles = (table: FileTable, { joined, parts }: QueryNames.QueryNames): BitSet => {
  const found = table.called([joined, ...parts].filter((name) => name !== ""))
  if (parts.length > 1) for (const part of parts) found.unite(table.withPart(`${part}/`))
  return found
}

/** Adds the files of the targets that may match and that the indexed commit lacks. */
export const addOthers = (
  found: RankedFiles,
  { defines, matches, names }: Judge,
  gitDir: string,
  group: ReadonlyArray<TargetState>
): void => {
  const files = new Map<string, FileCandidate>()
  for (const { files: different, index, target } of group) {
    for (const { document, folder, oid, path, size } of different?.files ?? []) {
      if (!matches({ fullName: target.fullName, path, size }, document)) continue
      const key = `${folder ?? oid} ${path}`
      const same = files.get(key)
      if (same !== undefined) same.targets.push(index)
      else files.set(key, { targets: [index], gitDir, path, document, oid, size, folder })
    }
  }
  for (const file of files.values()) {
    const { document, path } = file
    const points = Ranking.ofNames(Ranking.calledOf(path), path, names)
    const definition = defines(document) ? Ranking.weights.definition : 0
    // Unindexed contents come last, because most do not match.
    const delay = document === 0 ? UNINDEXED_DELAY : 0
    found.add({ file: () => file }, 0, Ranking.ofPath(path) + points + definition - delay, document)
  }
}
