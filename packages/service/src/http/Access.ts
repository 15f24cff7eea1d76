/** Whether a caller may do what an operation does, from the contract's annotations (spec part 1 §5, spec part 4 "Errors"). */
import type { Operation } from "@tongs/core/contract/Operation"
import { type Authenticated, type Caller, hasPermission, hasScope, isScoped, reaches } from "./Caller.ts"
import * as Permissions from "./Permissions.ts"
import * as Refusal from "./Refusal.ts"
import { atLeast } from "./Roles.ts"
import type { Target } from "./Target.ts"

const tokenMay = (caller: Authenticated, operation: Operation, isPrivate: boolean): Refusal.Refusal | undefined => {
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
        permissions: permission.map((set) => set.map((one) => `${Permissions.nameOf(one)}=${one.level}`).join(";"))
      })
}

/** The refusal of a call to something that the caller may know of, or nothing. */
export const check = (
  operation: Operation,
  caller: Caller,
  target: Target,
  writes: boolean
): Refusal.Refusal | undefined => {
  if (caller.kind === "anonymous") return operation.public ? undefined : Refusal.unauthenticated()
  const { enterprise, organization, repository } = target
  const refused = tokenMay(caller, operation, repository?.row.private === 1)
  if (refused !== undefined) return refused
  // What is public can be read by every token, and changed by those alone that were made for it.
  if (writes && repository !== undefined && !reaches(caller, repository.row)) {
    return Refusal.forbidden(`This token was not made for ${repository.fullName}`)
  }
  // Who wrote a thing, its handler knows.
  const wanted = operation.administers ? "admin" : writes && !operation.authored ? "write" : "read"
  if (!atLeast(target.role, wanted)) {
    const what = repository?.fullName ?? organization?.login ?? enterprise?.slug ?? "this"
    return Refusal.forbidden(`${caller.user.login} may not ${wanted === "admin" ? "administer" : "change"} ${what}`)
  }
  // Who administers it can take it out of the archive.
  return writes && !operation.administers && repository?.row.archived === 1 ? Refusal.archived() : undefined
}
