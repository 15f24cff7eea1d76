/** Teams: the summary in other resources, and the complete resource. */
import * as Schema from "effect/Schema"
import * as Presentation from "../Presentation.ts"
import { openEnum, Timestamp } from "../Scalars.ts"
import { Organization } from "./Organizations.ts"
import { Permissions } from "./Repository.ts"

const summary = {
  id: Schema.Int,
  node_id: Schema.String,
  name: Schema.String,
  slug: Schema.String,
  description: Schema.NullOr(Schema.String),
  privacy: Schema.optionalKey(openEnum(["closed", "secret"])),
  notification_setting: Schema.optionalKey(openEnum(["notifications_enabled", "notifications_disabled"])),
  permission: Schema.String,
  url: Schema.String,
  html_url: Schema.String,
  members_url: Schema.String,
  repositories_url: Schema.String,
  type: Schema.optionalKey(openEnum(["enterprise", "organization"])),
  organization_id: Schema.optionalKey(Schema.Int)
}

const columns = {
  SLUG: "slug",
  NAME: "name",
  PRIVACY: "privacy",
  PARENT: "parent.slug",
  ID: "id",
  DESCRIPTION: "description"
}

const presentation = { columns, title: "name", identity: ["slug"], arguments: { team_slug: "slug" } }

/** The parent of a team. */
export const TeamSummary = Schema.Struct(summary).annotate({
  identifier: "TeamSummary",
  ...Presentation.of({ ...presentation, inline: true })
})
export type TeamSummary = typeof TeamSummary.Type

/** A team in a list. */
export const Team = Schema.Struct({
  ...summary,
  parent: Schema.NullOr(TeamSummary),
  /** The permissions in the repository of the list. */
  permissions: Schema.optionalKey(
    Permissions.mapFields(({ admin, pull, push }) => ({
      admin,
      maintain: Schema.Boolean,
      push,
      triage: Schema.Boolean,
      pull
    }))
  ),
  access_source: Schema.optionalKey(openEnum(["direct", "organization", "enterprise"]))
}).annotate({ identifier: "Team", ...Presentation.of(presentation) })
export type Team = typeof Team.Type

/** A team with its organization and the numbers of its members and repositories. */
export const TeamFull = Schema.Struct({
  ...summary,
  parent: Schema.optionalKey(Schema.NullOr(TeamSummary)),
  members_count: Schema.Int.annotate(Presentation.format("count")),
  repos_count: Schema.Int.annotate(Presentation.format("count")),
  created_at: Timestamp,
  updated_at: Timestamp,
  organization: Organization
}).annotate({
  identifier: "TeamFull",
  ...Presentation.of({ ...presentation, arguments: { team_slug: "slug", org: "organization.login" } })
})
export type TeamFull = typeof TeamFull.Type
