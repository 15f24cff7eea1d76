import * as Effect from "effect/Effect"
import { CodeIndex as CodeIndexGroup, type IndexedRepository } from "@tongs/core/contract/groups/CodeIndex"
import { group } from "../../api/Handlers.ts"
import * as Paging from "../../base/Paging.ts"
import { CallerRepositories } from "../../access/CallerRepositories.ts"
import { timestamp } from "../../base/Time.ts"
import { CodeIndex } from "../../search/CodeIndex.ts"
import { Indexer, type IndexStatus } from "../../search/Indexer.ts"

/** Maximum number of unsearchable files listed per repository. */
const MAX_LEFT_OUT = 1_000

/** Repositories whose commits and languages are read concurrently. */
const CONCURRENCY = 8

/** `withProblems`: problems contain local folders and addresses, which anonymous callers must not see. */
const statusOf =
  (withProblems: boolean) =>
  (status: IndexStatus): Effect.Effect<IndexedRepository> => {
    const { commit, files, impreciseSymbols, served, leftOut, phase, problem, progress, size } = status
    const [owner = "", repo = ""] = served.fullName.split("/")
    const imprecise = impreciseSymbols === 0 ? {} : { imprecise_symbols: impreciseSymbols }
    const known = { owner, repo, state: phase, commit, files, size, left_out: leftOut, ...imprecise }
    const because = (problem: string | undefined) => (problem === undefined || !withProblems ? {} : { problem })
    return Effect.match(inGit(status), {
      onSuccess: (found): IndexedRepository => ({
        ...known,
        ...found,
        ...because(problem),
        ...(progress === undefined ? {} : { progress })
      }),
      // An unreadable repository must not hide the readable repositories.
      onFailure: ({ message }): IndexedRepository => ({
        ...known,
        ...because(problem ?? message),
        state: "failed",
        committed_at: null,
        languages: []
      })
    })
  }

const inGit = Effect.fnUntraced(function* ({ commit, served, tip }: IndexStatus) {
  const known = tip === undefined ? undefined : yield* served.git.commit(tip)
  const languages = known === undefined ? [] : (yield* served.git.languageStatistics(known.tree)).languages
  const made = commit === null ? undefined : yield* served.git.commit(commit)
  return {
    committed_at: made === undefined ? null : timestamp(made.committer.seconds * 1000),
    languages: languages.map(({ bytes, name }) => ({ name, size: bytes }))
  }
})

export const make = Effect.gen(function* () {
  const index = yield* CodeIndex
  const indexer = yield* Indexer
  const callerRepositories = yield* CallerRepositories
  return group(CodeIndexGroup)({
    *get(_, { caller }) {
      const readable = yield* callerRepositories.readable(caller)
      const statuses = yield* indexer.statuses(readable, 0)
      const repositories = yield* Effect.forEach(statuses, statusOf(caller.kind !== "anonymous"), {
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
