/** Roles of callers on repositories, organizations and enterprises, before the scopes and permissions of tokens. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { contentsRead, type Permission } from "@tongs/core/contract/Operation"
import { collaboratorPermissions, type EnterpriseRow, OrganizationRows } from "../accounts/OrganizationRows.ts"
import type { UserRow } from "../accounts/UserRows.ts"
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

/** The role of everybody. */
const visibleRole = ({ private: hidden }: RepositoryRow): Role => (hidden === 0 ? "read" : "none")

/** True for a fork that only accounts with access to the root of the network may read, not even its owner otherwise. */
const isPrivateFork = ({ private: hidden, source_id }: RepositoryRow) => hidden === 1 && source_id !== null

/** The account whose roles count: an installation may read a private fork if the owner of the fork may. */
const accountOf = (caller: Authenticated, { owner }: RepositoryRow): number =>
  isInstallation(caller) ? owner.id : caller.user.id

export class Roles extends Context.Service<
  Roles,
  {
    onRepository(caller: Caller, repository: RepositoryRow): Effect.Effect<Role>
    /** Returns the roles by the ids of the repositories, in at most one statement for a user. */
    onRepositories(caller: Caller, repositories: ReadonlyArray<RepositoryRow>): Effect.Effect<ReadonlyMap<number, Role>>
    /** Returns the role that a user was given, without what a public repository gives to everyone. */
    granted(user: UserRow, repository: RepositoryRow): Effect.Effect<Role>
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
    /** Administrators of the site have the role `admin` on the whole forge. */
    onSite(caller: Caller): Role
  }
>()("@tongs/service/access/Roles") {
  static readonly layer = Layer.effect(
    Roles,
    Effect.gen(function* () {
      const organizations = yield* OrganizationRows
      const known = RevisionCache.make<Role>(yield* StoreRevision, MAX_KNOWN)

      const keyOf = (userId: number, repositoryId: number) => `${userId} ${repositoryId}`

      /** Returns the roles that a user was given by `keyOf`, in at most one statement. */
      const shared = (userId: number, repositories: ReadonlyArray<RepositoryRow>) => {
        const ids = new Map(repositories.map(({ id }) => [keyOf(userId, id), id]))
        return known.getAll([...ids.keys()], (missing) =>
          Effect.map(
            organizations.permissions(
              userId,
              missing.flatMap((key) => ids.get(key) ?? [])
            ),
            (found): ReadonlyMap<string, Role> => {
              const roles = new Map<string, Role>(missing.map((key) => [key, "none"]))
              for (const { id, permission } of found) {
                const key = keyOf(userId, id)
                roles.set(key, higher(roles.get(key) ?? "none", permission))
              }
              return roles
            }
          )
        )
      }

      /** Creates the function that returns a caller's role if known without the database. */
      const knownRoles = (caller: Caller): ((repository: RepositoryRow) => Role | undefined) => {
        if (caller.kind === "anonymous") return visibleRole
        const isOfInstallation = isInstallation(caller)
        const find = known.finder()
        // A token without access to private repositories cannot see that the repository exists.
        const isLimited = isScoped(caller) && !hasScope(caller, ["repo"])
        return (repository) => {
          const { owner, private: hidden } = repository
          if (hidden === 1 && isLimited) return "none"
          const visible = visibleRole(repository)
          if (!includesRepository(caller, repository)) return visible
          // An installation acts for no user: in the selected repositories, only the permissions of the installation
          // apply.
          if (isOfInstallation) {
            if (!isPrivateFork(repository)) return "admin"
          } else if (caller.user.site_admin === 1) return "admin"
          else if (caller.user.id === owner.id && !isPrivateFork(repository)) return "admin"
          const role = find(keyOf(accountOf(caller, repository), repository.id))
          return role === undefined ? undefined : higher(role, visible)
        }
      }

      const onRepositories = Effect.fnUntraced(function* (caller: Caller, repositories: ReadonlyArray<RepositoryRow>) {
        const roles = new Map<number, Role>()
        const unknown: Array<RepositoryRow> = []
        const knownRole = knownRoles(caller)
        for (const one of repositories) {
          const role = knownRole(one)
          if (role === undefined) unknown.push(one)
          else roles.set(one.id, role)
        }
        if (unknown.length === 0 || caller.kind === "anonymous") return roles
        const accounts = Map.groupBy(unknown, (one) => accountOf(caller, one))
        for (const [id, group] of accounts) {
          const read = yield* shared(id, group)
          for (const one of group) roles.set(one.id, higher(read.get(keyOf(id, one.id)) ?? "none", visibleRole(one)))
        }
        return roles
      })

      const onRepository = (caller: Caller, repository: RepositoryRow): Effect.Effect<Role> => {
        const role = knownRoles(caller)(repository)
        if (role !== undefined) return Effect.succeed(role)
        return Effect.map(onRepositories(caller, [repository]), (roles) => roles.get(repository.id) ?? "none")
      }

      const visible = (caller: Caller, repositories: ReadonlyArray<RepositoryRow>) =>
        Effect.suspend(() => {
          const knownRole = knownRoles(caller)
          const roles = repositories.map(knownRole)
          return roles.includes(undefined)
            ? Effect.map(onRepositories(caller, repositories), (all) =>
                repositories.filter(({ id }) => all.get(id) !== "none")
              )
            : Effect.succeed(repositories.filter((_, index) => roles[index] !== "none"))
        })

      return Roles.of({
        onRepository,
        onRepositories,
        granted: (user, repository) =>
          user.site_admin === 1 || (user.id === repository.owner.id && !isPrivateFork(repository))
            ? Effect.succeed("admin")
            : Effect.map(shared(user.id, [repository]), (read) => read.get(keyOf(user.id, repository.id)) ?? "none"),
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
          const role = Effect.map(organizations.role(organizationId, caller.user.id), (role): Role =>
            role === "owner" ? "admin" : role === "member" ? "write" : "read"
          )
          return known.get(`${caller.user.id} organization ${organizationId}`, role)
        },
        onSite: (caller) =>
          caller.kind !== "anonymous" && caller.installation === undefined && caller.user.site_admin === 1
            ? "admin"
            : "none",
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
