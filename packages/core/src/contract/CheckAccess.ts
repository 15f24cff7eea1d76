/** Access rules of check runs and check suites. */
import type { Operation, Permission } from "./Operation.ts"

/** Permission sets of the category `checks`. */
export const checkPermission = (level: "read" | "write"): ReadonlyArray<ReadonlyArray<Permission>> => [
  [{ target: "repository", category: "checks", level }]
]

/** Access rules of an operation that reads checks. */
export const readsChecks: Pick<Operation, "public" | "permission" | "privateScopes"> = {
  public: true,
  permission: checkPermission("read"),
  privateScopes: ["repo"]
}

/** Access rules of an operation that writes checks, which only apps may. */
export const writesChecks: Pick<Operation, "permission" | "onlyApps"> = {
  permission: checkPermission("write"),
  onlyApps: true
}
