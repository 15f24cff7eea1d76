/** Finds out where review threads are in the present diff of their pull request, and stores it. Reads need no git. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { GitError } from "../git/values/GitError.ts"
import { PullRequestRows } from "../issues/PullRequestRows.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import * as Transaction from "../storage/Transaction.ts"
import * as LinePositions from "./LinePositions.ts"
import { type ReviewThreadRow, ReviewThreadRows } from "./ReviewThreadRows.ts"

/** Maximum number of threads of a pull request that follow its pushes, the newest. */
const MAX_THREADS = 1000

const locationOf = (thread: ReviewThreadRow): LinePositions.OriginalLocation => ({
  commit: thread.original_commit_id,
  path: thread.original_path,
  side: thread.side,
  line: thread.subject_type === "file" ? undefined : (thread.original_line ?? undefined),
  startSide: thread.start_side ?? undefined,
  startLine: thread.original_start_line ?? undefined
})

const placeOf = (
  { subject_type }: ReviewThreadRow,
  { isOutdated, line, path, position, startLine }: LinePositions.CurrentLocation
) => ({
  path,
  line: line ?? null,
  start_line: startLine ?? null,
  position: isOutdated ? null : subject_type === "file" ? 1 : (position ?? null)
})

export class ThreadTracer extends Context.Service<
  ThreadTracer,
  {
    /**
     * Traces the threads of a pull request whose place belongs to another head. Without such threads, nothing is read
     * from git.
     */
    trace(issueId: number): Effect.Effect<void, GitError>
  }
>()("@tongs/service/reviews/ThreadTracer") {
  static readonly layer = Layer.effect(
    ThreadTracer,
    Effect.gen(function* () {
      const pulls = yield* PullRequestRows
      const registry = yield* RepositoryRegistry
      const rows = yield* ReviewThreadRows
      const locate = yield* LinePositions.make
      const transaction = yield* Transaction.make

      return ThreadTracer.of({
        trace: Effect.fn("ThreadTracer.trace")(function* (issueId) {
          const threads = yield* rows.untraced(issueId, MAX_THREADS)
          if (threads.length === 0) return
          const pull = (yield* pulls.byIssues([issueId])).get(issueId)
          if (pull === undefined) return
          const { base_sha: base, head_sha: head } = pull
          const [repository] = yield* registry.open(yield* registry.byIds([pull.repository_id]))
          if (repository === undefined) return
          const found = yield* locate(repository.git, { base, head }, threads.map(locationOf))
          yield* transaction(
            Effect.forEach(
              threads,
              (thread, index) => {
                const location = found[index]
                return location === undefined ? Effect.void : rows.setPlace(thread.id, head, placeOf(thread, location))
              },
              { discard: true }
            )
          )
        })
      })
    })
  )
}
