import * as Effect from "effect/Effect"
import { TeamRepositories } from "@tongs/core/contract/groups/TeamRepositories"
import { atLeast, Roles } from "../../access/Roles.ts"
import { type Caller, includesRepository } from "../../access/Caller.ts"
import type { CollaboratorPermission } from "../../accounts/OrganizationRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group, withStatus } from "../../api/Handlers.ts"
import * as RepositorySummaries from "../../api/RepositorySummaries.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as TeamChanges from "./TeamChanges.ts"
import { TeamRepositoryRows } from "./TeamRepositoryRows.ts"
import * as TeamTarget from "./TeamTarget.ts"

/** The permissions by their names in requests. */
const permissionsByName = {
  pull: "read",
  triage: "triage",
  push: "write",
  maintain: "maintain",
  admin: "admin"
} as const satisfies Record<string, CollaboratorPermission>

/** Handlers of repositories of teams. */
export const make = Effect.gen(function* () {
  const changes = yield* TeamChanges.make
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const rows = yield* TeamRepositoryRows
  const target = yield* TeamTarget.make
  const transaction = yield* Transaction.make

  /** Finds a repository that the caller may read, with the caller's role. */
  const find = Effect.fnUntraced(function* (owner: string, repo: string, caller: Caller) {
    const repository = (yield* registry.find(owner, repo)) ?? (yield* ApiError.notFound())
    const role = yield* roles.onRepository(caller, repository.row)
    return role === "none" ? yield* ApiError.notFound() : { repository, role }
  })

  return group(TeamRepositories)({
    *list({ team_slug }, context) {
      const { caller, page, urls } = context
      const { id } = yield* target.find(team_slug, context)
      const { items, total } = yield* rows.list(id, caller, page)
      const permissions = new Map(items.map((item) => [item.id, item.permission]))
      const served = yield* registry.open((yield* registry.list).filter((row) => permissions.has(row.id)))
      const described = yield* RepositorySummaries.readSummaries(
        served.toSorted((one, other) => one.row.id - other.row.id),
        (row) => Effect.succeed(permissions.get(row.id) ?? "none"),
        urls
      )
      return { keyed: () => described, total }
    },

    *check({ owner, repo, team_slug }, context) {
      const team = yield* target.find(team_slug, context)
      const { repository } = yield* find(owner, repo, context.caller)
      const permission = (yield* rows.permission(team.id, repository.row.id)) ?? (yield* ApiError.notFound())
      if (context.mediaType !== "repository") return undefined
      const role = Effect.succeed(permission)
      const [described] = yield* RepositorySummaries.readSummaries([repository], () => role, context.urls)
      return withStatus(200, described?.make() ?? (yield* ApiError.notFound()))
    },

    *add({ owner, permission = "push", repo, team_slug }, context) {
      const { caller, organization } = context
      const team = yield* target.find(team_slug, context)
      const { repository, role } = yield* find(owner, repo, caller)
      yield* target.check(atLeast(role, "admin"), "Must have admin rights to Repository.")
      if (repository.row.owner.id !== organization.id)
        return yield* ApiError.invalid(`${repository.fullName} does not belong to ${organization.login}`)
      const at = { actor: caller.user, organization }
      yield* transaction(changes.setRepository(at, team, repository, permissionsByName[permission]))
    },

    *remove({ owner, repo, team_slug }, context) {
      const { caller, organization } = context
      const team = yield* target.find(team_slug, context)
      const { repository, role } = yield* find(owner, repo, caller)
      yield* target.check(
        includesRepository(caller, repository.row),
        `This token was not made for ${repository.fullName}`
      )
      yield* target.check(
        atLeast(role, "admin") || (yield* target.maintains(context, team)),
        "You must be a team maintainer, or have admin rights to Repository."
      )
      yield* transaction(
        Effect.gen(function* () {
          if ((yield* rows.own(team.id, repository.row.id)) === undefined) return yield* ApiError.notFound()
          yield* changes.removeRepository({ actor: caller.user, organization }, team, repository)
        })
      )
    }
  })
})
