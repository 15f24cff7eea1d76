/** What a store for many processes has to be able to do: keep a text for each scope, and the names of who is at work. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A budget as text, and which of its states it is. */
export interface BudgetRecord {
  readonly version: string
  readonly body: string
}

/** What a process says of itself, and until when that holds. */
export interface HolderRecord {
  readonly holder: string
  readonly body: string
  /** Epoch milliseconds by the clock of the store. */
  readonly until: number
}

/** The store cannot be reached, or what it holds is broken. */
export class BudgetBackendFailed extends Schema.TaggedError<BudgetBackendFailed>()("BudgetBackendFailed", {
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

export interface BudgetBackend {
  /** For people, as `the file /home/x/limits.sqlite`. */
  readonly description: string
  /** Milliseconds by which its clock is ahead of the local one. */
  readonly clockOffset: () => number
  /**
   * In one step: puts `next` where the version is still `known`, or only looks where there is no `next`. `undefined` when
   * the version was `known`; otherwise what is there instead, and nothing has changed. `known` is `""` for no document.
   */
  readonly compareAndSet: (
    scope: string,
    known: string,
    next: BudgetRecord | undefined
  ) => Effect.Effect<BudgetRecord | undefined, BudgetBackendFailed>
  readonly putHolder: (scope: string, announcement: HolderRecord) => Effect.Effect<void, BudgetBackendFailed>
  /** Also those that have run out. */
  readonly holders: (scope: string) => Effect.Effect<ReadonlyArray<HolderRecord>, BudgetBackendFailed>
}
