/** Fixtures of invitations to organizations. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { OrganizationRole } from "../../accounts/OrganizationRows.ts"
import { TeamRows } from "../../accounts/TeamRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import { timestamp } from "../../base/Time.ts"
import { OrganizationInvitationRows } from "./OrganizationInvitationRows.ts"
import { slugOf } from "./TeamSlug.ts"

const { foldCase } = FixtureSection

/** Section `organization_invitations`. */
export const sections = () => [
  FixtureSection.make(
    "organization_invitations",
    Schema.Struct({
      organization: Schema.String,
      invitee: Schema.String,
      inviter: Schema.String,
      role: Schema.optionalKey(OrganizationRole),
      /** Names or slugs of teams that the account joins. */
      teams: Schema.optionalKey(Schema.Array(Schema.String)),
      created_at: Schema.optionalKey(FixtureTimestamp)
    }),
    ({ invitee, organization }) => [FixtureSection.identity("invitee", foldCase(organization), foldCase(invitee))],
    Effect.fnUntraced(function* ({ created_at, invitee, inviter, organization, role = "member", teams = [] }) {
      const { id: organizationId } = yield* FixtureSection.organization("organization", organization)
      const { id: inviteeId } = yield* FixtureSection.user("invitee", invitee)
      const { id: inviterId } = yield* FixtureSection.user("inviter", inviter)
      const rows = yield* TeamRows
      const teamIds: Array<number> = []
      for (const [index, name] of teams.entries()) {
        const team = yield* rows.find(organizationId, slugOf(name), "owner")
        if (team === undefined)
          return yield* FixtureSection.failAt(`teams[${index}]`, `no team ${JSON.stringify(name)}`)
        teamIds.push(team.id)
      }
      const createdAt = created_at ?? timestamp(yield* Clock.currentTimeMillis)
      yield* (yield* OrganizationInvitationRows).add({ organizationId, inviteeId, inviterId, role, teamIds, createdAt })
    })
  )
]
