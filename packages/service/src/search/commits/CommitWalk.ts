/** Walks through the commits of a history in git's order, newest first, and selects those that may match. */
import type { CommitQuery } from "./CommitQuery.ts"
import * as LogArguments from "./LogArguments.ts"

/** Position in a walk: after commits that are at least as new as `seconds`, and after one of `oids` if it is found. */
export interface WalkPosition {
  readonly seconds: number
  readonly oids: ReadonlyArray<string>
}

/** A walk through the ancestors of commits. */
export interface WalkStart {
  readonly gitDir: string
  readonly tips: ReadonlyArray<string>
  readonly query: CommitQuery
  /** Where an earlier walk ended. */
  readonly position: WalkPosition | undefined
}

/** The next commits of a walk. */
export interface WalkBatch {
  /** Commits that may match, in order. */
  readonly oids: ReadonlyArray<string>
  /** For each of `oids`, the oldest date of the commits of the walk up to this one, in seconds. */
  readonly oldest: ReadonlyArray<number>
  /** True if the index has the changed lines of all these commits, and these may match. */
  readonly isSelected: boolean
  /** The position after the batch. Undefined at the end of the walk. */
  readonly end: WalkPosition | undefined
}

/** A batch without commits, at the end of a walk. */
export const emptyBatch: WalkBatch = { oids: [], oldest: [], isSelected: false, end: undefined }

/** Selects commits. Receives all commits of a walk in order. */
export class WalkFilter {
  /** The oldest date so far. */
  oldest = Number.POSITIVE_INFINITY
  readonly #position: WalkPosition | undefined
  readonly #range: LogArguments.DateRange
  readonly #withMerges: boolean
  #isSkipping: boolean

  /** True until the walk is beyond the position. */
  get isSkipping(): boolean {
    return this.#isSkipping
  }

  constructor({ position, query }: WalkStart) {
    this.#position = position
    this.#isSkipping = position !== undefined
    this.#range = LogArguments.dateRange(query)
    this.#withMerges = query.query.kind === "commit"
  }

  /** True if the commit is after the position and in the range of dates of the query. */
  selects(seconds: number, isMerge: boolean, oid: () => string): boolean {
    this.oldest = Math.min(this.oldest, seconds)
    const position = this.#position
    if (this.#isSkipping && position !== undefined) {
      if (seconds < position.seconds) this.#isSkipping = false
      else {
        if (position.oids.length > 0 && position.oids.includes(oid())) this.#isSkipping = false
        return false
      }
    }
    return (this.#withMerges || !isMerge) && seconds >= this.#range.from && seconds <= this.#range.to
  }
}
