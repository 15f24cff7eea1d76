/** The account in which a caller creates a repository, or to which a caller transfers one. */
import * as Effect from "effect/Effect"
import type { Forbidden } from "@tongs/core/contract/Failure"
import type { Authenticated } from "../../access/Caller.ts"
import { type Role, Roles } from "../../access/Roles.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import { memberCreationError } from "./RepositoryCreation.ts"

export interface NewOwner {
  readonly owner: UserRow
  /** The caller's role on the account. */
  readonly role: Role
}

const createOwn = OperationAccess.operationOf("repositories", "createForAuthenticatedUser")
const createInOrganization = OperationAccess.operationOf("repositories", "createInOrg")

/** A signed-in caller can lack only rights. */
const forbidden = (refused: ApiError.ApiError) =>
  refused._tag === "Forbidden" ? refused : ApiError.forbidden(refused.detail)

export const make = Effect.gen(function* () {
  const organizations = yield* OrganizationRows
  const roles = yield* Roles

  /**
   * Finds the caller's account or an organization. Undefined for other accounts. Fails if the caller may not create
   * repositories in it.
   */
  return Effect.fnUntraced(function* (
    login: string,
    caller: Authenticated
  ): Effect.fn.Return<NewOwner | undefined, Forbidden> {
    if (caller.user.login.toLowerCase() === login.toLowerCase()) {
      const refused = OperationAccess.accessError(createOwn, caller, { kind: "user", role: "admin" }, true)
      return refused === undefined ? { owner: caller.user, role: "admin" } : yield* forbidden(refused)
    }
    const organization = yield* organizations.byLogin(login)
    if (organization === undefined) return undefined
    const role = yield* roles.onOrganization(caller, organization.id)
    const target = { kind: "organization", role, organization } as const // literal kind
    const refused =
      OperationAccess.accessError(createInOrganization, caller, target, true) ?? memberCreationError(organization, role)
    return refused === undefined ? { owner: organization, role } : yield* forbidden(refused)
  })
})
