/** The peak memory of a process and all children. */
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as ProcessMemory from "../service/ProcessMemory.ts"

/** Milliseconds between two samples. */
const INTERVAL = 400

/** Samples the memory of a process until `stop`, which returns the peak in megabytes; `NaN` without samples. */
export const sample = (pid: number) => {
  let peak = Number.NaN
  const stopped = new AbortController()
  const loop = async () => {
    while (!stopped.signal.aborted) {
      const memory = await Effect.runPromise(ProcessMemory.of(pid))
      if (memory !== undefined) {
        const megabytes = memory.proportional ?? memory.resident + memory.childrenResident
        if (!Number.isNaN(megabytes)) peak = Number.isNaN(peak) ? megabytes : Math.max(peak, megabytes)
      }
      await sleep(INTERVAL)
    }
  }
  const done = loop()
  return {
    /** Returns the peak so far. */
    peak: () => peak,
    stop: async () => {
      stopped.abort()
      await done
      return peak
    }
  }
}
