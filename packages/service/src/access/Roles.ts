/** Roles of callers on repositories, organizations and enterprises, before the scopes and permissions of tokens. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { contentsRead, type Permission } from "@tongs/core/contract/Operation"
import { collaboratorPermissions, type EnterpriseRow, OrganizationRows } from "../accounts/OrganizationRows.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import * as RevisionCache from "../storage/RevisionCache.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import { type Authenticated, type Caller, hasPermission, hasScope, includesRepository, isScoped } from "./Caller.ts"

/** Each role includes the previous ones. `none`: the caller must not learn that the resource exists. */
export const roles = ["none", ...collaboratorPermissions] as const
export type Role = (typeof roles)[number]

export const atLeast = (role: Role, wanted: Role): boolean => roles.indexOf(role) >= roles.indexOf(wanted)

/** Maximum number of cached roles of members and collaborators. */
const MAX_KNOWN = 10_000

const isInstallation = ({ installation, kind }: Authenticated) => kind === "installation" && installation !== undefined

/** True if a caller's token has one of the permissions on a visible repository. Public repositories are open to all. */
const opens = (caller: Caller, { private: hidden }: RepositoryRow, permissions: ReadonlyArray<Permission>) =>
  hidden === 0 ||
  caller.kind === "anonymous" ||
  isScoped(caller) ||
  permissions.some((permission) => hasPermission(caller, permission))

const higher = (one: Role, other: Role): Role => (atLeast(one, other) ? one : other)

export class Roles extends Context.Service<
  Roles,
  {
    onRepository(caller: Caller, repository: RepositoryRow): Effect.Effect<Role>
    /** Returns the repositories that are visible to the caller. */
    visible(caller: Caller, repositories: ReadonlyArray<RepositoryRow>): Effect.Effect<ReadonlyArray<RepositoryRow>>
    /**
     * Returns the visible repositories on which the caller's token has one of the permissions, by default to read
     * files.
     */
    readable(
      caller: Caller,
      repositories: ReadonlyArray<RepositoryRow>,
      permissions?: ReadonlyArray<Permission>
    ): Effect.Effect<ReadonlyArray<RepositoryRow>>
    onOrganization(caller: Caller, organizationId: number): Effect.Effect<Role>
    onEnterprise(caller: Caller, enterprise: EnterpriseRow): Effect.Effect<Role>
  }
>()("@tongs/service/access/Roles") {
  static readonly layer = Layer.effect(
    Roles,
    Effect.gen(function* () {
      const organizations = yield* OrganizationRows
      const known = RevisionCache.make<Role>(yield* StoreRevision, MAX_KNOWN)

      /** Returns the role of a user who is a member or collaborator, not the owner. */
      const shared = Effect.fnUntraced(function* (userId: number, row: RepositoryRow) {
        const collaboration = (yield* organizations.collaboration(row.id, userId)) ?? "none"
        if (row.owner.type !== "Organization") return collaboration
        const membership = yield* organizations.role(row.owner.id, userId)
        return higher(collaboration, membership === "owner" ? "admin" : membership === "member" ? "read" : "none")
      })

      const onRepository = (caller: Caller, repository: RepositoryRow): Effect.Effect<Role> => {
        const { owner, private: hidden } = repository
        const visible: Role = hidden === 0 ? "read" : "none"
        if (caller.kind === "anonymous") return Effect.succeed(visible)
        // A token without access to private repositories cannot see that the repository exists.
        if (hidden === 1 && isScoped(caller) && !hasScope(caller, ["repo"])) return Effect.succeed("none")
        if (!includesRepository(caller, repository)) return Effect.succeed(visible)
        // An installation acts for no user: in the selected repositories, only the permissions of the installation
        // apply.
        if (isInstallation(caller)) return Effect.succeed("admin")
        if (caller.user.id === owner.id || caller.user.site_admin === 1) return Effect.succeed("admin")
        const key = `${caller.user.id} ${repository.id} ${visible}`
        const role = known.find(key)
        if (role !== undefined) return Effect.succeed(role)
        return known.get(
          key,
          Effect.map(shared(caller.user.id, repository), (role) => higher(role, visible))
        )
      }

      const visible = (caller: Caller, repositories: ReadonlyArray<RepositoryRow>) =>
        Effect.filter(repositories, (one) => Effect.map(onRepository(caller, one), (role) => role !== "none"))

      return Roles.of({
        onRepository,
        visible,
        readable: (caller, repositories, permissions = [contentsRead]) =>
          visible(
            caller,
            repositories.filter((one) => opens(caller, one, permissions))
          ),
        onOrganization: (caller, organizationId) => {
          // Organizations are public.
          if (caller.kind === "anonymous") return Effect.succeed("read")
          // A token of an app has no role on organizations in which the app is not installed.
          const { installation } = caller
          if (installation !== undefined && installation.accountId !== organizationId) return Effect.succeed("read")
          if (isInstallation(caller)) return Effect.succeed("admin")
          if (caller.user.site_admin === 1) return Effect.succeed("admin")
          return Effect.map(organizations.role(organizationId, caller.user.id), (role) =>
            role === "owner" ? "admin" : role === "member" ? "write" : "read"
          )
        },
        onEnterprise: (caller, enterprise) => {
          // Apps cannot be installed on an enterprise.
          if (caller.kind === "anonymous" || caller.installation !== undefined) return Effect.succeed("none")
          if (caller.user.site_admin === 1) return Effect.succeed("admin")
          return Effect.map(organizations.isEnterpriseAdmin(enterprise.id, caller.user.id), (is) =>
            is ? "admin" : "none"
          )
        }
      })
    })
  )
}
