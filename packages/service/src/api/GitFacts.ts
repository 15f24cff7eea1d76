/** What of a repository only its git data tells. */
import * as Effect from "effect/Effect"
import type { LanguageStatistics } from "../git/Languages.ts"
import type { GitError } from "../git/GitError.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { GitFacts } from "./Shapes.ts"

const none: LanguageStatistics = { files: 0, bytes: 0, languages: [] }

export const read = Effect.fnUntraced(function* ({ git }: ServedRepository): Effect.fn.Return<GitFacts, GitError> {
  const { branch: defaultBranch, ref } = yield* git.tip
  const commit = ref === undefined ? undefined : yield* git.commit(ref.oid)
  if (commit === undefined) return { defaultBranch, language: null, size: 0, pushedAt: undefined }
  // A repository whose files cannot all be listed, as a damaged one, can be looked at all the same.
  const { bytes, languages } = yield* Effect.orElseSucceed(git.languageStatistics(commit.tree), () => none)
  return {
    defaultBranch,
    language: languages[0]?.name ?? null,
    size: Math.ceil(bytes / 1024),
    pushedAt: commit.committer.seconds * 1000
  }
})
