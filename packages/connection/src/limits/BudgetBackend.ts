/**
 * The storage behind `SharedBudgetStore`: for each rate-limit scope, the budget and the processes that use the scope.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A serialized budget and the version. */
export interface BudgetRecord {
  readonly version: string
  readonly body: string
}

/** A process that uses a rate-limit scope. Valid for a limited time. */
export interface HolderRecord {
  readonly holder: string
  readonly body: string
  /** Expiry time in epoch milliseconds by the clock of the storage. */
  readonly until: number
}

/** The error of storage that is unavailable or contains corrupt data. */
export class BudgetBackendFailed extends Schema.TaggedError<BudgetBackendFailed>()("BudgetBackendFailed", {
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/** Storage for budgets that several processes share. */
export interface BudgetBackend {
  /** The name of the storage in messages, for example `the file /home/x/limits.sqlite`. */
  readonly description: string
  /** Milliseconds by which the clock of the storage is ahead of the local clock. */
  readonly clockOffset: () => number
  /**
   * Atomically replaces the record with `next` if the record's version is still `known`; without `next`, only compares.
   * Returns undefined if the version was `known`, otherwise the current record, unchanged. The version of a missing
   * record is `""`.
   */
  readonly compareAndSet: (
    scope: string,
    known: string,
    next: BudgetRecord | undefined
  ) => Effect.Effect<BudgetRecord | undefined, BudgetBackendFailed>
  /** Writes the record of a process that uses the scope. */
  readonly putHolder: (scope: string, announcement: HolderRecord) => Effect.Effect<void, BudgetBackendFailed>
  /** Returns the records of all processes that use the scope, including expired records. */
  readonly holders: (scope: string) => Effect.Effect<ReadonlyArray<HolderRecord>, BudgetBackendFailed>
}
