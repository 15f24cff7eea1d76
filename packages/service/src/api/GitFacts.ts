/** Fields of a repository that are read from git data. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CacheDependency } from "../git/values/CacheDependencies.ts"
import type { GitError } from "../git/values/GitError.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import type { LanguageStatistics } from "../git/values/Languages.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import * as LicenseFile from "./LicenseFile.ts"
import type { GitFacts } from "./Shapes.ts"

/** Facts with the tip of the default branch, which determines the facts. */
export interface TipFacts extends GitFacts {
  /** Id of the newest commit, or `none`. Undefined if a part could not be read and another read may succeed. */
  readonly tip: string | undefined
}

const unlisted: LanguageStatistics = { files: 0, bytes: 0, languages: [] }

const latest = new WeakMap<GitRepository, TipFacts>()

/** Returns the facts if known without a wait. Adds the dependency on the tip to `sources`. */
export const known = ({ git }: ServedRepository, sources: Set<CacheDependency> | undefined): TipFacts | undefined => {
  const facts = latest.get(git)
  const tip = facts === undefined ? undefined : git.knownTip(sources)
  return facts?.defaultBranch === tip?.branch && facts?.tip === (tip?.ref?.oid ?? "none") ? facts : undefined
}

/** Reads the default branch, main language, license, size in kilobytes and time of the newest commit. */
export const read = Effect.fnUntraced(function* ({ git }: ServedRepository): Effect.fn.Return<TipFacts, GitError> {
  const { branch: defaultBranch, ref } = yield* git.tip
  const commit = ref === undefined ? undefined : yield* git.commit(ref.oid)
  if (commit === undefined) {
    return keep(git, {
      defaultBranch,
      language: null,
      license: null,
      size: 0,
      pushedAt: undefined,
      tip: ref === undefined ? "none" : undefined
    })
  }
  // Damage can prevent the listing of files, but not of the other fields.
  const statistics = yield* Effect.option(git.languageStatistics(commit.tree))
  const { bytes, languages } = Option.getOrElse(statistics, () => unlisted)
  return keep(git, {
    defaultBranch,
    language: languages[0]?.name ?? null,
    license: ref === undefined ? null : Option.getOrNull(yield* Effect.option(LicenseFile.ofCommit(git, ref.oid))),
    size: Math.ceil(bytes / 1024),
    pushedAt: commit.committer.seconds * 1000,
    tip: Option.isSome(statistics) ? ref?.oid : undefined
  })
})

const keep = (git: GitRepository, facts: TipFacts): TipFacts => {
  latest.set(git, facts)
  return facts
}
