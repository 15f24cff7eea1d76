/** The states of repositories in the code index, with the languages of the indexed commits. */
import * as Effect from "effect/Effect"
import { LruCache } from "../base/LruCache.ts"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import { CodeIndex, type LanguageSize } from "./CodeIndex.ts"
import type { IndexedState, ReadStates } from "./IndexedState.ts"
import { Indexer, type IndexStatus } from "./Indexer.ts"

/** Maximum number of languages of repositories in memory. */
const MAX_LANGUAGES = 200_000

/** Creates the function that reads the states from the code index of this process. */
export const makeLocal = Effect.gen(function* () {
  const index = yield* CodeIndex
  const indexer = yield* Indexer
  const languages = new LruCache<ReadonlyArray<LanguageSize>>(MAX_LANGUAGES)
  const keyOf = (gitDir: string, commit: string) => `${commit} ${gitDir}`

  /** Reads the languages of the indexed commits from the index, once for each commit. */
  const readLanguages = Effect.fnUntraced(function* (statuses: ReadonlyArray<IndexStatus>) {
    const indexed = statuses.flatMap(({ commit, served: { git }, tip }) =>
      commit !== null && commit === tip ? [{ gitDir: git.gitDir, commit }] : []
    )
    const unknown = indexed.filter(({ commit, gitDir }) => languages.get(keyOf(gitDir, commit)) === undefined)
    const found = unknown.length === 0 ? [] : yield* Effect.orElseSucceed(index.languages(unknown), () => [])
    for (const [at, { commit, gitDir }] of unknown.entries()) {
      const some = found[at]
      if (some !== undefined) languages.set(keyOf(gitDir, commit), some, some.length + 1)
    }
  })

  const read: ReadStates = Effect.fnUntraced(function* (repositories) {
    const statuses = yield* indexer.statuses(repositories, 0)
    yield* readLanguages(statuses)
    return statuses.map((status): IndexedState => {
      const { served, tip } = status
      return { ...status, languages: tip === undefined ? undefined : languages.get(keyOf(served.git.gitDir, tip)) }
    })
  })
  return read
})

/** Creates the function that reads the states. */
export const make = Effect.gen(function* () {
  const ownership = yield* RepositoryOwnership
  const { isShared } = yield* CodeIndex
  const local = yield* makeLocal
  if (ownership.runner === null || isShared) return local
  const ClusterStates = yield* Effect.promise(() => import("./cluster/ClusterStates.ts"))
  return yield* ClusterStates.make(local)
})
