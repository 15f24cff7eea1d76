/** Access rules of environments. */
import type { Operation } from "./Operation.ts"

/** Access rules of an operation that reads environments. */
export const readsEnvironments: Pick<Operation, "public" | "permission" | "privateScopes"> = {
  public: true,
  permission: [[{ target: "repository", category: "actions", level: "read" }]],
  privateScopes: ["repo"]
}

/** Access rules of an operation that changes environments. */
export const administersEnvironments: Pick<Operation, "access" | "permission" | "privateScopes" | "scopes"> = {
  access: "administer",
  permission: [[{ target: "repository", category: "administration", level: "write" }]],
  scopes: ["repo"],
  privateScopes: ["repo"]
}
