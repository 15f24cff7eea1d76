/** A code index on zoekt servers, which index the repositories themselves. See `docs/zoekt.md` for the setup. */
import { realpathSync } from "node:fs"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import {
  type CandidateBatch,
  type Candidate,
  CodeIndex,
  IndexError,
  type IndexedRepository,
  type IndexState
} from "../CodeIndex.ts"
import type { GitError } from "../../git/GitError.ts"
import { GitRepositories } from "../../git/GitRepository.ts"
import * as ServedDir from "../../git/ServedDir.ts"
import type { ListedFile } from "../../git/TreeListing.ts"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import * as PathMatcher from "../PathMatcher.ts"
import * as UnindexedSearch from "../UnindexedSearch.ts"
import * as Zoekt from "./Zoekt.ts"
import * as ZoektQuery from "./ZoektQuery.ts"

/** Number of candidates per batch. */
const batchSize = 128

/** Time for which the list of zoekt's repositories is cached. */
const listAge = Duration.seconds(2)

/** Layer of the index on the zoekt-webserver at `url`, which must run with `-rpc`. */
export const layer = (url: string) => Layer.effect(CodeIndex, make(url)).pipe(Layer.provide(FetchHttpClient.layer))

/** A target whose commit zoekt has indexed. */
interface IndexedTarget extends ZoektQuery.Repository {
  readonly target: number
  readonly gitDir: string
}

const make = Effect.fnUntraced(function* (url: string) {
  const zoekt = yield* Zoekt.make(url)
  const repositories = yield* GitRepositories
  const list = yield* Effect.cachedWithTTL(zoekt.list, listAge)

  /** Finds the zoekt repository of each repository, undefined if zoekt has not indexed it. */
  const find = (wanted: ReadonlyArray<IndexedRepository>) =>
    Effect.map(list, (all) => {
      const byFolder = new Map(all.map((one) => [realFolder(one.Repository.Source), one]))
      const byName = new Map(all.map((one) => [nameOf(one.Repository.Name), one]))
      return wanted.map(
        ({ fullName, gitDir }) => byFolder.get(realFolder(ServedDir.of(gitDir))) ?? byName.get(fullName.toLowerCase())
      )
    })

  const files = Effect.fnUntraced(function* (gitDir: string, commit: string) {
    const git = yield* repositories.open(gitDir)
    const tree = (yield* git.commit(commit))?.tree
    return tree === undefined ? new Map<string, ListedFile>() : byPath(yield* git.files(tree))
  })

  /** Streams the candidates in repositories that zoekt has indexed at the commit of the target. */
  const fromZoekt = Effect.fnUntraced(function* (query: CodeQuery, indexed: ReadonlyArray<IndexedTarget>) {
    const zoektQuery = ZoektQuery.make(query, indexed)
    if (zoektQuery === undefined) return Stream.empty
    const result = yield* zoekt.search(zoektQuery)
    const byName = new Map(indexed.map((one) => [one.name, one]))
    const verdict = PathMatcher.make(query, () => () => true)
    const matches = result.Files ?? []
    const candidate = (match: Zoekt.ZoektMatch) =>
      Effect.gen(function* () {
        const repository = byName.get(match.Repository)
        if (repository === undefined) return []
        const { fullName, gitDir, target } = repository
        const file = (yield* files(gitDir, match.Version)).get(match.FileName)
        return file === undefined || verdict({ ...file, fullName }, undefined) === "no"
          ? []
          : [{ ...file, targets: [target], gitDir, definitions: undefined } satisfies Candidate]
      }).pipe(Effect.mapError((error: GitError) => new IndexError({ detail: error.message })))
    // Number of files that zoekt skipped or did not return, and that are therefore not searched.
    const unsent = Math.max(0, result.FileCount - matches.length) + result.FilesSkipped
    return Stream.mapEffect(Stream.fromIterable(matches.keys().filter((at) => at % batchSize === 0)), (from) =>
      Effect.map(Effect.forEach(matches.slice(from, from + batchSize), candidate), (candidates): CandidateBatch => ({
        candidates: candidates.flat(),
        left: Math.max(0, matches.length - from - batchSize) + unsent
      }))
    )
  })

  return CodeIndex.of({
    apply: Effect.fnUntraced(function* ({ commit, repository }) {
      const [one] = yield* find([repository])
      const version = one === undefined ? undefined : versionOf(one)
      if (version === commit) return
      const state = version === undefined ? "has not indexed it yet" : `has indexed ${version.slice(0, 12)}`
      return yield* new IndexError({
        detail: `${repository.fullName} is at ${commit.slice(0, 12)}, but zoekt ${state}`
      })
    }),

    candidates: (query, targets) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const known = yield* find(targets)
          const indexed = targets.flatMap(({ commit, fullName, gitDir, workTree }, target) => {
            const one = known[target]
            return one === undefined || versionOf(one) !== commit || workTree !== undefined
              ? []
              : [{ fullName, gitDir, target, name: one.Repository.Name }]
          })
          const others = targets.flatMap((one, target) =>
            indexed.some((other) => other.target === target) ? [] : [{ ...one, target }]
          )
          return Stream.concat(
            yield* fromZoekt(query, indexed),
            Stream.flatMap(Stream.fromIterable(others), ({ commit, fullName, gitDir, target, workTree }) =>
              Stream.unwrap(
                Effect.map(repositories.open(gitDir), (git) =>
                  UnindexedSearch.candidates(query, target, { fullName, git }, { commit, workTree })
                )
              ).pipe(
                Stream.catchTag("GitError", ({ message }) =>
                  Stream.succeed<CandidateBatch>({ candidates: [], left: 0, failed: [{ target, detail: message }] })
                )
              )
            )
          )
        })
      ),

    states: (wanted) =>
      Effect.map(find(wanted), (all) =>
        all.map((one): IndexState => ({
          commit: (one === undefined ? undefined : versionOf(one)) ?? null,
          pinned: [],
          files: one?.Stats.Documents ?? 0,
          size: one?.Stats.ContentBytes ?? 0,
          leftOut: 0,
          unreadable: 0
        }))
      ),

    // Zoekt does not report skipped files.
    leftOut: () => Effect.succeed([])
  })
})

/** Returns the indexed commit of the default branch. */
const versionOf = ({ Repository: { Branches } }: Zoekt.ZoektRepository): string | undefined =>
  (Branches?.find(({ Name }) => Name === "HEAD") ?? Branches?.[0])?.Version

/** Returns the last two segments of a name such as `github.com/owner/name`, in lower case. */
const nameOf = (name: string) => name.toLowerCase().split("/").slice(-2).join("/")

/** Resolves the real path of a repository folder, without `.git`. Returns folders of another machine unchanged. */
const realFolder = (folder: string): string => {
  const path = folder.replace(/\/(?:\.git\/?)?$/, "")
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Files by path for each listing of git. Freed together with the listing. */
const filesByPath = new WeakMap<ReadonlyArray<ListedFile>, ReadonlyMap<string, ListedFile>>()

const byPath = (files: ReadonlyArray<ListedFile>): ReadonlyMap<string, ListedFile> => {
  const cached = filesByPath.get(files)
  if (cached !== undefined) return cached
  const index = new Map(files.map((file) => [file.path, file]))
  filesByPath.set(files, index)
  return index
}
