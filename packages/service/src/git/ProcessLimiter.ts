/** How many git processes run at one time, so that a repository that hangs delays no other. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { type GitError, unavailable } from "./GitError.ts"
import { LruCache } from "../base/LruCache.ts"

export interface ProcessLimits {
  /** Commands that run at one time, over all repositories. */
  readonly total: number
  /** Commands of one repository that run at one time. */
  readonly perRepository: number
  /** Commands that may run beyond `total`, because they already ran for `slowAfterMillis`. */
  readonly slow: number
  readonly slowAfterMillis: number
  /** How long a command of a repository is refused after the same command missed its deadline there. */
  readonly pauseMillis: number
}

/** Pairs of repository and command whose missed deadline is remembered. */
const maxPaused = 10_000

interface RepositoryQueue {
  readonly permits: Semaphore.Semaphore
  users: number
}

export class ProcessLimiter {
  readonly #limits: ProcessLimits
  readonly #total: Semaphore.Semaphore
  readonly #lines = new Map<string, RepositoryQueue>()
  readonly #paused = new LruCache<number>(maxPaused)
  #slow = 0

  constructor(limits: ProcessLimits) {
    this.#limits = limits
    this.#total = Semaphore.makeUnsafe(limits.total)
  }

  /** Runs an effect under a permit of its repository and a permit of the total. */
  run<A, E>(gitDir: string, command: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E | GitError> {
    return Effect.suspend(() => {
      const line = this.#lines.get(gitDir) ?? { permits: Semaphore.makeUnsafe(this.#limits.perRepository), users: 0 }
      this.#lines.set(gitDir, line)
      line.users++
      const leave = Effect.sync(() => {
        if (--line.users === 0) this.#lines.delete(gitDir)
      })
      // The second check is for callers that waited while another call missed its deadline.
      const checked = Effect.andThen(this.#check(gitDir, command), this.#underTotal(effect))
      return Effect.ensuring(Effect.andThen(this.#check(gitDir, command), line.permits.withPermit(checked)), leave)
    })
  }

  /** Refuses this command of this repository for a while. */
  pause(gitDir: string, command: string): void {
    this.#paused.set(keyOf(gitDir, command), performance.now() + this.#limits.pauseMillis)
  }

  #check(gitDir: string, command: string): Effect.Effect<void, GitError> {
    return Effect.suspend(() => {
      const until = this.#paused.get(keyOf(gitDir, command))
      if (until === undefined) return Effect.void
      if (until > performance.now()) {
        return Effect.fail(unavailable(`git ${command} of ${gitDir} missed its deadline a moment ago`))
      }
      this.#paused.delete(keyOf(gitDir, command))
      return Effect.void
    })
  }

  /** A command that turns out to be slow gives its permit of the total to the next one. */
  #underTotal<A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> {
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
