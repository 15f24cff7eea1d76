/** The storage under `SharedBudgetStore`: one text per scope, and the processes that use the scope. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A serialised budget with its version. */
export interface BudgetRecord {
  readonly version: string
  readonly body: string
}

/** The state of one process, valid for a limited time. */
export interface HolderRecord {
  readonly holder: string
  readonly body: string
  /** Epoch milliseconds by the clock of the store. */
  readonly until: number
}

/** The storage cannot be reached, or its data is corrupt. */
export class BudgetBackendFailed extends Schema.TaggedError<BudgetBackendFailed>()("BudgetBackendFailed", {
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/** Storage that several processes share. */
export interface BudgetBackend {
  /** Names the storage in messages, for example `the file /home/x/limits.sqlite`. */
  readonly description: string
  /** Milliseconds by which the clock of the storage is ahead of the local clock. */
  readonly clockOffset: () => number
  /**
   * Atomically replaces the record with `next` if its version is still `known`; without `next`, only compares. Gives
   * undefined if the version was `known`, otherwise the current record, unchanged. The version of a missing record is
   * `""`.
   */
  readonly compareAndSet: (
    scope: string,
    known: string,
    next: BudgetRecord | undefined
  ) => Effect.Effect<BudgetRecord | undefined, BudgetBackendFailed>
  /** Writes the record of one process. */
  readonly putHolder: (scope: string, announcement: HolderRecord) => Effect.Effect<void, BudgetBackendFailed>
  /** The records of all processes, including expired ones. */
  readonly holders: (scope: string) => Effect.Effect<ReadonlyArray<HolderRecord>, BudgetBackendFailed>
}
