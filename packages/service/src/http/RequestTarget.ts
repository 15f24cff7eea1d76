/** What a request is about: its path says of which kind, its parameters which one. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { GitError } from "../git/GitError.ts"
import { type Hosted, Hosting } from "../repositories/RepositoryRegistry.ts"
import { type EnterpriseRow, type OrganizationRow, Organizations } from "../accounts/OrganizationRows.ts"
import type { Caller } from "../access/Caller.ts"
import * as ApiError from "../api/ApiError.ts"
import { type Role, Roles } from "../access/Roles.ts"

export type Kind = "none" | "user" | "repository" | "organization" | "enterprise"

export interface Target {
  /** True for the account of the signed-in user. */
  readonly user?: true
  readonly repository?: Hosted
  /** Whether the path names the repository as it was called before. */
  readonly renamed?: boolean
  readonly organization?: OrganizationRow
  readonly enterprise?: EnterpriseRow
  /** What the caller may do to it. */
  readonly role: Role
}

const prefixes: ReadonlyArray<readonly [string, Kind]> = [
  ["/repos/:owner/:repo", "repository"],
  ["/orgs/:org", "organization"],
  ["/organizations/:org", "organization"],
  ["/enterprises/:enterprise", "enterprise"],
  ["/user", "user"]
]

/** The kind of the target of a path of the contract. */
export const kindOf = (path: string): Kind =>
  prefixes.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1] ?? "none"

const nothing: Target = { role: "admin" }

/** The caller's own account: it may do everything. */
const own: Target = { role: "admin", user: true }

/** Makes the function that finds targets. One that is not there, or not for the caller to know of, is a 404. */
export const make = Effect.gen(function* () {
  const hosting = yield* Hosting
  const organizations = yield* Organizations
  const roles = yield* Roles

  const known = <T extends Omit<Target, "role">>(target: T, role: Role) =>
    role === "none" ? Effect.fail(ApiError.notFound()) : Effect.succeed({ ...target, role })

  return Effect.fnUntraced(function* (
    kind: Kind,
    params: Readonly<Record<string, string | undefined>>,
    caller: Caller
  ): Effect.fn.Return<Target, ApiError.Refusal | GitError> {
    switch (kind) {
      case "none":
        return nothing
      case "user":
        return own
      case "repository": {
        const { owner = "", repo = "" } = params
        const named = Option.getOrUndefined(yield* hosting.find(owner, repo))
        const repository = named ?? Option.getOrUndefined(yield* hosting.findRenamed(owner, repo))
        if (repository === undefined) return yield* ApiError.notFound()
        const renamed = named === undefined
        return yield* known({ repository, renamed }, yield* roles.onRepository(caller, repository.row))
      }
      case "organization": {
        const organization = Option.getOrUndefined(yield* organizations.byLogin(params.org ?? ""))
        if (organization === undefined) return yield* ApiError.notFound()
        return yield* known({ organization }, yield* roles.onOrganization(caller, organization.id))
      }
      case "enterprise": {
        // Nothing of an enterprise is public, not even whether it exists.
        if (caller.kind === "anonymous") return yield* ApiError.unauthenticated()
        const enterprise = Option.getOrUndefined(yield* organizations.enterprise(params.enterprise ?? ""))
        if (enterprise === undefined) return yield* ApiError.notFound()
        return yield* known({ enterprise }, yield* roles.onEnterprise(caller, enterprise))
      }
    }
  })
})
