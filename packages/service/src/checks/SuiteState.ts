/**
 * The state of a check suite, which follows from its newest check run of each name.
 *
 * **Details**
 *
 * A suite is completed when all its check runs are, and has the conclusion of the check run that comes first in
 * `precedence`. Before, it waits if all its open check runs do; it is in progress if a check run is in progress or
 * completed, and queued otherwise.
 */
import type { RunState } from "./CheckRunRows.ts"

/** Conclusions from the most to the least important. A success counts more than a neutral or skipped check run. */
const precedence = [
  "failure",
  "timed_out",
  "cancelled",
  "action_required",
  "stale",
  "success",
  "neutral",
  "skipped"
] as const // literal types

/** Returns the state of a suite with check runs in these states. */
export const of = (runs: ReadonlyArray<RunState>): RunState => {
  if (runs.length > 0 && runs.every(({ status }) => status === "completed")) {
    const conclusions = new Set(runs.map(({ conclusion }) => conclusion))
    return { status: "completed", conclusion: precedence.find((one) => conclusions.has(one)) ?? null }
  }
  const open = runs.filter(({ status }) => status !== "completed")
  if (open.length > 0 && open.every(({ status }) => status === "waiting"))
    return { status: "waiting", conclusion: null }
  const hasBegun = runs.some(({ status }) => status === "in_progress" || status === "completed")
  return { status: hasBegun ? "in_progress" : "queued", conclusion: null }
}
