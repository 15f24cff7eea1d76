/** Decides who sees drafts of releases. */
import { contentsWrite } from "@tongs/core/contract/Operation"
import { hasPermission, hasScope, isScoped } from "../../access/Caller.ts"
import { atLeast } from "../../access/Roles.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"

/** True if the caller can write to the repository, and the token too. */
export const seesDrafts = ({ caller, repository, role }: Pick<RepositoryContext, "caller" | "repository" | "role">) => {
  if (caller.kind === "anonymous" || !atLeast(role, "write")) return false
  if (!isScoped(caller)) return hasPermission(caller, contentsWrite)
  return hasScope(caller, repository.row.private === 1 ? ["repo"] : ["public_repo", "repo"])
}
