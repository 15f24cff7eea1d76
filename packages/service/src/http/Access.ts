/** Whether a caller may do what an operation does, from the contract's annotations (spec part 1 §5, spec part 4 "Errors"). */
import type { Operation, Permission } from "@tongs/core/contract/Operation"
import type { Hosted } from "../Hosting.ts"
import { type Authenticated, type Caller, isScoped } from "./Caller.ts"
import * as Refusal from "./Refusal.ts"

/** Scopes that a scope holds within it. */
const implied = (scope: string): ReadonlyArray<string> => {
  if (scope === "repo") return ["repo", "public_repo"]
  const [level, rest] = scope.split(":", 2)
  if (rest === undefined) return [scope]
  if (level === "admin") return [scope, `write:${rest}`, `read:${rest}`]
  return level === "write" ? [scope, `read:${rest}`] : [scope]
}

const hasScope = (caller: Authenticated, accepted: ReadonlyArray<string>): boolean =>
  accepted.length === 0 || caller.scopes.flatMap(implied).some((scope) => accepted.includes(scope))

const hasPermission = (caller: Authenticated, { category, level }: Permission): boolean => {
  const held = caller.permissions[category]
  // Metadata can be read by every token that reaches the repository at all.
  return held === "write" || held === level || (category === "metadata" && level === "read")
}

/** Whether the repository is the caller's own, or the caller runs the forge. */
export const isOwner = (caller: Caller, { row }: Hosted): boolean =>
  caller.kind !== "anonymous" && (caller.user.id === row.owner.id || caller.user.site_admin === 1)

/** Whether the caller may know that a repository exists. */
export const canSee = (caller: Caller, repository: Hosted): boolean => {
  if (repository.row.private === 0) return true
  if (caller.kind === "anonymous" || !isOwner(caller, repository)) return false
  return !isScoped(caller) || hasScope(caller, ["repo"])
}

const tokenMay = (
  caller: Authenticated,
  operation: Operation,
  isPrivate: boolean
): Refusal.Refusal | undefined => {
  if (isScoped(caller)) {
    const accepted = isPrivate ? operation.privateScopes : operation.scopes
    return hasScope(caller, accepted)
      ? undefined
      : Refusal.forbidden("This token has none of the scopes that this needs", { scopes: accepted })
  }
  const { permission } = operation
  if (permission === "refused") return Refusal.forbidden("This does not accept fine-grained tokens")
  const allowed = permission.length === 0 || permission.some((set) => set.every((one) => hasPermission(caller, one)))
  return allowed
    ? undefined
    : Refusal.forbidden("Resource not accessible by this token", {
        permissions: permission.map((set) => set.map(({ category, level }) => `${category}=${level}`).join(";"))
      })
}

/** The refusal of a call, or nothing. `writes`: the operation changes the repository. */
export const check = (
  operation: Operation,
  caller: Caller,
  repository: Hosted | undefined,
  writes: boolean
): Refusal.Refusal | undefined => {
  if (repository !== undefined && !canSee(caller, repository)) return Refusal.notFound()
  if (caller.kind === "anonymous") return operation.public ? undefined : Refusal.unauthenticated()
  const refused = tokenMay(caller, operation, repository?.row.private === 1)
  if (refused !== undefined) return refused
  if (repository === undefined || !writes) return undefined
  if (!isOwner(caller, repository)) {
    return Refusal.forbidden(`${caller.user.login} may not change ${repository.fullName}`)
  }
  return repository.row.archived === 1 ? Refusal.forbidden("The repository was archived and can only be read") : undefined
}
