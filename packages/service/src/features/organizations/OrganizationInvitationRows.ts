/** Database rows of invitations to organizations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { OrganizationRole } from "../../accounts/OrganizationRows.ts"
import { accountJson, UserRow } from "../../accounts/UserRows.ts"
import type { PageRequest, Slice } from "../../base/Paging.ts"
import { decodeCount, decodeFirstRow, decodeRows, requireRow } from "../../storage/RowDecoder.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"

/** An invitation. `created_at` is ISO 8601. */
export const OrganizationInvitationRow = Schema.Struct({
  id: Schema.Int,
  organization_id: Schema.Int,
  role: OrganizationRole,
  created_at: Schema.String,
  team_count: Schema.Int,
  invitee: Schema.fromJsonString(UserRow),
  /** Null if the account was deleted. */
  inviter: Schema.NullOr(Schema.fromJsonString(UserRow))
})
export type OrganizationInvitationRow = typeof OrganizationInvitationRow.Type

/** An invitation to add, with the ids of the teams that the account joins. */
export interface NewOrganizationInvitation {
  readonly organizationId: number
  readonly inviteeId: number
  readonly inviterId: number
  readonly role: OrganizationRole
  readonly teamIds: ReadonlyArray<number>
  readonly createdAt: string
}

const rows = decodeRows(OrganizationInvitationRow)
const one = decodeFirstRow(OrganizationInvitationRow)
const added = decodeFirstRow(Schema.Struct({ id: Schema.Int }))
const teamRoles = decodeRows(Schema.Struct({ team_id: Schema.Int, role: Schema.Literals(["member", "maintainer"]) }))

/** Reads and writes invitations to organizations. */
export class OrganizationInvitationRows extends Context.Service<
  OrganizationInvitationRows,
  {
    /** Returns a page of the invitations that were made after a time, oldest first. */
    list(
      organizationId: number,
      role: OrganizationRole | undefined,
      after: string,
      page: PageRequest
    ): Effect.Effect<Slice<OrganizationInvitationRow>>
    find(organizationId: number, id: number): Effect.Effect<OrganizationInvitationRow | undefined>
    ofInvitee(organizationId: number, inviteeId: number): Effect.Effect<OrganizationInvitationRow | undefined>
    /** Adds an invitation. Replaces an earlier one of the account, and adds the teams to those of the earlier one. */
    add(invitation: NewOrganizationInvitation): Effect.Effect<OrganizationInvitationRow>
    addTeam(id: number, teamId: number, role: "member" | "maintainer"): Effect.Effect<void>
    /** Returns the roles in teams that the account gets, by the id of the team. */
    teams(id: number): Effect.Effect<ReadonlyMap<number, "member" | "maintainer">>
    remove(id: number): Effect.Effect<void>
    /** Removes the invitations of a user to an organization, or those that two users made to each other. */
    removeBetween(accountId: number, userId: number): Effect.Effect<void>
    /** Returns the number of invitations that were made after a time. */
    countAfter(organizationId: number, after: string): Effect.Effect<number>
  }
>()("@tongs/service/features/organizations/OrganizationInvitationRows") {
  static readonly layer = Layer.effect(
    OrganizationInvitationRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const selected = sql.literal(`
        SELECT i.id, i.organization_id, i.role, i.created_at, ${accountJson(fragments, "invitee")} AS invitee,
          ${accountJson(fragments, "inviter")} AS inviter,
          (SELECT count(*) FROM organization_invitation_teams t WHERE t.invitation_id = i.id) AS team_count
        FROM organization_invitations i JOIN users invitee ON invitee.id = i.invitee_id
        LEFT JOIN users inviter ON inviter.id = i.inviter_id`)
      const addTeam = (id: number, teamId: number, role: "member" | "maintainer") =>
        run(sql`
          INSERT INTO organization_invitation_teams (invitation_id, team_id, role) VALUES (${id}, ${teamId}, ${role})
          ON CONFLICT (invitation_id, team_id) DO UPDATE SET role = excluded.role`)

      return OrganizationInvitationRows.of({
        list: Effect.fn("OrganizationInvitationRows.list")(function* (organizationId, role, after, request) {
          const byRole = role === undefined ? sql`` : sql` AND i.role = ${role}`
          const where = sql`i.organization_id = ${organizationId} AND i.created_at > ${after}${byRole}`
          const items = yield* rows(
            sql`${selected} WHERE ${where} ORDER BY i.id LIMIT ${request.perPage} OFFSET ${request.offset}`
          )
          const total = yield* decodeCount(sql`SELECT count(*) AS count FROM organization_invitations i WHERE ${where}`)
          return { items, total }
        }),
        find: (organizationId, id) =>
          one(sql`${selected} WHERE i.organization_id = ${organizationId} AND i.id = ${id}`),
        ofInvitee: (organizationId, inviteeId) =>
          one(sql`${selected} WHERE i.organization_id = ${organizationId} AND i.invitee_id = ${inviteeId}`),
        add: Effect.fn("OrganizationInvitationRows.add")(function* (given) {
          const row = {
            organization_id: given.organizationId,
            invitee_id: given.inviteeId,
            inviter_id: given.inviterId,
            role: given.role,
            created_at: given.createdAt
          }
          const { id } = yield* requireRow(
            added(sql`
              INSERT INTO organization_invitations ${sql.insert(row)}
              ON CONFLICT (organization_id, invitee_id) DO UPDATE SET
                inviter_id = excluded.inviter_id, role = excluded.role, created_at = excluded.created_at
              RETURNING id`)
          )
          for (const teamId of given.teamIds) yield* addTeam(id, teamId, "member")
          return yield* requireRow(one(sql`${selected} WHERE i.id = ${id}`))
        }),
        addTeam,
        teams: (id) =>
          Effect.map(
            teamRoles(sql`SELECT team_id, role FROM organization_invitation_teams WHERE invitation_id = ${id}`),
            (found) => new Map(found.map(({ role, team_id }) => [team_id, role]))
          ),
        remove: (id) => run(sql`DELETE FROM organization_invitations WHERE id = ${id}`),
        removeBetween: (accountId, userId) =>
          run(sql`
            DELETE FROM organization_invitations
            WHERE (invitee_id = ${userId} AND (organization_id = ${accountId} OR inviter_id = ${accountId}))
              OR (invitee_id = ${accountId} AND inviter_id = ${userId})`),
        countAfter: (organizationId, after) =>
          decodeCount(sql`
            SELECT count(*) AS count FROM organization_invitations
            WHERE organization_id = ${organizationId} AND created_at > ${after}`)
      })
    })
  )
}
