/** Candidates of a commit that the index does not have: every file, those first whose paths promise something. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type { GitError } from "../git/GitError.ts"
import type { Hosted } from "../repositories/RepositoryRegistry.ts"
import type { Batch } from "./CodeIndex.ts"
import * as Leaves from "./Leaves.ts"
import * as PathMatch from "./PathMatch.ts"
import * as Rank from "./Rank.ts"
import { maxBytes } from "./text/DocumentText.ts"

/** Candidates at a time. */
const size = 256

export const candidates = (
  query: CodeQuery,
  { fullName, git }: Hosted,
  commit: string
): Stream.Stream<Batch, GitError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const tree = (yield* git.commit(commit))?.tree
      const files = tree === undefined ? [] : yield* git.files(tree)
      const verdict = PathMatch.make(query, () => () => true)
      const names = Leaves.names(query).map(Rank.plainName)
      const promise = (path: string) => {
        const called = Rank.plainName(path.slice(path.lastIndexOf("/") + 1))
        return Rank.ofPath(path) + Math.max(0, ...names.map((name) => Rank.ofFileName(Rank.closeness(called, name))))
      }
      const found = files
        .filter((file) => file.size < maxBytes && verdict({ ...file, fullName }, file.oid) !== "no")
        .map((file) => ({ ...file, promise: promise(file.path) }))
        .sort((a, b) => b.promise - a.promise)
      const batches = Array.from({ length: Math.ceil(found.length / size) }, (_, at) => ({
        candidates: found
          .slice(at * size, (at + 1) * size)
          .map(({ oid, path, size }) => ({ gitDir: git.gitDir, path, oid, size, definitions: undefined })),
        left: Math.max(0, found.length - (at + 1) * size)
      }))
      return Stream.fromIterable(batches)
    })
  )
