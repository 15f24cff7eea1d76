import * as Effect from "effect/Effect"
import { CodeIndex as CodeIndexGroup, type IndexedRepository } from "@tongs/core/contract/groups/CodeIndex"
import { group } from "../../api/Handlers.ts"
import * as Paging from "../../base/Paging.ts"
import { CallerRepositories } from "../../access/CallerRepositories.ts"
import { timestamp } from "../../base/Time.ts"
import { Git } from "../../git/process/Git.ts"
import { CodeIndex, type LanguageSize } from "../../search/CodeIndex.ts"
import * as TipDates from "../../search/commits/TipDates.ts"
import * as IndexStates from "../../search/IndexStates.ts"
import type { IndexedState } from "../../search/IndexedState.ts"

/** Maximum number of unsearchable files listed per repository. */
const MAX_LEFT_OUT = 1_000

/** Repositories whose commits and languages are read concurrently. */
const CONCURRENCY = 8

/** Number of repositories without an indexed tip whose languages git reads. With more, their languages are empty. */
const MAX_READ_WITH_GIT = 16

/** Dates and languages by repository and commit, as far as they are known without git for each repository. */
interface Known {
  readonly dates: ReadonlyMap<string, number>
  readonly languages: (status: IndexedState) => ReadonlyArray<LanguageSize> | undefined
}

/** `withProblems`: problems contain local folders and addresses, which anonymous callers must not see. */
const statusOf =
  (withProblems: boolean, known: Known) =>
  (status: IndexedState): Effect.Effect<IndexedRepository> => {
    const { commit, files, impreciseSymbols, served, leftOut, phase, problem, progress, size } = status
    const [owner = "", repo = ""] = served.fullName.split("/")
    const imprecise = impreciseSymbols === 0 ? {} : { imprecise_symbols: impreciseSymbols }
    const indexed = { owner, repo, state: phase, commit, files, size, left_out: leftOut, ...imprecise }
    const because = (problem: string | undefined) => (problem === undefined || !withProblems ? {} : { problem })
    return Effect.match(inGit(status, known), {
      onSuccess: (found): IndexedRepository => ({
        ...indexed,
        ...found,
        ...because(problem),
        ...(progress === undefined ? {} : { progress })
      }),
      // An unreadable repository must not hide the readable repositories.
      onFailure: ({ message }): IndexedRepository => ({
        ...indexed,
        ...because(problem ?? message),
        state: "failed",
        committed_at: null,
        languages: []
      })
    })
  }

/** Returns the facts of commits. Reads those with git that are not known. */
const inGit = Effect.fnUntraced(function* (status: IndexedState, known: Known) {
  const { commit, served, tip } = status
  const languages = known.languages(status) ?? (yield* languagesOf(served, tip))
  const date = commit === null ? undefined : (known.dates.get(commit) ?? (yield* dateOf(served, commit)))
  return {
    committed_at: date === undefined ? null : timestamp(date * 1000),
    languages: languages.map(({ bytes, name }) => ({ name, size: bytes }))
  }
})

const dateOf = ({ git }: IndexedState["served"], commit: string) =>
  Effect.map(git.commit(commit), (found) => found?.committer.seconds)

const languagesOf = Effect.fnUntraced(function* ({ git }: IndexedState["served"], tip: string | undefined) {
  const commit = tip === undefined ? undefined : yield* git.commit(tip)
  return commit === undefined ? [] : (yield* git.languageStatistics(commit.tree)).languages
})

export const make = Effect.gen(function* () {
  const git = yield* Git
  const index = yield* CodeIndex
  const readStates = yield* IndexStates.make
  const callerRepositories = yield* CallerRepositories

  return group(CodeIndexGroup)({
    *get(_, { caller }) {
      const states = yield* readStates(yield* callerRepositories.readable(caller))
      const indexed = states.flatMap(({ commit, served }) => (commit === null ? [] : [{ served, commit }]))
      const isWaiting = ({ commit, tip }: IndexedState) => commit !== tip
      const hasMany = states.filter(isWaiting).length > MAX_READ_WITH_GIT
      const known: Known = {
        dates: yield* TipDates.read(git, indexed),
        languages: (state) =>
          state.languages ?? (state.tip === undefined || (hasMany && isWaiting(state)) ? [] : undefined)
      }
      const repositories = yield* Effect.forEach(states, statusOf(caller.kind !== "anonymous", known), {
        concurrency: CONCURRENCY
      })
      return { repositories }
    },

    *listLeftOut(_, { page, repository: { fullName, git } }) {
      const files = yield* Effect.catchTag(
        index.leftOut({ gitDir: git.gitDir, fullName }, MAX_LEFT_OUT),
        "IndexError",
        Effect.die
      )
      return Paging.slice(files, page)
    }
  })
})
