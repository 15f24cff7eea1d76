/**
 * Time in milliseconds since any moment, for deadlines that must not be missed. The time never goes back, and is never
 * slower than the monotonic clock, which stops while the machine sleeps, or the wall clock, which can be set back.
 */
import type * as Clock from "effect/Clock"

const NANOS_PER_MILLI = 1_000_000

/** Creates a function that returns the elapsed time. */
export const make = (clock: Clock.Clock): (() => number) => {
  const monotonicMillis = () => Number(clock.monotonicTimeNanosUnsafe()) / NANOS_PER_MILLI
  let elapsed = 0
  let monotonic = monotonicMillis()
  let wall = clock.currentTimeMillisUnsafe()
  return () => {
    const [nextMonotonic, nextWall] = [monotonicMillis(), clock.currentTimeMillisUnsafe()]
    elapsed += Math.max(0, nextMonotonic - monotonic, nextWall - wall)
    monotonic = nextMonotonic
    wall = nextWall
    return elapsed
  }
}
