/**
 * The code index of an installation that one machine cannot search: a zoekt cluster, which has and updates an index of
 * its own. Here it is only asked; how it is run is in `docs/zoekt.md`.
 */
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
import * as PathMatcher from "../PathMatcher.ts"
import * as Zoekt from "./Zoekt.ts"
import * as ZoektQuery from "./ZoektQuery.ts"

/** Candidates of a batch. */
const batchSize = 128

/** For how long zoekt's list of repositories is believed. */
const listAge = Duration.seconds(2)

/** `url` is that of zoekt-webserver, which must run with `-rpc`. */
export const layer = (url: string) => Layer.effect(CodeIndex, make(url)).pipe(Layer.provide(FetchHttpClient.layer))

const make = Effect.fnUntraced(function* (url: string) {
  const zoekt = yield* Zoekt.make(url)
  const repositories = yield* GitRepositories
  const list = yield* Effect.cachedWithTTL(zoekt.list, listAge)

  /** The repositories as zoekt has them, in their order; undefined for those that it does not have. */
  const listed = (wanted: ReadonlyArray<IndexedRepository>) =>
    Effect.map(list, (all) => {
      const byFolder = new Map(all.map((one) => [real(one.Repository.Source), one]))
      const byName = new Map(all.map((one) => [nameOf(one.Repository.Name), one]))
      return wanted.map(
        ({ fullName, gitDir }) => byFolder.get(real(ServedDir.of(gitDir))) ?? byName.get(fullName.toLowerCase())
      )
    })

  const files = Effect.fnUntraced(function* (gitDir: string, commit: string) {
    const git = yield* repositories.open(gitDir)
    const tree = (yield* git.commit(commit))?.tree
    return tree === undefined ? new Map<string, ListedFile>() : byPath(yield* git.files(tree))
  })

  return CodeIndex.of({
    apply: Effect.fnUntraced(function* ({ commit, repository }) {
      const [one] = yield* listed([repository])
      const version = one === undefined ? undefined : versionOf(one)
      if (version === commit) return
      const behind = version === undefined ? "does not have it yet" : `is at ${version.slice(0, 12)}`
      return yield* new IndexError({
        detail: `zoekt ${behind}, and is to index ${repository.fullName} at ${commit.slice(0, 12)} by itself`
      })
    }),

    candidates: (query, scope) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const known = yield* listed(scope)
          const inScope = scope.flatMap(({ fullName, gitDir }, index) => {
            const name = known[index]?.Repository.Name
            return name === undefined ? [] : [{ fullName, gitDir, name }]
          })
          const asked = ZoektQuery.make(query, inScope)
          if (asked === undefined) return Stream.empty
          const found = yield* zoekt.search(asked)
          const byName = new Map(inScope.map((one) => [one.name, one]))
          const verdict = PathMatcher.make(query, () => () => true)
          const matches = found.Files ?? []
          const candidate = (match: Zoekt.Match) =>
            Effect.gen(function* () {
              const repository = byName.get(match.Repository)
              if (repository === undefined) return []
              const { fullName, gitDir } = repository
              const file = (yield* files(gitDir, match.Version)).get(match.FileName)
              return file === undefined || verdict({ ...file, fullName }, undefined) === "no"
                ? []
                : [{ ...file, gitDir, definitions: undefined } satisfies Candidate]
            }).pipe(Effect.mapError((error: GitError) => new IndexError({ detail: error.message })))
          // What zoekt did not look at, or did not send, is left for ever.
          const unsent = Math.max(0, found.FileCount - matches.length) + found.FilesSkipped
          return Stream.mapEffect(Stream.fromIterable(matches.keys().filter((at) => at % batchSize === 0)), (from) =>
            Effect.map(
              Effect.forEach(matches.slice(from, from + batchSize), candidate),
              (candidates): CandidateBatch => ({
                candidates: candidates.flat(),
                left: Math.max(0, matches.length - from - batchSize) + unsent
              })
            )
          )
        })
      ),

    states: (wanted) =>
      Effect.map(listed(wanted), (all) =>
        all.map((one): IndexState => ({
          commit: (one === undefined ? undefined : versionOf(one)) ?? null,
          files: one?.Stats.Documents ?? 0,
          size: one?.Stats.ContentBytes ?? 0,
          leftOut: 0,
          unreadable: 0
        }))
      ),

    // Zoekt does not tell.
    leftOut: () => Effect.succeed([])
  })
})

/** The commit of the default branch. */
const versionOf = ({ Repository: { Branches } }: Zoekt.Listed): string | undefined =>
  (Branches?.find(({ Name }) => Name === "HEAD") ?? Branches?.[0])?.Version

/** `owner/name` of a name that may begin with a host. */
const nameOf = (name: string) => name.toLowerCase().split("/").slice(-2).join("/")

/** A repository's folder, or git's in it, by one name, whatever links lead to it; as it is where it is elsewhere. */
const real = (folder: string): string => {
  const path = folder.replace(/\/(?:\.git\/?)?$/, "")
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Listings are kept as long as git's cache has them. */
const indexes = new WeakMap<ReadonlyArray<ListedFile>, ReadonlyMap<string, ListedFile>>()

const byPath = (files: ReadonlyArray<ListedFile>): ReadonlyMap<string, ListedFile> => {
  const known = indexes.get(files)
  if (known !== undefined) return known
  const made = new Map(files.map((file) => [file.path, file]))
  indexes.set(files, made)
  return made
}
