/** Moves references for handlers: checks the rules, changes the reference and records the event. */
import * as Effect from "effect/Effect"
import { RefChanges } from "../../events/RefChanges.ts"
import type { RefMove } from "../../events/PushPayload.ts"
import { GitError } from "../../git/values/GitError.ts"
import { Git } from "../../git/process/Git.ts"
import * as WorkTreeMove from "../../git/worktree/WorkTreeMove.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import type { SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as CommitStates from "../../pulls/CommitStates.ts"
import type { RefChange } from "../../rules/RuleChecks.ts"
import { Enforcement } from "../../rules/Enforcement.ts"

/** The caller that moves a reference, the caller's role, and the repository. */
export type Mover = Pick<SignedInRepositoryContext, "caller" | "repository" | "role">

/** The reason of a move, for rules: the pull request that it merges, or the update of a fork. */
export type Reason = Pick<RefChange, "pullRequest" | "isForkSync">

/** Retries of a write after another writer moved the reference between read and write. */
const MAX_RACES = 5

/** True if another writer moved the reference after the read. */
export const isRace = (error: unknown): error is GitError =>
  error instanceof GitError && error.reason._tag === "RefConflict"

/** Repeats a read and the dependent write after a concurrent change. */
export const retryRaces = <A, E>(write: Effect.Effect<A, E | GitError>) =>
  Effect.retry(write, { times: MAX_RACES, while: isRace })

/**
 * Creates the function that moves a reference from an old to a new value; null means no reference. A merge names its
 * pull request, because rules can demand one.
 */
export const make = Effect.gen(function* () {
  const changes = yield* RefChanges
  const stateOf = yield* CommitStates.make
  const git = yield* Git
  const rules = yield* Enforcement

  return Effect.fnUntraced(function* (context: Mover, move: RefMove, reason: Reason = {}) {
    const { caller, repository } = context
    yield* rules.check(context, { ...move, ...reason, state: stateOf(repository.row.id, move.after) })
    const moved = reason.pullRequest !== undefined ? writeMerge(repository.git, move) : write(repository.git, move)
    yield* changes.during({ actor: caller.user, repository }, move, Effect.provideService(moved, Git, git))
  })
})

/** Moves a branch. The files of a work tree that has it checked out move along. */
const writeMerge = (git: GitRepository, move: RefMove) => {
  const { after, before, ref } = move
  const isCheckedOut = after !== null && before !== null && git.workTreeOf(ref) !== undefined
  return isCheckedOut ? WorkTreeMove.move(git, { ref, from: before, to: after }) : write(git, move)
}

const write = (git: GitRepository, { after, before, ref }: RefMove) => {
  if (after !== null) return before === null ? git.createRef(ref, after) : git.updateRef(ref, after, before)
  return before === null ? Effect.void : git.deleteRef(ref, before)
}
