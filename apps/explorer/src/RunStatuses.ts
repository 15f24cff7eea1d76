/** The filters of runs by status. */
export const runStatuses = ["success", "failure", "in_progress", "queued", "cancelled"] as const // literal types

/** One of `runStatuses`. */
export type RunStatus = (typeof runStatuses)[number]
