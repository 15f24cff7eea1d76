/** Results of check runs and statuses: what counts as passed, and what a reader calls it. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { CheckRun, Checks, CheckSuite, CommitStatus } from "../../PullRequestApi.ts"

/** The kind of a result. Skipped and neutral checks do not prevent a merge. */
export type CheckResult = "failed" | "passed" | "running" | "skipped"

/** The result of a check run or a check suite. A stale check run has to run again. */
export const ofRun = ({
  conclusion,
  status
}: Pick<CheckRun, "conclusion"> & Pick<CheckSuite, "status">): CheckResult => {
  if (status !== "completed" || conclusion === "stale") return "running"
  if (conclusion === "success") return "passed"
  return conclusion === "neutral" || conclusion === "skipped" ? "skipped" : "failed"
}

export const ofStatus = ({ state }: Pick<CommitStatus, "state">): CheckResult =>
  state === "success" ? "passed" : state === "pending" ? "running" : "failed"

/** The result of all checks. Undefined without checks. */
export const ofAll = (results: ReadonlyArray<CheckResult>): CheckResult | undefined =>
  (["failed", "running", "passed", "skipped"] as const).find((result) => results.includes(result)) // literal types

/** The results of all check runs and statuses. */
export const all = ({ runs, statuses }: Checks): ReadonlyArray<CheckResult> => [
  ...runs.map(ofRun),
  ...statuses.map(ofStatus)
]

/** The results in words: `2 of 5 checks passed, 1 failed, 2 running`. */
export const summary = (results: ReadonlyArray<CheckResult>): string => {
  const count = (result: CheckResult) => results.filter((one) => one === result).length
  const checks = NumberFormat.quantity(results.length, "check")
  if (count("passed") === results.length) return `${checks} passed`
  const parts = (["failed", "running", "skipped"] as const) // literal types
    .map((result) => [count(result), result] as const) // a pair
    .filter(([count]) => count > 0)
    .map(([count, result]) => `${NumberFormat.format(count)} ${result}`)
  return `${NumberFormat.format(count("passed"))} of ${checks} passed, ${parts.join(", ")}`
}

/** A status or conclusion in words: `timed_out` is `Timed out`. */
export const words = (name: string): string => {
  const text = name.replaceAll("_", " ")
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
