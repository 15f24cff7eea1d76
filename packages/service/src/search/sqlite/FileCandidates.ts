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
const NOT_INDEXED = 2 ** 29 - 1

/** Number of files for which the first arrays have space. */
const FIRST_CAPACITY = 1_024

/** Files with estimated ranks, in one typed array per column, because a common word is in many thousands. */
export class RankedFiles {
  readonly #sources: Array<FileSource> = []
  /** Index of the source of each file. */
  #owners = new Uint32Array(FIRST_CAPACITY)
  #numbers = new Uint32Array(FIRST_CAPACITY)
  #documents = new Uint32Array(FIRST_CAPACITY)
  #estimates = new Float64Array(FIRST_CAPACITY)
  #length = 0

  add(source: FileSource, number: number, estimate: number, document: number): void {
    if (this.#length === this.#numbers.length) this.#grow()
    if (this.#sources.at(-1) !== source) this.#sources.push(source)
    const at = this.#length++
    this.#owners[at] = this.#sources.length - 1
    this.#numbers[at] = number
    this.#documents[at] = document
    // Files whose estimates hardly differ have the order of their targets, in one shard as in several.
    this.#estimates[at] = Math.round(estimate * PRECISION) / PRECISION
  }

  #grow(): void {
    const capacity = 2 * this.#length
    const larger = (numbers: Uint32Array) => {
      const copy = new Uint32Array(capacity)
      copy.set(numbers)
      return copy
    }
    this.#owners = larger(this.#owners)
    this.#numbers = larger(this.#numbers)
    this.#documents = larger(this.#documents)
    const estimates = new Float64Array(capacity)
    estimates.set(this.#estimates)
    this.#estimates = estimates
  }

  /** Returns the places of the files in an order: the best estimate first, or by the age of the documents. */
  order(order: CandidateOrder): Uint32Array {
    const age = (at: number) => this.#documents[at] || NOT_INDEXED
    const keys = new Float64Array(this.#length)
    for (let at = 0; at < keys.length; at++) {
      const key =
        order === "best"
          ? Math.round((2 * UNINDEXED_DELAY - (this.#estimates[at] ?? 0)) * PRECISION)
          : order === "oldest"
            ? age(at)
            : NOT_INDEXED - age(at)
      keys[at] = key * MAX_FILES + at
    }
    return Uint32Array.from(keys.sort(), (key) => key % MAX_FILES)
  }

  file(at: number): FileCandidate {
    const source = this.#sources[this.#owners[at] ?? 0]
    if (source === undefined || at >= this.#length) throw new RangeError(`no file ${at}`)
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
  const file = new TableFile(fullName, table)
  const add = (number: number) => {
    const document = table.documents[number] ?? 0
    file.number = number
    if (!matches(file, document)) return
    if (hidesFiles && having(file.path).length === 0) return
    const points = named.has(number) ? Ranking.ofNames(table.name(number), file.path, names) : 0
    const estimate = table.worth(number) + points + (defines(document) ? Ranking.weights.definition : 0)
    found.add(source, number, estimate, document)
  }
  const selected = select(table)
  if (selected !== undefined) return selected.forEach(add)
  for (let number = 0; number < table.length; number++) add(number)
}

/** A file of a table, whose path is only read when needed. */
class TableFile implements FileFilter.File {
  readonly fullName: string
  readonly #table: FileTable
  number = 0

  constructor(fullName: string, table: FileTable) {
    this.fullName = fullName
    this.#table = table
  }

  get path(): string {
    return this.#table.path(this.number)
  }

  get size(): number {
    return this.#table.sizes[this.number] ?? 0
  }
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
