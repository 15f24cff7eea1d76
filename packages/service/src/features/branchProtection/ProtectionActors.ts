/** The people, teams and apps of branch protections: from names to ids, and from ids to resources. */
import * as Effect from "effect/Effect"
import type { ActorNames } from "@tongs/core/contract/groups/BranchProtection"
import { InstallationRows } from "../../access/InstallationRows.ts"
import { TeamRows } from "../../accounts/TeamRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as AppShapes from "../../api/AppShapes.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { ProtectionActors } from "../../rules/BranchProtectionRows.ts"

/** Maximum number of people, of teams and of apps. */
const MAX_ACTORS = 100

const ONLY_ORGANIZATIONS = "Only organization repositories can have users and team restrictions"

const invalid = (message: string) => ApiError.invalid(`Validation Failed: ${message}`)

export const make = Effect.gen(function* () {
  const installations = yield* InstallationRows
  const teams = yield* TeamRows
  const users = yield* UserRows

  const requireFew = (actors: ReadonlyArray<unknown>) =>
    actors.length > MAX_ACTORS
      ? Effect.fail(invalid(`At most ${MAX_ACTORS} users, teams and apps are allowed`))
      : Effect.void

  /** Finds the people, teams and apps by their names. */
  const resolve = Effect.fnUntraced(function* (
    { apps = [], teams: slugs = [], users: logins = [] }: ActorNames,
    { repository }: RepositoryContext
  ) {
    const { owner } = repository.row
    if (owner.type !== "Organization" && apps.length + slugs.length + logins.length > 0)
      return yield* invalid(ONLY_ORGANIZATIONS)
    for (const names of [apps, slugs, logins]) yield* requireFew(names)
    const ids = { users: new Set<number>(), teams: new Set<number>(), apps: new Set<number>() }
    for (const login of logins) {
      const user = yield* users.byLogin(login)
      if (user?.type !== "User") return yield* invalid(`No user ${JSON.stringify(login)}`)
      ids.users.add(user.id)
    }
    for (const slug of slugs) {
      const team = yield* teams.find(owner.id, slug, "owner")
      if (team === undefined) return yield* invalid(`No team ${JSON.stringify(slug)}`)
      ids.teams.add(team.id)
    }
    for (const slug of apps) {
      const app = yield* installations.app(slug)
      if (app === undefined) return yield* invalid(`No app ${JSON.stringify(slug)}`)
      ids.apps.add(app.id)
    }
    return { users: [...ids.users], teams: [...ids.teams], apps: [...ids.apps] } satisfies ProtectionActors
  })

  /** Returns the resources of those people, teams and apps that still exist. */
  const describe = Effect.fnUntraced(function* (actors: ProtectionActors, { repository, urls }: RepositoryContext) {
    const apps = actors.apps.length === 0 ? undefined : yield* installations.appsById(actors.apps)
    const people = actors.users.length === 0 ? [] : yield* users.byIds(actors.users)
    const found = actors.teams.length === 0 ? [] : yield* teams.byIds(repository.row.owner.id, actors.teams)
    return {
      users: people.map((user) => Shapes.userSummary(user, urls)),
      teams: found.map((team) => Shapes.team(team, urls)),
      apps: [...(apps?.values() ?? [])].map((app) => AppShapes.app(app, urls))
    }
  })

  /** Returns the logins of people and the slugs of teams and apps. */
  const namesOf = Effect.fnUntraced(function* (actors: ProtectionActors, context: RepositoryContext) {
    const { apps, teams, users } = yield* describe(actors, context)
    return [
      ...users.map(({ login }) => login),
      ...teams.map(({ slug }) => slug),
      ...apps.map(({ name, slug = name }) => slug)
    ]
  })

  return { describe, namesOf, requireFew, resolve }
})
