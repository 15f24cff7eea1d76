/**
 * Adds a commit to a branch: reads the tip, writes a commit on top and moves the branch, despite concurrent writers.
 */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { GitRepository } from "../../git/GitRepository.ts"
import * as RefName from "../../git/values/RefName.ts"
import type { GitError } from "../../git/values/GitError.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as RefMoves from "./RefMoves.ts"

/**
 * Serializes the commits of one repository in this process. Without the lock, each of many concurrent requests would
 * lose a race to every other request. Pushes and other processes are retried.
 */
const locks = new WeakMap<GitRepository, Semaphore.Semaphore>()

const lockOf = (git: GitRepository): Semaphore.Semaphore => {
  const known = locks.get(git)
  if (known !== undefined) return known
  const made = Semaphore.makeUnsafe(1)
  locks.set(git, made)
  return made
}

/** Creates the function that adds a commit to a branch. */
export const make = Effect.gen(function* () {
  const move = yield* RefMoves.make

  /**
   * Adds the commit that `write` creates on the tip of the branch, and returns the commit's id. `write` runs again if
   * the branch has moved in the meantime; `tip` is undefined for a missing branch. Does nothing if `write` returns
   * undefined.
   */
  return <E>(
    context: RefMoves.Mover,
    branch: string,
    write: (tip: string | undefined) => Effect.Effect<string | undefined, E | GitError>,
    reason?: RefMoves.Reason
  ) => {
    const { git } = context.repository
    const ref = RefName.branch(branch)
    const attempt = Effect.gen(function* () {
      const tip = (yield* git.ref(ref))?.oid
      const oid = yield* write(tip)
      if (oid !== undefined) yield* move(context, { ref, before: tip ?? null, after: oid }, reason)
      return oid
    })
    return lockOf(git).withPermit(
      Effect.catchIf(RefMoves.retryRaces(attempt), RefMoves.isRace, ({ message }) =>
        Effect.fail(ApiError.conflict(message))
      )
    )
  }
})
