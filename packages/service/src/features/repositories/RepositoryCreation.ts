/** Checks and events of new repositories, for the API and for pushes that create a repository. */
import * as Effect from "effect/Effect"
import { type Authenticated, hasScope, isScoped } from "../../access/Caller.ts"
import type { Role } from "../../access/Roles.ts"
import type { OrganizationRow } from "../../accounts/OrganizationRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { GitError } from "../../git/values/GitError.ts"
import { isRepositoryName, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"

export const nameInvalid = ApiError.invalid("Repository creation failed.", [
  {
    resource: "Repository",
    field: "name",
    code: "invalid",
    message: "name must be 1 to 100 letters, digits, dots, hyphens and underscores, and cannot end in .git"
  }
])

export const nameTaken = ApiError.invalid("Repository creation failed.", [
  { resource: "Repository", field: "name", code: "custom", message: "name already exists on this account" }
])

/** Returns the error if the token cannot create this repository of `owner`. Does not check the role of the caller. */
export const creationError = (
  owner: UserRow,
  { name, private: isPrivate = false }: { readonly name: string; readonly private?: boolean | undefined },
  caller: Authenticated
) => {
  if (isPrivate && isScoped(caller) && !hasScope(caller, ["repo"])) {
    return ApiError.forbidden("Creating a private repository requires the repo scope", { scopes: ["repo"] })
  }
  if (caller.repositories !== undefined) {
    return ApiError.forbidden("This token is restricted to selected repositories and cannot create new ones")
  }
  if (caller.installation !== undefined && caller.installation.accountId !== owner.id) {
    return ApiError.forbidden(`The app is not installed on the account of ${owner.login}`)
  }
  return isRepositoryName(name) ? undefined : nameInvalid
}

/** Returns the error if only owners create repositories in the organization. `role`: that of the caller. */
export const memberCreationError = (organization: OrganizationRow, role: Role) =>
  organization.members_can_create_repositories === 1 || role === "admin"
    ? undefined
    : ApiError.forbidden(`Only owners of ${organization.login} can create repositories`)

/** Creates the payload of the event of a new repository. */
export const createdPayload = Effect.fnUntraced(function* ({
  git,
  row
}: ServedRepository): Effect.fn.Return<Record<string, unknown>, GitError> {
  const { description } = row
  return {
    ref: null,
    ref_type: "repository",
    full_ref: "",
    master_branch: yield* git.head,
    description,
    pusher_type: "user"
  }
})
