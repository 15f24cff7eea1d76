/** Whether the checks of a commit are those that the rules of its base branch require. */
import { type Rollup, stateOfRun } from "../checks/Rollup.ts"
import type { RequiredCheck } from "../rules/RuleChecks.ts"

/** Returns the state of a pull request without conflicts. `behind` is the number of commits that only its base has. */
export const stateOf = (
  required: ReadonlyArray<RequiredCheck>,
  checks: Rollup | undefined,
  behind: number
): "behind" | "blocked" | "clean" | "unstable" => {
  if (!required.every((check) => hasPassed(check, checks))) return "blocked"
  if (behind > 0 && required.some(({ isStrict = false }) => isStrict)) return "behind"
  return checks === undefined || checks.state === "success" ? "clean" : "unstable"
}

/** Returns true if a check passed: at least one status or check run has its name, and all of them passed. */
export const hasPassed = ({ context, integration_id }: RequiredCheck, checks: Rollup | undefined): boolean => {
  const runs = (checks?.runs ?? []).filter(
    ({ app_id, name }) => name === context && (integration_id === undefined || app_id === integration_id)
  )
  const statuses =
    integration_id === undefined ? (checks?.statuses ?? []).filter((status) => status.context === context) : []
  const states = [...runs.map(stateOfRun), ...statuses.map(({ state }) => state)]
  return states.length > 0 && states.every((state) => state === "success")
}
