/** Checks whether a caller may run an operation, by the operation's annotations. */
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Operation } from "@tongs/core/contract/Operation"
import {
  type Authenticated,
  type Caller,
  hasPermission,
  hasScope,
  isScoped,
  includesRepository
} from "../access/Caller.ts"
import * as Permissions from "../access/Permissions.ts"
import * as ApiError from "./ApiError.ts"
import { atLeast } from "../access/Roles.ts"
import type { RequestTarget } from "./RequestTarget.ts"

/** Returns an operation of the contract, whose access rules also apply to a request outside of the contract. */
export const operationOf = (group: Parameters<typeof entriesOfGroup>[0], name: string): Operation => {
  const entry = entriesOfGroup(group).find((one) => one.name === name)
  if (entry === undefined) throw new Error(`The contract has no ${group}.${name}`)
  return entry.operation
}

/**
 * Returns the OAuth scopes of which a token needs one for the operation on the target. For a target that was not found,
 * returns the scopes for a private target, so that missing and hidden targets give the same result.
 */
const scopesOf = (operation: Operation, target: RequestTarget | undefined) =>
  (target?.kind === "repository" && target.repository.row.private === 1) ||
  (target === undefined && operation.privateScopes.length > 0)
    ? operation.privateScopes
    : operation.scopes

/** Returns the sets of permissions of which a token needs one, each as a string. */
const permissionsOf = ({ permission }: Operation): ReadonlyArray<string> =>
  permission === "refused"
    ? []
    : permission.map((set) => set.map((one) => `${Permissions.nameOf(one)}=${one.level}`).join(";"))

/** Returns headers with the OAuth scopes or permissions that an operation accepts. */
export const acceptedHeaders = (
  operation: Operation,
  caller: Authenticated,
  target: RequestTarget | undefined,
  permissionsHeader: string
): Readonly<Record<string, string>> => {
  if (isScoped(caller)) return { "x-accepted-oauth-scopes": scopesOf(operation, target).join(", ") }
  const permissions = permissionsOf(operation)
  return permissions.length === 0 ? {} : { [permissionsHeader]: permissions.join(",") }
}

const tokenMay = (
  caller: Authenticated,
  operation: Operation,
  target: RequestTarget
): ApiError.ApiError | undefined => {
  if (isScoped(caller)) {
    const scopes = scopesOf(operation, target)
    return hasScope(caller, scopes)
      ? undefined
      : ApiError.forbidden("This token has none of the scopes that this needs", { scopes })
  }
  const { permission } = operation
  if (permission === "refused") return ApiError.forbidden("This does not accept fine-grained tokens")
  const allowed = permission.length === 0 || permission.some((set) => set.every((one) => hasPermission(caller, one)))
  return allowed
    ? undefined
    : ApiError.forbidden("Resource not accessible by this token", {
        permissions: permissionsOf(operation)
      })
}

/** Role that each `access` of an operation requires. For `author`, the handler also checks the author. */
const roles = {
  read: "read",
  author: "read",
  triage: "triage",
  write: "write",
  maintain: "maintain",
  administer: "admin"
} as const // each a role

/** What a caller without the role may not do, in error messages. */
const verbs = { read: "read", triage: "triage", write: "change", maintain: "maintain", admin: "administer" } as const // by role

/** Returns the error if the caller may not run the operation on a visible target, or `undefined` if allowed. */
export const accessError = (
  operation: Operation,
  caller: Caller,
  target: RequestTarget,
  writes: boolean
): ApiError.ApiError | undefined => {
  if (caller.kind === "anonymous") return operation.public ? undefined : ApiError.unauthenticated()
  // Tokens of installations and workflows have no signed-in user.
  if (target.kind === "user" && (caller.kind === "installation" || caller.kind === "workflow")) {
    return ApiError.forbidden(
      "Resource not accessible by this token: the operation needs a user, and the token has none"
    )
  }
  if (operation.onlyApps === true && caller.kind !== "installation" && caller.kind !== "workflow") {
    return ApiError.forbidden("You must authenticate via a GitHub App.")
  }
  const refused = tokenMay(caller, operation, target)
  if (refused !== undefined) return refused
  const repository = target.kind === "repository" ? target.repository : undefined
  // Any token can read a public repository. Changes need a token that includes the repository.
  if (writes && repository !== undefined && !includesRepository(caller, repository.row)) {
    return ApiError.forbidden(`This token was not made for ${repository.fullName}`)
  }
  const wanted = roles[operation.access]
  if (!atLeast(target.role, wanted)) {
    return ApiError.forbidden(`${caller.user.login} may not ${verbs[wanted]} ${nameOf(target)}`)
  }
  // Administrators can unarchive a repository.
  const administers = target.role === "admin" && atLeast(wanted, "maintain")
  const changes = writes && operation.allowsArchived !== true
  return changes && !administers && repository?.row.archived === 1 ? ApiError.archived() : undefined
}

const nameOf = (target: RequestTarget): string => {
  switch (target.kind) {
    case "repository":
      return target.repository.fullName
    case "organization":
      return target.organization.login
    case "enterprise":
      return target.enterprise.slug
    case "user":
    case "site":
    case "none":
      return "this"
  }
}
