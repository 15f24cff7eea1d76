import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type { GitError } from "../git/GitError.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { Candidate, CandidateBatch } from "./CodeIndex.ts"
import * as QueryNames from "./QueryNames.ts"
import * as PathMatcher from "./PathMatcher.ts"
import * as Ranking from "./Ranking.ts"
import { maxBytes } from "./text/DocumentText.ts"

/** Number of candidates per batch. */
const size = 256

/**
 * Lists the candidates in a commit without the index: files below the size limit whose path can match, ordered by the
 * rank estimated from the path. Fails with a `GitError` if git cannot read the commit.
 */
export const candidates = (
  query: CodeQuery,
  target: number,
  { fullName, git }: Pick<ServedRepository, "fullName" | "git">,
  commit: string
): Stream.Stream<CandidateBatch, GitError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const tree = (yield* git.commit(commit))?.tree
      const files = tree === undefined ? [] : yield* git.files(tree)
      const verdict = PathMatcher.make(query, () => () => true)
      const names = QueryNames.names(query).map(Ranking.plainName)
      const promise = (path: string) => {
        const called = Ranking.plainName(path.slice(path.lastIndexOf("/") + 1))
        return (
          Ranking.ofPath(path) +
          Math.max(0, ...names.map((name) => Ranking.ofFileName(Ranking.closeness(called, name))))
        )
      }
      const found = files
        .filter((file) => file.size < maxBytes && verdict({ ...file, fullName }, file.oid) !== "no")
        .map((file) => ({ ...file, promise: promise(file.path) }))
        .sort((a, b) => b.promise - a.promise)
      const batches = Array.from({ length: Math.ceil(found.length / size) }, (_, at) => ({
        candidates: found.slice(at * size, (at + 1) * size).map(({ oid, path, size }): Candidate => ({
          targets: [target],
          gitDir: git.gitDir,
          path,
          oid,
          size,
          definitions: undefined
        })),
        left: Math.max(0, found.length - (at + 1) * size)
      }))
      return Stream.fromIterable(batches)
    })
  )
