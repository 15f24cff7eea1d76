/** Limits concurrent git processes, so that a hanging repository does not delay other repositories. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { type GitError, unavailable } from "../values/GitError.ts"
import * as KeyedSemaphore from "../../base/KeyedSemaphore.ts"
import { LruCache } from "../../base/LruCache.ts"

/** Limits of concurrent git processes. */
export interface ProcessLimits {
  /** Maximum concurrent commands over all repositories. */
  readonly total: number
  /** Maximum concurrent commands per repository. */
  readonly perRepository: number
  /** Maximum commands in addition to `total` that have run for `slowAfterMillis` already. */
  readonly slow: number
  readonly slowAfterMillis: number
  /** Milliseconds for which a repository rejects a command after a missed deadline. */
  readonly pauseMillis: number
}

/** Maximum recorded pairs of repository and command that missed a deadline. */
const MAX_PAUSED = 10_000

/** Admits git commands by repository and in total. Rejects paused commands with `Unavailable`. */
export class ProcessLimiter {
  readonly #limits: ProcessLimits
  readonly #total: Semaphore.Semaphore
  readonly #perRepository: KeyedSemaphore.KeyedSemaphore
  readonly #paused = new LruCache<number>(MAX_PAUSED)
  #slow = 0

  constructor(limits: ProcessLimits) {
    this.#limits = limits
    this.#total = Semaphore.makeUnsafe(limits.total)
    this.#perRepository = KeyedSemaphore.make(limits.perRepository)
  }

  /** Runs an effect under a permit of the repository and a permit of the total. */
  run<A, E>(gitDir: string, command: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E | GitError> {
    return Effect.suspend(() => {
      // Checks for missed deadlines before and after the wait for a permit, because another run of the command may have
      // missed its deadline during the wait.
      const checked = Effect.andThen(this.#check(gitDir, command), this.#withTotalPermit(effect))
      return Effect.andThen(this.#check(gitDir, command), this.#perRepository.withPermit(gitDir)(checked))
    })
  }

  /** Rejects this command of this repository for `pauseMillis`. */
  pause(gitDir: string, command: string): void {
    this.#paused.set(keyOf(gitDir, command), performance.now() + this.#limits.pauseMillis)
  }

  #check(gitDir: string, command: string): Effect.Effect<void, GitError> {
    return Effect.suspend(() => {
      const until = this.#paused.get(keyOf(gitDir, command))
      if (until === undefined) return Effect.void
      if (until > performance.now()) {
        return Effect.fail(unavailable(`git ${command} of ${gitDir} missed its deadline recently. Try again later.`))
      }
      this.#paused.delete(keyOf(gitDir, command))
      return Effect.void
    })
  }

  /** Runs under a permit of the total, which a slow command releases early. */
  #withTotalPermit<A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(this.#total.take(1)), () => {
        let isSlow = false
        const timer = setTimeout(() => {
          if (this.#slow >= this.#limits.slow) return
          isSlow = true
          this.#slow++
          Effect.runFork(this.#total.release(1))
        }, this.#limits.slowAfterMillis).unref()
        const release = Effect.suspend(() => {
          clearTimeout(timer)
          if (!isSlow) return this.#total.release(1)
          this.#slow--
          return Effect.void
        })
        return Effect.ensuring(restore(effect), release)
      })
    )
  }
}

const keyOf = (gitDir: string, command: string) => `${command} ${gitDir}`
