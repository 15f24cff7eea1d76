/** Fixtures of teams. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CollaboratorPermission, OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { TeamRow, TeamRows } from "../../accounts/TeamRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { timestamp } from "../../base/Time.ts"
import { TeamMemberRows, TeamRole } from "./TeamMemberRows.ts"
import { TeamRepositoryRows } from "./TeamRepositoryRows.ts"
import { slugOf } from "./TeamSlug.ts"

const { foldCase, identity } = FixtureSection

const Team = Schema.Struct({
  organization: Schema.String,
  name: Schema.String,
  description: Schema.optionalKey(Schema.String),
  /** Name or slug of an earlier team of the organization. */
  parent: Schema.optionalKey(Schema.String),
  /** `closed` by default. */
  privacy: Schema.optionalKey(TeamRow.fields.privacy),
  members: Schema.optionalKey(
    Schema.Array(Schema.Struct({ login: Schema.String, role: Schema.optionalKey(TeamRole) }))
  ),
  repositories: Schema.optionalKey(
    Schema.Array(Schema.Struct({ repository: Schema.String, permission: Schema.optionalKey(CollaboratorPermission) }))
  )
})

/** Finds the team of a row, or adds it. */
const ensure = Effect.fnUntraced(function* (
  organizationId: number,
  { description, name, parent, privacy = "closed" }: typeof Team.Type
) {
  const teams = yield* TeamRows
  const slug = slugOf(name)
  if (slug === "") return yield* FixtureSection.failAt("name", "needs a letter or a digit")
  const above = parent === undefined ? undefined : yield* teams.find(organizationId, slugOf(parent), "owner")
  if (parent !== undefined && above?.privacy !== "closed")
    return yield* FixtureSection.failAt("parent", `no closed team ${JSON.stringify(parent)}`)
  if (above !== undefined && privacy === "secret")
    return yield* FixtureSection.failAt("privacy", "a nested team cannot be secret")
  const added = yield* teams.add({
    organizationId,
    parentId: above?.id ?? null,
    name,
    slug,
    description: description ?? null,
    privacy,
    notification_setting: "notifications_enabled",
    createdAt: timestamp(yield* Clock.currentTimeMillis)
  })
  const team = added ?? (yield* teams.find(organizationId, slug, "owner"))
  return team ?? (yield* FixtureSection.failAt("name", `cannot add team ${slug}`))
})

/** Section `teams`. */
export const sections = () => [
  FixtureSection.make(
    "teams",
    Team,
    ({ members = [], name, organization, repositories = [] }) => [
      identity("name", foldCase(organization), slugOf(name)),
      ...members.map(({ login }, index) =>
        identity(`members[${index}].login`, foldCase(organization), slugOf(name), foldCase(login))
      ),
      ...repositories.map(({ repository }, index) =>
        identity(`repositories[${index}].repository`, foldCase(organization), slugOf(name), foldCase(repository))
      )
    ],
    Effect.fnUntraced(function* (row) {
      const organization = yield* FixtureSection.organization("organization", row.organization)
      const organizations = yield* OrganizationRows
      const memberRows = yield* TeamMemberRows
      const repositoryRows = yield* TeamRepositoryRows
      const team = yield* ensure(organization.id, row)
      for (const [index, { login, role = "member" }] of (row.members ?? []).entries()) {
        const path = `members[${index}].login`
        const user = yield* FixtureSection.user(path, login)
        if ((yield* organizations.role(organization.id, user.id)) === undefined)
          return yield* FixtureSection.failAt(path, `${login} is not a member of ${organization.login}`)
        yield* memberRows.set(team.id, user.id, role)
      }
      for (const [index, { permission = "read", repository }] of (row.repositories ?? []).entries()) {
        const path = `repositories[${index}].repository`
        const found = yield* FixtureSection.repository(path, repository)
        if (found.owner.id !== organization.id)
          return yield* FixtureSection.failAt(path, `${repository} does not belong to ${organization.login}`)
        yield* repositoryRows.set(team.id, found.id, permission)
      }
    })
  )
]
