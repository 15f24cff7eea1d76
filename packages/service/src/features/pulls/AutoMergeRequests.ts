/** Turns automatic merges on and off for a caller, whose rights the operation has checked. */
import * as Effect from "effect/Effect"
import * as DeferredRights from "../../access/DeferredRights.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { NewAutoMerge } from "../../issues/AutoMergeRows.ts"
import { PullRequests } from "../../issues/PullRequests.ts"
import { AutoMergeQueue } from "../../events/AutoMergeQueue.ts"
import * as MergeState from "../../pulls/MergeState.ts"
import * as Transaction from "../../storage/Transaction.ts"
import type * as RefMoves from "../gitData/RefMoves.ts"
import * as PullRequestMerges from "./PullRequestMerges.ts"
import * as PullRequestTarget from "./PullRequestTarget.ts"

/** Members of a request. Absent texts are those of the repository's settings at the time of the merge. */
export interface AutoMergeInput extends Omit<NewAutoMerge, "rights"> {
  /** Refuses another head. */
  readonly sha: string | undefined
}

/** GitHub repeats the subject. */
const refused = (reason: string) => ApiError.invalid(`Pull request ${reason}`)

/** States in which a pull request is merged at once instead, or not at all. */
const unsuitable: ReadonlySet<string> = new Set(["clean", "unstable", "draft"])

export const make = Effect.gen(function* () {
  const { methodOf } = yield* PullRequestMerges.make
  const pulls = yield* PullRequests
  const queue = yield* AutoMergeQueue
  const stateOf = yield* MergeState.make
  const target = yield* PullRequestTarget.make
  const transaction = yield* Transaction.make

  const enable = Effect.fnUntraced(function* (
    number: number,
    { sha, ...merge }: AutoMergeInput,
    { caller, repository }: RefMoves.Mover
  ) {
    const { issue, pull } = yield* target.find(number, { repository })
    if (repository.row.allow_auto_merge === 0)
      return yield* ApiError.invalid("Auto merge is not allowed for this repository")
    if (pull.state === "closed") return yield* refused("Pull request is closed")
    if (sha !== undefined && sha.toLowerCase() !== pull.head_sha) return yield* PullRequestMerges.headWasModified()
    yield* methodOf(merge.method, repository)
    const state = yield* stateOf(pull, repository)
    if (unsuitable.has(state)) return yield* refused(`Pull request is in ${state} status`)
    const rights = DeferredRights.of(caller)
    yield* pulls.enableAutoMerge({ actor: caller.user, repository }, issue.id, { ...merge, rights })
    yield* queue.offer({ _tag: "PullRequest", id: issue.id })
  })

  const disable = Effect.fnUntraced(function* (number: number, { caller, repository }: RefMoves.Mover) {
    const { issue, pull } = yield* target.find(number, { repository })
    if (pull.auto_merge === null || pull.state === "closed")
      return yield* ApiError.invalid("Can't disable auto-merge for this pull request.")
    yield* pulls.disableAutoMerge({ actor: caller.user, repository }, issue.id, "Manually disabled by user")
  })

  return {
    enable: (...given: Parameters<typeof enable>) => transaction(enable(...given)),
    disable: (...given: Parameters<typeof disable>) => transaction(disable(...given))
  }
})
