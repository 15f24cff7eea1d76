import * as Effect from "effect/Effect"
import { Comparisons, type FileDifference } from "@tongs/core/contract/groups/Comparisons"
import type * as Differences from "../../git/history/Differences.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import { splitPath } from "../../git/objects/Objects.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as Paging from "../../base/Paging.ts"
import { timestamp } from "../../base/Time.ts"

/** Maximum number of commits in a summary. */
const MAX_COMMITS = 100

/** The commits of a comparison. */
interface Ends {
  readonly base: string | undefined
  readonly head: string
  /** Undefined to compare with an empty tree. */
  readonly from: string | undefined
}

/** Resolves `base...head`, `base..head`, or a commit alone. Fails with `NotFound`. */
const resolve = Effect.fnUntraced(function* (git: GitRepository, basehead: string) {
  const dots = basehead.includes("...") ? "..." : ".."
  const [first = "", second, ...more] = basehead.split(dots)
  // No name of a version contains two dots.
  if (more.length > 0) return yield* ApiError.notFound()
  const one = yield* git.resolve(first)
  const head = second === undefined ? one : yield* git.resolve(second)
  if (one === undefined || head === undefined) return yield* ApiError.notFound()
  if (second !== undefined) {
    // Commits without a common ancestor are compared directly.
    const from = dots === "..." ? ((yield* git.mergeBase(one, head)) ?? one) : one
    return { base: one, head, from } satisfies Ends
  }
  const commit = yield* git.commit(head)
  const base = commit === undefined ? undefined : yield* git.changes.parentOf(commit)
  return { base, head, from: base } satisfies Ends
})

const fileDifference = (change: Differences.FileChange): FileDifference => ({
  filename: change.path,
  ...(change.previousPath === undefined ? {} : { previous_filename: change.previousPath }),
  status: change.status,
  sha: change.status === "removed" ? null : Shapes.sha(change.oid),
  previous_sha: change.previousOid === undefined ? null : Shapes.sha(change.previousOid),
  mode: change.mode ?? null,
  previous_mode: change.previousMode ?? null,
  additions: change.additions,
  deletions: change.deletions,
  binary: change.isBinary,
  ...(change.patch === undefined ? {} : { patch: change.patch })
})

const rangeOf = Effect.fnUntraced(function* (
  { from, head }: Ends,
  { ignore_whitespace, path = "" }: { readonly path?: string; readonly ignore_whitespace?: "true" | "false" }
) {
  // Git fails for a path that leaves the repository.
  if (path !== "" && splitPath(path) === undefined) return yield* ApiError.notFound()
  return {
    from,
    to: head,
    path,
    ignoresWhitespace: ignore_whitespace === "true"
  } satisfies Differences.Range
})

export const make = Effect.succeed(
  group(Comparisons)({
    *get({ basehead, ...filter }, { repository: { git } }) {
      const ends = yield* resolve(git, basehead)
      const { base, from, head } = ends
      const range = yield* rangeOf(ends, filter)
      const ahead = { from: head, ...(base === undefined ? {} : { exclude: base }) }
      const isCommit = base === undefined || !basehead.includes("..")
      const path = range.path === "" ? undefined : range.path
      const [{ files }, aheadBy, behindBy, oids] = yield* Effect.all(
        [
          git.changes.list(range),
          isCommit ? Effect.succeed(1) : git.countLog(ahead),
          isCommit ? Effect.succeed(0) : git.countLog({ from: base, exclude: head }),
          isCommit ? Effect.succeed([head]) : git.log({ ...ahead, path, skip: 0, limit: MAX_COMMITS })
        ],
        { concurrency: "unbounded" }
      )
      const commits = yield* Effect.forEach(oids, (oid) => Effect.map(git.commit(oid), (commit) => ({ oid, commit })))
      return {
        base: base === undefined ? null : Shapes.sha(base),
        head: Shapes.sha(head),
        from: from === undefined ? null : Shapes.sha(from),
        ahead_by: aheadBy,
        behind_by: behindBy,
        commits: commits.flatMap(({ commit, oid }) =>
          commit === undefined
            ? []
            : {
                commit: Shapes.sha(oid),
                author: commit.author.name,
                date: timestamp(commit.author.seconds * 1_000),
                summary: commit.message.split("\n", 1)[0] ?? ""
              }
        ),
        total_files: files.length,
        additions: files.reduce((sum, { additions }) => sum + additions, 0),
        deletions: files.reduce((sum, { deletions }) => sum + deletions, 0)
      }
    },

    *listFiles({ basehead, patches = "true", ...filter }, { page, repository: { git } }) {
      const range = yield* rangeOf(yield* resolve(git, basehead), filter)
      const { changes } = git
      const listing = yield* changes.list(range)
      const { items, total } = Paging.slice(listing.files, page)
      const listed = patches === "true" ? yield* changes.withPatches(range, listing, items) : items
      return { items: listed.map(fileDifference), total }
    }
  })
)
