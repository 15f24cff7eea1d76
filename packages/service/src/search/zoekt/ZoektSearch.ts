/** The parts of a search on zoekt servers, and the candidates from the responses. */
import * as Effect from "effect/Effect"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { Candidate, CandidateBatch, IndexError, SearchTarget } from "../CodeIndex.ts"
import * as PathMatcher from "../PathMatcher.ts"
import type * as Zoekt from "./Zoekt.ts"
import type { Files, TargetFile } from "./ZoektFiles.ts"
import * as ZoektQuery from "./ZoektQuery.ts"
import type { Indexed } from "./ZoektServers.ts"

/** Number of candidates per batch. */
export const BATCH_SIZE = 128

/** Number of changed files above which a search explains that zoekt has indexed another commit. */
const MANY_CHANGED = 500

/** The part of a search in one target. */
export interface Part {
  readonly target: SearchTarget
  readonly files: Files
  /** The indexed commit. Undefined if zoekt does not have the repository, so that the forge reads all files. */
  readonly indexed: Indexed | undefined
  /** Files of the target that zoekt has not indexed, or with another content. */
  readonly extra: ReadonlyArray<TargetFile>
}

/** The parts of a search that one request to a server covers. */
export interface Group {
  readonly server: Zoekt.Zoekt
  readonly branch: string | undefined
  /** Parts by the name of the repository in zoekt. */
  readonly parts: ReadonlyMap<string, ReadonlyArray<Part>>
  /** Undefined if no file can match. */
  readonly query: string | undefined
}

/** Groups the indexed parts by server and branch. */
export const groups = (query: CodeQuery, parts: ReadonlyArray<Part>): ReadonlyArray<Group> => {
  const indexed = parts.flatMap((part) => (part.indexed === undefined ? [] : [{ part, ...part.indexed }]))
  const byServer = Map.groupBy(indexed, ({ server }) => server)
  return [...byServer].flatMap(([server, all]) =>
    [...Map.groupBy(all, ({ branch }) => branch)].map(([branch, some]): Group => {
      const repositories = some.map(({ name, part: { target } }) => ({ fullName: target.fullName, name }))
      const byName = Map.groupBy(some, ({ name }) => name)
      return {
        server,
        branch,
        parts: new Map([...byName].map(([name, of]) => [name, of.map(({ part }) => part)])),
        query: ZoektQuery.make(query, repositories, branch)
      }
    })
  )
}

const nothing: Zoekt.ZoektResult = { Files: [], FileCount: 0, FilesSkipped: 0 }

/** Runs the query of a group. */
export const run = (
  { query }: Group,
  search: (query: string) => Effect.Effect<Zoekt.ZoektResult, IndexError>
): Effect.Effect<Zoekt.ZoektResult, IndexError> => (query === undefined ? Effect.succeed(nothing) : search(query))

/** Returns the number of possible matches that zoekt did not return. */
export const unsent = ({ FileCount, Files, FilesSkipped }: Zoekt.ZoektResult): number =>
  Math.max(0, FileCount - (Files ?? []).length) + FilesSkipped

/**
 * Creates functions that select candidates by path. The same content at the same path becomes a candidate only once.
 */
export const selector = (query: CodeQuery, targets: ReadonlyArray<SearchTarget>, parts: ReadonlyArray<Part>) => {
  const verdict = PathMatcher.make(query, () => () => true)
  const seen = new Set<string>()
  const numbers = new Map(targets.map((target, number) => [target, number]))
  const byFolder = Map.groupBy(parts, ({ target }) => target.gitDir)
  /** Returns the targets of the repository that have the file with this content. */
  const targetsWith = (gitDir: string, { folder, oid, path }: TargetFile) =>
    (byFolder.get(gitDir) ?? []).flatMap(({ files, target }) => {
      const file = files.get(path)
      return file?.oid === oid && file.folder === folder ? (numbers.get(target) ?? []) : []
    })
  const read = ({ target: { fullName, gitDir } }: Part, files: Iterable<TargetFile>) => {
    const candidates: Array<Candidate> = []
    for (const file of files) {
      const { folder, oid, path, size } = file
      const key = `${gitDir}\n${oid}\n${path}`
      if (seen.has(key) || verdict({ path, size, fullName }, undefined) === "no") continue
      seen.add(key)
      const [first, ...others] = targetsWith(gitDir, file)
      if (first === undefined) continue
      candidates.push({ targets: [first, ...others], gitDir, path, oid, folder, size, definitions: undefined })
    }
    return candidates
  }
  return {
    /** Returns the candidates among files that the forge reads without zoekt. */
    read,
    /** Returns the candidates for a file that zoekt found. */
    found: ({ branch, parts }: Group, { Branches, FileName, Repository }: Zoekt.ZoektMatch) => {
      if (branch !== undefined && Branches?.includes(branch) !== true) return []
      return (parts.get(Repository) ?? []).flatMap((part) => {
        const file = part.files.get(FileName)
        return file === undefined ? [] : read(part, [file])
      })
    }
  }
}

/** Splits candidates into batches, at least one. `more`: the number of remaining candidates after the last batch. */
export const batches = (
  candidates: ReadonlyArray<Candidate>,
  more: number,
  about: Omit<CandidateBatch, "candidates" | "left"> = {}
): ReadonlyArray<CandidateBatch> => {
  const left = (from: number) => Math.max(0, candidates.length - from - BATCH_SIZE) + more
  const first = { candidates: candidates.slice(0, BATCH_SIZE), left: left(0), ...about }
  const starts = candidates.keys().filter((at) => at > 0 && at % BATCH_SIZE === 0)
  return [first, ...starts.map((from) => ({ candidates: candidates.slice(from, from + BATCH_SIZE), left: left(from) }))]
}

/** Explains which files of a repository the forge reads without zoekt. */
export const notes = ({ extra, files, indexed, target: { fullName } }: Part): ReadonlyArray<string> => {
  if (indexed === undefined)
    return files.size === 0 ? [] : [`Zoekt has not indexed ${fullName}. All ${files.size} files are read with git.`]
  if (extra.length <= MANY_CHANGED) return []
  return [
    `Zoekt has indexed ${fullName} at ${AbbreviatedId.of(indexed.commit)}. ` +
      `The ${extra.length} files that differ or that zoekt has skipped are read with git.`
  ]
}
