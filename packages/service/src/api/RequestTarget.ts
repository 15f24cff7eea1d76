/** Resolves the repository, organization, enterprise or user that a request addresses. */
import * as Effect from "effect/Effect"
import type { GitError } from "../git/values/GitError.ts"
import { type ServedRepository, RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { type EnterpriseRow, type OrganizationRow, OrganizationRows } from "../accounts/OrganizationRows.ts"
import type { Caller } from "../access/Caller.ts"
import * as ReadyEffects from "../base/ReadyEffects.ts"
import * as ApiError from "./ApiError.ts"
import { type Role, Roles } from "../access/Roles.ts"

export type TargetKind = "none" | "user" | "repository" | "organization" | "enterprise"

export interface RequestTarget {
  /** True if the request addresses the account of the signed-in user. */
  readonly user?: true
  readonly repository?: ServedRepository
  /** True if the path has a former name of the repository. */
  readonly renamed?: boolean
  readonly organization?: OrganizationRow
  readonly enterprise?: EnterpriseRow
  /** The role of the caller on the target. */
  readonly role: Role
}

const prefixes: ReadonlyArray<readonly [string, TargetKind]> = [
  ["/repos/:owner/:repo", "repository"],
  ["/tongs/repos/:owner/:repo", "repository"],
  ["/orgs/:org", "organization"],
  ["/organizations/:org", "organization"],
  ["/enterprises/:enterprise", "enterprise"],
  ["/user", "user"],
  ["/tongs/user", "user"]
]

/** Returns the kind of target that a path template of the contract addresses. */
export const kindOf = (path: string): TargetKind =>
  prefixes.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1] ?? "none"

const nothing: RequestTarget = { role: "admin" }

/** The caller's own account, on which it has all permissions. */
const own: RequestTarget = { role: "admin", user: true }

/** Creates the function that resolves targets. It fails with a 404 if the target does not exist or is not visible. */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const organizations = yield* OrganizationRows
  const roles = yield* Roles

  const known = <T extends Omit<RequestTarget, "role">>(target: T, role: Role) =>
    role === "none" ? Effect.fail(ApiError.notFound()) : Effect.succeed({ ...target, role })

  const find = Effect.fnUntraced(function* (
    kind: TargetKind,
    params: Readonly<Record<string, string | undefined>>,
    caller: Caller
  ): Effect.fn.Return<RequestTarget, ApiError.ApiError | GitError> {
    switch (kind) {
      case "none":
        return nothing
      case "user":
        return own
      case "repository": {
        const { owner = "", repo = "" } = params
        const named = yield* registry.find(owner, repo)
        const repository = named ?? (yield* registry.findRenamed(owner, repo))
        if (repository === undefined) return yield* ApiError.notFound()
        const renamed = named === undefined
        return yield* known({ repository, renamed }, yield* roles.onRepository(caller, repository.row))
      }
      case "organization": {
        const organization = yield* organizations.byLogin(params.org ?? "")
        if (organization === undefined) return yield* ApiError.notFound()
        return yield* known({ organization }, yield* roles.onOrganization(caller, organization.id))
      }
      case "enterprise": {
        // The existence of an enterprise is not public.
        if (caller.kind === "anonymous") return yield* ApiError.unauthenticated()
        const enterprise = yield* organizations.enterprise(params.enterprise ?? "")
        if (enterprise === undefined) return yield* ApiError.notFound()
        return yield* known({ enterprise }, yield* roles.onEnterprise(caller, enterprise))
      }
    }
  })

  return (kind: TargetKind, params: Readonly<Record<string, string | undefined>>, caller: Caller) => {
    const named = kind === "repository" ? registry.known(params.owner ?? "", params.repo ?? "") : undefined
    const role = named === undefined ? undefined : ReadyEffects.valueOf(roles.onRepository(caller, named.row))
    return named === undefined || role === undefined
      ? find(kind, params, caller)
      : known({ repository: named, renamed: false }, role.value)
  }
})
