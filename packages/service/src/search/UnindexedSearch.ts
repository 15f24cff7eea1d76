import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type { GitError } from "../git/values/GitError.ts"
import type { ListedFile } from "../git/values/TreeListing.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { Candidate, CandidateBatch, SearchTarget } from "./CodeIndex.ts"
import * as QueryNames from "./QueryNames.ts"
import * as PathMatcher from "./PathMatcher.ts"
import * as Ranking from "./Ranking.ts"
import { MAX_BYTES } from "./text/DocumentText.ts"

/** Number of candidates per batch. */
const SIZE = 256

/**
 * Lists the candidates in a target without the index: files below the size limit whose path can match, ordered by the
 * rank estimated from the path. Fails with a `GitError` if git cannot read the commit.
 */
export const candidates = (
  query: CodeQuery,
  target: number,
  { fullName, git }: Pick<ServedRepository, "fullName" | "git">,
  { commit, workTree }: Pick<SearchTarget, "commit" | "workTree">
): Stream.Stream<CandidateBatch, GitError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const tree = (yield* git.commit(commit))?.tree
      const files = overlay(tree === undefined ? [] : yield* git.files(tree), workTree)
      const verdict = PathMatcher.make(query, () => () => true)
      const estimate = estimator(query)
      const found = files
        .filter((file) => file.size < MAX_BYTES && verdict({ ...file, fullName }, file.oid) !== "no")
        .map((file) => ({ ...file, estimate: estimate(file.path) }))
        .sort((a, b) => b.estimate - a.estimate)
      const batches = Array.from({ length: Math.ceil(found.length / SIZE) }, (_, at) => ({
        candidates: found.slice(at * SIZE, (at + 1) * SIZE).map(({ folder, oid, path, size }): Candidate => ({
          targets: [target],
          gitDir: git.gitDir,
          path,
          oid,
          folder,
          size,
          definitions: undefined
        })),
        left: Math.max(0, found.length - (at + 1) * SIZE)
      }))
      return Stream.fromIterable(batches)
    })
  )

/** Replaces the files of a commit with the differing files of the work tree. */
const overlay = (
  files: ReadonlyArray<ListedFile>,
  workTree: SearchTarget["workTree"]
): ReadonlyArray<ListedFile & { readonly folder?: string }> => {
  if (workTree === undefined) return files
  const { changed, folder, removed } = workTree
  const hidden = new Set([...removed, ...changed.map(({ path }) => path)])
  return [
    ...files.filter(({ path }) => !hidden.has(path)),
    ...changed.map(({ path, size }) => ({ path, size, oid: "", folder }))
  ]
}

/** Creates a function that estimates the rank of a file from the path. */
const estimator = (query: CodeQuery) => {
  const names = Ranking.plainNames(QueryNames.make(query))
  return (path: string): number => Ranking.ofPath(path) + Ranking.ofNames(Ranking.calledOf(path), path, names)
}

/** Sorts files by the rank estimated from the path. */
export const sort = (query: CodeQuery, files: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const estimate = estimator(query)
  return files
    .map((file) => ({ file, estimate: estimate(file.path) }))
    .sort((a, b) => b.estimate - a.estimate)
    .map(({ file }) => file)
}
