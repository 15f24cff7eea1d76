/**
 * Paths with an id instead of names. `/repositories/7/issues` addresses `/repos/OWNER/NAME/issues`: clients get such
 * paths from GitHub after a rename, which GitHub does not document. `/teams/7/repos`, GitHub's older path of a team, and
 * `/organizations/3/team/7/repos`, which GitHub does not document, address `/orgs/ORGANIZATION/teams/SLUG/repos`.
 */
import * as Effect from "effect/Effect"
import type { Caller } from "../access/Caller.ts"
import { Roles } from "../access/Roles.ts"
import { TeamRows } from "../accounts/TeamRows.ts"
import type { ApiError } from "../api/ApiError.ts"
import * as TeamTarget from "../features/organizations/TeamTarget.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"

const repositoryPattern = /^\/repositories\/(\d{1,15})(?=\/|$)/

/** The older paths of teams that have a newer one. */
const teamPattern =
  /^(?:\/organizations\/(\d{1,15})\/team|\/teams)\/(\d{1,15})(?=$|\/(?:members|repos|teams)$|\/(?:memberships|repos)\/)/

/** No account has this login, so that an unknown id is answered as a target that the caller cannot see. */
const NOBODY = "-"

/**
 * Creates the function that replaces the id in a path by names. Other paths stay. The id of a team that the caller does
 * not see is unknown, because refusals name the organization.
 */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const teams = yield* TeamRows

  const repositoryPath = (id: number) =>
    Effect.map(registry.byIds([id]), ([row]) => {
      const owner = row?.owner.login ?? NOBODY
      const name = row?.name ?? NOBODY
      return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`
    })

  const teamPath = Effect.fnUntraced(function* (
    id: number,
    organizationId: number | undefined,
    identify: () => Effect.Effect<Caller, ApiError>
  ) {
    const found = yield* teams.byId(id)
    const row = organizationId === undefined || found?.organization_id === organizationId ? found : undefined
    const caller = yield* Effect.orElseSucceed(identify(), () => undefined)
    const viewer =
      row === undefined || caller === undefined
        ? undefined
        : TeamTarget.viewerOf(caller, yield* roles.onOrganization(caller, row.organization_id))
    const team =
      row === undefined || viewer === undefined ? undefined : yield* teams.find(row.organization_id, id, viewer)
    const organization = encodeURIComponent(team?.organization ?? NOBODY)
    return `/orgs/${organization}/teams/${encodeURIComponent(team?.slug ?? NOBODY)}`
  })

  /** `identify` is called only for the id of a team. */
  return (path: string, identify: () => Effect.Effect<Caller, ApiError>): Effect.Effect<string> => {
    const [repository, repositoryId] = repositoryPattern.exec(path) ?? []
    if (repository !== undefined)
      return Effect.map(repositoryPath(Number(repositoryId)), (found) => found + path.slice(repository.length))
    const [team, organizationId, teamId] = teamPattern.exec(path) ?? []
    if (team === undefined) return Effect.succeed(path)
    const ofOrganization = organizationId === undefined ? undefined : Number(organizationId)
    return Effect.map(teamPath(Number(teamId), ofOrganization, identify), (found) => found + path.slice(team.length))
  }
})
