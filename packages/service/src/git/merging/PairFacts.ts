/** Facts about merging one commit into another: the numbers of a pull request, and whether it can be merged. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { GitRepository } from "../GitRepository.ts"
import { GitRepositories } from "../GitRepositories.ts"
import { Git } from "../process/Git.ts"
import type { GitError } from "../values/GitError.ts"
import { mergeTree } from "./MergeTree.ts"
import * as Rebase from "./Rebase.ts"

/** Numbers of a pair of commits, which never change. Undefined if the computation takes too long. */
export interface PairNumbers {
  /** The best common ancestor; `undefined` for unrelated histories. */
  readonly mergeBase: string | undefined
  /** Number of commits that only `head` has, and that only `base` has. */
  readonly ahead: number | undefined
  readonly behind: number | undefined
  /** Changes from the merge base to `head`, with renames. At most 20,000 files. */
  readonly changedFiles: number | undefined
  readonly additions: number | undefined
  readonly deletions: number | undefined
}

/** What `numbers` found out about the commits to merge. */
export type MergedPair = Pick<PairNumbers, "mergeBase" | "ahead">

/** Whether a pair of commits merges, which never changes. Undefined if the computation takes too long. */
export interface PairMerges {
  readonly mergeable: boolean | undefined
  /** Paths of the conflicts, at most 1000. */
  readonly conflicts: ReadonlyArray<string>
  /** True if a rebase succeeds and gives the same files as a merge. */
  readonly rebaseable: boolean | undefined
}

/** Time limits of the count of commits, of the merge and of the rebase. */
const COUNT_DEADLINE = "5 seconds"
const MERGE_DEADLINE = "10 seconds"
const REBASE_DEADLINE = "10 seconds"

/** Maximum number of commits for which a rebase is tried. */
const MAX_REBASED = 100

/** Committer of commits that are never kept. */
const committer = { name: "Tongs", email: "tongs@localhost", seconds: 0, timezone: "+0000" }

const unrelated = { mergeBase: undefined, changedFiles: undefined, additions: undefined, deletions: undefined }

/**
 * Creates the functions that compute the facts of merging `head` into `base`. They write nothing into the repository.
 *
 * **Details**
 *
 * `counts` runs one git process (`rev-list`), `numbers` two more (`merge-base`, `diff-tree`), `merges` one (`merge-tree`), and for the rebase of more
 * than one commit two more, and one for each commit that changes a file that `base` changed, too.
 */
export const make = Effect.gen(function* () {
  const git = yield* Git
  const repositories = yield* GitRepositories

  const count = ({ gitDir }: GitRepository, base: string, head: string) =>
    Effect.map(git.run(["rev-list", "--left-right", "--count", `${base}...${head}`], { gitDir }), ({ stdout }) => {
      const [behind, ahead] = stdout.toString("latin1").trim().split("\t").map(Number)
      return { ahead, behind }
    })

  const files = Effect.fnUntraced(function* ({ changes }: GitRepository, from: string, to: string) {
    const { files, isCounted } = yield* changes.list({ from, to })
    const sum = (key: "additions" | "deletions") =>
      isCounted ? files.reduce((total, file) => total + file[key], 0) : undefined
    return { changedFiles: files.length, additions: sum("additions"), deletions: sum("deletions") }
  })

  /** Merges and rebases in a view, whose objects are removed. */
  const tryMerges = Effect.fnUntraced(
    function* (repository: GitRepository, base: string, head: string, isOneCommit: boolean) {
      const view = yield* repositories.openView(repository)
      const within = <A>(effect: Effect.Effect<A, GitError, Git>, deadline: typeof MERGE_DEADLINE) =>
        Effect.map(Effect.timeoutOption(effect, deadline), Option.getOrUndefined)
      const merged = yield* within(mergeTree(view, base, head, Rebase.settings), MERGE_DEADLINE)
      if (merged?._tag === "Conflict") return { mergeable: false, conflicts: merged.paths, rebaseable: false }
      if (merged?._tag !== "Merged") return { mergeable: undefined, conflicts: [], rebaseable: undefined }
      // The same merge.
      if (isOneCommit) return { mergeable: true, conflicts: [], rebaseable: true }
      const rebase = Rebase.rebase(repository, view, { base, head, committer }, MAX_REBASED)
      const rebased = yield* within(rebase, REBASE_DEADLINE)
      const rebaseable =
        rebased === undefined || rebased._tag === "Unsupported"
          ? undefined
          : rebased._tag === "Rebased" && rebased.tree === merged.tree
      return { mergeable: true, conflicts: [], rebaseable }
    },
    Effect.scoped,
    Effect.provideService(Git, git)
  )

  const counts = (repository: GitRepository, base: string, head: string) =>
    Effect.map(
      Effect.timeoutOption(count(repository, base, head), COUNT_DEADLINE),
      Option.getOrElse(() => ({ ahead: undefined, behind: undefined }))
    )

  const numbers = Effect.fn("PairFacts.numbers")(function* (
    repository: GitRepository,
    base: string,
    head: string
  ): Effect.fn.Return<PairNumbers, GitError> {
    const mergeBase = yield* repository.mergeBase(base, head)
    const found = yield* counts(repository, base, head)
    if (mergeBase === undefined) return { ...unrelated, ...found }
    return { mergeBase, ...found, ...(yield* files(repository, mergeBase, head)) }
  })

  const merges = Effect.fn("PairFacts.merges")(function* (
    repository: GitRepository,
    base: string,
    head: string,
    { ahead, mergeBase }: MergedPair
  ): Effect.fn.Return<PairMerges, GitError> {
    if (mergeBase === undefined) return { mergeable: false, conflicts: [], rebaseable: false }
    if (mergeBase === head) return { mergeable: true, conflicts: [], rebaseable: true }
    const parents = ahead === 1 ? (yield* repository.commit(head))?.parents : undefined
    return yield* tryMerges(repository, base, head, parents?.length === 1 && parents[0] === mergeBase)
  })

  return { counts, merges, numbers }
})
