/** The repositories that this process has taken over, each with the requests that it answers. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { finishLimit } from "./ClusterSettings.ts"

interface OwnedRepository {
  running: number
  /** Completes when the last running request has ended, after the repository was given up. */
  ended: Deferred.Deferred<void> | undefined
}

export class OwnedRepositories {
  readonly #owned = new Map<number, OwnedRepository>()
  readonly #isHeld: (repositoryId: number) => boolean

  /** `isHeld` is false once the lock of a repository's shard may have expired. */
  constructor(isHeld: (repositoryId: number) => boolean) {
    this.#isHeld = isHeld
  }

  /**
   * Counts a request of a repository. Returns the function that must be called when the request has ended, or undefined
   * if this process has not taken the repository over, gives it up, or may have lost it.
   */
  enter(repositoryId: number): (() => void) | undefined {
    const owned = this.#owned.get(repositoryId)
    if (owned === undefined || owned.ended !== undefined || !this.#isHeld(repositoryId)) return undefined
    owned.running += 1
    let isRunning = true
    return () => {
      if (!isRunning) return
      isRunning = false
      owned.running -= 1
      if (owned.running === 0 && owned.ended !== undefined) Deferred.doneUnsafe(owned.ended, Effect.void)
    }
  }

  get size(): number {
    return this.#owned.size
  }

  add(repositoryId: number): void {
    this.#owned.set(repositoryId, { running: 0, ended: undefined })
  }

  /** Accepts no more requests of a repository, and waits for the running ones for a limited time. */
  giveUp(repositoryId: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const owned = this.#owned.get(repositoryId)
      if (owned === undefined) return Effect.void
      const ended = Deferred.makeUnsafe<void>()
      owned.ended = ended
      const waiting = owned.running === 0 ? Effect.void : Effect.timeoutOption(Deferred.await(ended), finishLimit)
      return Effect.ensuring(
        waiting,
        Effect.sync(() => {
          if (this.#owned.get(repositoryId) === owned) this.#owned.delete(repositoryId)
        })
      )
    })
  }
}
