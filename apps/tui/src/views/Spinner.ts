/** The sign that shows that content loads. */
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"

/** Milliseconds before the sign appears. Most responses are faster, and a flickering sign distracts. */
const DELAY = 150

/** Milliseconds between two signs. */
const INTERVAL = 80

/** Milliseconds before the waiting time appears. */
const LONG_WAIT = 1_000

const signs = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

/** Puts the sign into a line. `time` is the time since the sign was first visible, in milliseconds. */
export const draw = (line: Line, time: number): Line => {
  const waited = time < LONG_WAIT ? "" : ` ${(time / 1_000).toFixed(1)} s`
  const sign = signs[Math.floor(time / INTERVAL) % signs.length]
  return StyledLine.withSpinner(line, time < DELAY ? "" : `  ${sign}${waited}`)
}

/** Returns the milliseconds until the sign changes. */
export const untilChange = (time: number): number => (time < DELAY ? DELAY - time : INTERVAL)
