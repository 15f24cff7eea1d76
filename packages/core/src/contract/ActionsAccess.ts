/** Access rules of workflows, their runs and caches. */
import type { Operation, Permission } from "./Operation.ts"

/** Permission sets of the category `actions`. */
export const actionsPermission = (level: "read" | "write"): ReadonlyArray<ReadonlyArray<Permission>> => [
  [{ target: "repository", category: "actions", level }]
]

/** Access rules of an operation that reads workflows and runs. */
export const readsActions: Pick<Operation, "public" | "permission" | "privateScopes"> = {
  public: true,
  permission: actionsPermission("read"),
  privateScopes: ["repo"]
}

/** Access rules of an operation that changes or starts workflows and runs. */
export const writesActions: Pick<Operation, "permission" | "scopes" | "privateScopes"> = {
  permission: actionsPermission("write"),
  scopes: ["public_repo", "repo"],
  privateScopes: ["repo"]
}

/** Access rules of a download, which needs a signed-in caller. */
export const downloadsLogs: Pick<Operation, "public" | "permission" | "scopes" | "privateScopes"> = {
  public: false,
  permission: actionsPermission("read"),
  scopes: ["public_repo", "repo"],
  privateScopes: ["repo"]
}
