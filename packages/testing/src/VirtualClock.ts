/**
 * A clock that follows the time of the machine and can be advanced. Sleeps of the forge take the time of the machine,
 * because they limit the time of the forge's own work, for example of a git command.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { TimeSpan } from "./TestForge.ts"

interface Sleeper {
  readonly deadline: number
  readonly wake: () => void
  timer: NodeJS.Timeout | undefined
}

/** Maximum delay of a timer in milliseconds. Node treats a longer one as 1. */
const MAX_DELAY = 2 ** 31 - 1

/** Later years have five digits, which other programs do not read. */
const maxTime = Date.UTC(9999, 11, 31)

/** Returns the milliseconds of a duration. Throws a `TypeError` for an invalid duration. */
export const millisecondsOf = (duration: TimeSpan): number => {
  const found = Option.getOrUndefined(Duration.fromInput(duration))
  const milliseconds = found === undefined ? Number.NaN : Duration.toMillis(found)
  if (milliseconds >= 0 && Number.isFinite(milliseconds)) return milliseconds
  throw new TypeError(
    `Invalid duration ${JSON.stringify(duration)}: milliseconds, or a number with a unit such as "61 minutes"`
  )
}

/** Creates a clock at the current time. */
export const make = Effect.gen(function* () {
  const machine = yield* Clock.Clock
  const sleepers = new Set<Sleeper>()
  let offset = 0
  const now = () => machine.currentTimeMillisUnsafe() + offset
  const nanos = () => machine.currentTimeNanosUnsafe() + BigInt(Math.round(offset * 1_000_000))

  /** Wakes a sleeper when the clock reaches the deadline. */
  const schedule = (sleeper: Sleeper): void => {
    clearTimeout(sleeper.timer)
    const delay = sleeper.deadline - now()
    if (delay <= 0) {
      sleepers.delete(sleeper)
      sleeper.wake()
    } else {
      sleeper.timer = setTimeout(() => schedule(sleeper), Math.min(delay, MAX_DELAY)).unref()
    }
  }

  const move = (milliseconds: number): void => {
    offset += milliseconds
    for (const sleeper of [...sleepers].toSorted((a, b) => a.deadline - b.deadline)) schedule(sleeper)
  }

  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: machine.monotonicTimeNanos,
    // The timer does not keep the process running. A caller of the forge has a socket or process, which does.
    sleep: (duration) =>
      Effect.callback((resume) => {
        const timer = setTimeout(() => resume(Effect.void), Math.min(Duration.toMillis(duration), MAX_DELAY)).unref()
        return Effect.sync(() => clearTimeout(timer))
      })
  }

  return {
    clock,
    now,
    /** Sleeps until the clock has advanced by a duration, by the passing of time or by `advance`. */
    sleep: (milliseconds: number): Effect.Effect<void> =>
      Effect.callback((resume) => {
        const deadline = now() + milliseconds
        const sleeper: Sleeper = { deadline, wake: () => resume(Effect.void), timer: undefined }
        sleepers.add(sleeper)
        schedule(sleeper)
        return Effect.sync(() => {
          clearTimeout(sleeper.timer)
          sleepers.delete(sleeper)
        })
      }),
    /** Advances the clock. */
    advance: (duration: TimeSpan): void => {
      const milliseconds = millisecondsOf(duration)
      if (now() + milliseconds > maxTime) {
        throw new TypeError(`Invalid duration ${JSON.stringify(duration)}: the clock ends with the year 9999`)
      }
      move(milliseconds)
    },
    isAdvanced: (): boolean => offset !== 0,
    /** Returns to the time of the machine. */
    reset: (): void => move(-offset)
  }
})

export type VirtualClock = Effect.Success<typeof make>
