/** Fields of a repository that are read from its git data. */
import * as Effect from "effect/Effect"
import type { LanguageStatistics } from "../git/Languages.ts"
import type { GitError } from "../git/GitError.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { GitFacts } from "./Shapes.ts"

const none: LanguageStatistics = { files: 0, bytes: 0, languages: [] }

/** Reads the default branch, main language, size in kilobytes and time of the newest commit. */
export const read = Effect.fnUntraced(function* ({ git }: ServedRepository): Effect.fn.Return<GitFacts, GitError> {
  const { branch: defaultBranch, ref } = yield* git.tip
  const commit = ref === undefined ? undefined : yield* git.commit(ref.oid)
  if (commit === undefined) return { defaultBranch, language: null, size: 0, pushedAt: undefined }
  // Damage can prevent the listing of files, but not of the other fields.
  const { bytes, languages } = yield* Effect.orElseSucceed(git.languageStatistics(commit.tree), () => none)
  return {
    defaultBranch,
    language: languages[0]?.name ?? null,
    size: Math.ceil(bytes / 1024),
    pushedAt: commit.committer.seconds * 1000
  }
})
