/** Changes after which a pull request may be merged automatically, for the fiber that merges. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as SqlClient from "effect/sql/SqlClient"

export type AutoMergeTrigger =
  /** The start of the forge, or a change of rules: all automatic merges may be allowed. */
  | { readonly _tag: "All" }
  /** A commit has new checks. */
  | { readonly _tag: "Commit"; readonly repositoryId: number; readonly oid: string }
  /** The merge of a pull request was tested. `id` is that of its issue. */
  | { readonly _tag: "PullRequest"; readonly id: number }

export class AutoMergeQueue extends Context.Service<
  AutoMergeQueue,
  {
    /** Adds a change after the transaction of the caller, unless the queue has it. */
    offer(trigger: AutoMergeTrigger): Effect.Effect<void>
    /** Waits for the next change. */
    readonly take: Effect.Effect<AutoMergeTrigger>
  }
>()("@tongs/service/events/AutoMergeQueue") {
  static readonly layer = Layer.effect(
    AutoMergeQueue,
    Effect.gen(function* () {
      const { afterCommit } = yield* SqlClient.SqlClient
      const queue = yield* Queue.unbounded<AutoMergeTrigger>()
      /** The changes in the queue. */
      const waiting = new Set<string>()
      const keyOf = (trigger: AutoMergeTrigger) => JSON.stringify(trigger)

      const add = Effect.fnUntraced(function* (trigger: AutoMergeTrigger) {
        if (waiting.has(keyOf(trigger))) return
        waiting.add(keyOf(trigger))
        yield* Queue.offer(queue, trigger)
      })

      return AutoMergeQueue.of({
        offer: (trigger) => afterCommit(add(trigger)),
        take: Effect.tap(Queue.take(queue), (trigger) => Effect.sync(() => waiting.delete(keyOf(trigger))))
      })
    })
  )
}
