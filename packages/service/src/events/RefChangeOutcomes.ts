/** Determines the reference changes that were made, when no other report exists: after a crash or an interruption. */
import * as Effect from "effect/Effect"
import type { GitError } from "../git/values/GitError.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { BegunRefChange } from "./EventRows.ts"
import type { RefMove } from "./PushPayload.ts"

/** A change in progress of a repository that this process serves. */
export interface PendingChange {
  readonly change: BegunRefChange
  readonly repository: ServedRepository
}

/**
 * True if the reference has the new target, or a descendant of the new target, because another program may have moved
 * the reference further.
 */
export const hasMoved = Effect.fnUntraced(function* (
  git: ServedRepository["git"],
  { after, before, ref }: RefMove
): Effect.fn.Return<boolean, GitError> {
  const current = (yield* git.ref(ref))?.oid ?? null
  if (current === after) return true
  if (current === null || after === null || current === before) return false
  const contains = (ancestor: string, descendant: string) =>
    // Tags of other objects and lost objects have no history.
    Effect.orElseSucceed(git.isAncestor(ancestor, descendant), () => false)
  return (yield* contains(after, current)) && (before === null || !(yield* contains(after, before)))
})

/**
 * Returns the ids of the changes that were made. `pending` is oldest first.
 *
 * A change that was made proves that an earlier change moved the reference to the start of the later change, even if
 * git no longer shows the earlier change. So the newest change is decided first. Of equal changes only one can have
 * been made, unless a later change proves another.
 */
export const decide = Effect.fnUntraced(function* (
  pending: ReadonlyArray<PendingChange>
): Effect.fn.Return<ReadonlySet<string>, GitError> {
  const moved = new Set<string>()
  const starts = new Set<string>()
  const seen = new Set<string>()
  for (const { change, repository } of pending.toReversed()) {
    const { after, before, id, ref } = change
    const keyOf = (...targets: ReadonlyArray<string | null>) => [repository.row.id, ref, ...targets].join(" ")
    const isFirst = !seen.has(keyOf(before, after))
    const isProven = starts.delete(keyOf(after)) || (isFirst && change.moved === 1)
    if (!isProven && !(isFirst && (yield* hasMoved(repository.git, change)))) continue
    moved.add(id)
    seen.add(keyOf(before, after))
    starts.add(keyOf(before))
  }
  return moved
})
