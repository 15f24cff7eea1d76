/** Limits of work in a process that runs one call at a time. */

/** Elapsed time per CPU time that a limit allows: for git's answers, and on a busy machine. */
const ELAPSED_FACTOR = 3

/** Milliseconds for which the measured CPU time counts, because measuring it takes a microsecond. */
const PRECISION = 1

/** Tells whether work has used up its time. */
export type WorkLimit = () => boolean

/**
 * Returns a limit in milliseconds of CPU time of this process, so that a busy machine finds as much as an idle one. The
 * elapsed time is limited, too, because reading from git takes other processes.
 */
export const make = (millis: number): WorkLimit => {
  const end = cpuTime() + millis
  const latest = performance.now() + ELAPSED_FACTOR * millis
  return () => performance.now() > latest || cpuTime() > end
}

let measured = { at: Number.NEGATIVE_INFINITY, millis: 0 }

const cpuTime = (): number => {
  const at = performance.now()
  if (at - measured.at < PRECISION) return measured.millis
  const { system, user } = process.cpuUsage()
  measured = { at, millis: (system + user) / 1_000 }
  return measured.millis
}
