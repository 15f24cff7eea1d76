/** Fixtures of invitations to repositories. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CollaboratorPermission } from "../../accounts/OrganizationRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import { timestamp } from "../../base/Time.ts"
import { InvitationRows } from "./InvitationRows.ts"

const { foldCase } = FixtureSection

/** Section `repository_invitations`. */
export const sections = () => [
  FixtureSection.make(
    "repository_invitations",
    Schema.Struct({
      repository: Schema.String,
      invitee: Schema.String,
      inviter: Schema.String,
      permission: Schema.optionalKey(CollaboratorPermission),
      created_at: Schema.optionalKey(FixtureTimestamp)
    }),
    ({ invitee, repository }) => [FixtureSection.identity("invitee", foldCase(repository), foldCase(invitee))],
    Effect.fnUntraced(function* ({ created_at, invitee, inviter, permission = "write", repository }) {
      const { id: repositoryId } = yield* FixtureSection.repository("repository", repository)
      const { id: inviteeId } = yield* FixtureSection.user("invitee", invitee)
      const { id: inviterId } = yield* FixtureSection.user("inviter", inviter)
      const createdAt = created_at ?? timestamp(yield* Clock.currentTimeMillis)
      yield* (yield* InvitationRows).add({ repositoryId, inviteeId, inviterId, permission, createdAt })
    })
  )
]
