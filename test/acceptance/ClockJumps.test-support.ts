/** Clocks that jump, and random numbers that a seed repeats. */

/** Returns numbers from 0 to 1 (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The seed of a run, in the names of the tests; `TONGS_TEST_SEED` repeats one. */
export const seed = Number(process.env["TONGS_TEST_SEED"] ?? Date.now() % 1_000_000)

const HOUR = 3_600_000
const jumps = [0, HOUR, -HOUR, 24 * HOUR, -24 * HOUR]

/**
 * Options for a Node whose clock is wrong by up to a day from the start, and jumps during the run. Only `Date` jumps:
 * file times come from the system's clock, which all processes share.
 */
export const jumpingClock = (random: () => number): ReadonlyArray<string> => {
  const jump = () => jumps[Math.floor(random() * jumps.length)] ?? 0
  const code = `
    const Real = Date
    let offset = ${jump()}
    globalThis.Date = class Date extends Real {
      constructor(...given) {
        if (given.length === 0) super(Real.now() + offset)
        else super(...given)
      }
      static now() {
        return Real.now() + offset
      }
    }
    setTimeout(() => (offset = ${jump()}), ${Math.floor(random() * 1500)}).unref()`
  return ["--import", `data:text/javascript,${encodeURIComponent(code)}`]
}
