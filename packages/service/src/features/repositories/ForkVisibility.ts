/** Keeps the visibility of all repositories of a network equal when one changes. */
import * as Effect from "effect/Effect"
import * as ApiError from "../../api/ApiError.ts"
import { ForkRows } from "../../repositories/ForkRows.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"

const ofFork = ApiError.invalid("Validation Failed", [
  {
    resource: "Repository",
    field: "visibility",
    code: "custom",
    message: "The visibility of a fork cannot be changed. Push its branches to a new repository instead."
  }
])

/**
 * Creates the function that changes the network of a repository before the repository becomes private or public, in the
 * transaction of the caller. Public forks of a repository that becomes private stay public, in a network of their own.
 * Private forks of a repository that becomes public stay private and are no longer forks.
 */
export const make = Effect.map(ForkRows, (forks) =>
  Effect.fnUntraced(function* (row: RepositoryRow, hidden: boolean | undefined) {
    if (hidden === undefined || hidden === (row.private === 1)) return
    if (row.parent_id !== null) return yield* ofFork
    if (row.network > 0) yield* hidden ? forks.detach(row) : forks.dissolve(row)
  })
)
