/** Time of jobs by the operating system that the labels of their runner name. The forge bills nothing. */
import type { WorkflowJobRow } from "../../runs/WorkflowJobRows.ts"

export interface BilledJob {
  readonly job_id: number
  readonly duration_ms: number
}

const systemOf = ({ labels }: WorkflowJobRow) => {
  const names = labels.map((label) => label.toLowerCase())
  if (names.some((name) => name.startsWith("macos"))) return "MACOS"
  return names.some((name) => name.startsWith("windows")) ? "WINDOWS" : "UBUNTU"
}

/** Returns the completed jobs by operating system. */
export const bySystem = (jobs: ReadonlyArray<WorkflowJobRow>) => {
  const billed = jobs.flatMap((job) => {
    const { completed_at, id, started_at } = job
    if (completed_at === null || started_at === null) return []
    const duration_ms = Math.max(0, Date.parse(completed_at) - Date.parse(started_at))
    return [{ system: systemOf(job), job_id: id, duration_ms }]
  })
  return [...Map.groupBy(billed, ({ system }) => system)].map(([system, own]) => ({
    system,
    total_ms: own.reduce((sum, { duration_ms }) => sum + duration_ms, 0),
    jobs: own.map(({ duration_ms, job_id }): BilledJob => ({ job_id, duration_ms }))
  }))
}
