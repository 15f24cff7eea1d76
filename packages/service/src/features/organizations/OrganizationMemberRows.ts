/** Database rows of the members of organizations, and of the accounts that share some of their repositories. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import {
  type CollaboratorPermission,
  collaboratorPermissions,
  organizationJson,
  OrganizationRole,
  OrganizationRow,
  permissionLevel
} from "../../accounts/OrganizationRows.ts"
import { UserRow } from "../../accounts/UserRows.ts"
import type { PageRequest, Slice } from "../../base/Paging.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../../storage/RowDecoder.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"

/** A membership of a user: pending for an invitation. */
const MembershipRow = Schema.Struct({
  role: OrganizationRole,
  state: Schema.Literals(["active", "pending"]),
  organization: Schema.fromJsonString(OrganizationRow)
})
export type MembershipRow = typeof MembershipRow.Type

const users = decodeRows(UserRow)
const membership = decodeFirstRow(MembershipRow)
const memberships = decodeRows(MembershipRow)
const leveled = decodeRows(Schema.Struct({ repository_id: Schema.Int, level: Schema.Int }))
const found = decodeRows(Schema.Struct({ id: Schema.Int }))

/** Reads and removes members. */
export class OrganizationMemberRows extends Context.Service<
  OrganizationMemberRows,
  {
    /** Returns a page of the members, by id. */
    list(
      organizationId: number,
      filter: { readonly role?: OrganizationRole; readonly onlyPublic?: boolean },
      page: PageRequest
    ): Effect.Effect<Slice<UserRow>>
    isPublic(organizationId: number, userId: number): Effect.Effect<boolean>
    countOwners(organizationId: number): Effect.Effect<number>
    /** Removes a member, with its teams and the invitations that it made. */
    remove(organizationId: number, userId: number): Effect.Effect<void>
    /** Removes the roles that an account has of its own in the organization's repositories. */
    removeCollaborations(organizationId: number, userId: number): Effect.Effect<void>
    /** Returns the highest permissions that an account has by its teams and of its own. */
    direct(
      organizationId: number,
      userId: number
    ): Effect.Effect<ReadonlyArray<{ readonly repositoryId: number; readonly permission: CollaboratorPermission }>>
    /** Returns a page of the accounts that collaborate without being members, by id. */
    outside(organizationId: number, page: PageRequest): Effect.Effect<Slice<UserRow>>
    /** Returns the ids of the repositories in which an account collaborates, or to which it is invited. */
    shared(organizationId: number, userId: number): Effect.Effect<ReadonlySet<number>>
    /** Returns a page of the memberships and unexpired invitations of a user, by organization. */
    ofUser(
      userId: number,
      state: MembershipRow["state"] | undefined,
      after: string,
      page: PageRequest
    ): Effect.Effect<Slice<MembershipRow>>
    find(organizationId: number, userId: number, after: string): Effect.Effect<MembershipRow | undefined>
    /** Returns a page of the organizations of which a user is a public member, by id. */
    publicOf(userId: number, page: PageRequest): Effect.Effect<Slice<OrganizationRow>>
    /** Returns up to `limit` organizations with an id above `since`. */
    all(since: number, limit: number): Effect.Effect<ReadonlyArray<OrganizationRow>>
  }
>()("@tongs/service/features/organizations/OrganizationMemberRows") {
  static readonly layer = Layer.effect(
    OrganizationMemberRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const organization = sql.literal(organizationJson(fragments, "u", "o"))
      const joined = sql.literal(
        "JOIN users u ON u.id = x.organization_id LEFT JOIN organizations o ON o.user_id = u.id"
      )
      /** Reads a page of accounts, and counts the rows of `counted`. */
      const page = Effect.fnUntraced(function* (from: Fragment, counted: Fragment, { offset, perPage }: PageRequest) {
        const items = yield* users(sql`SELECT u.* ${from} ORDER BY u.id LIMIT ${perPage} OFFSET ${offset}`)
        return { items, total: yield* decodeCount(sql`SELECT count(*) AS count ${counted}`) }
      })
      const ofUser = (userId: number, after: string) => sql`(
        SELECT organization_id, role, 'active' AS state FROM memberships WHERE user_id = ${userId}
        UNION ALL
        SELECT organization_id, role, 'pending' AS state FROM organization_invitations
        WHERE invitee_id = ${userId} AND created_at > ${after}) x`
      const owned = (organizationId: number) => sql`(SELECT id FROM repositories WHERE owner_id = ${organizationId})`

      return OrganizationMemberRows.of({
        list: (organizationId, { onlyPublic = false, role }, request) => {
          const byRole = role === undefined ? sql`` : sql` AND m.role = ${role}`
          const byPublic = onlyPublic ? sql` AND m.public = 1` : sql``
          const from = sql`FROM memberships m WHERE m.organization_id = ${organizationId}${byRole}${byPublic}`
          return page(
            sql`FROM users u WHERE u.id IN (
              SELECT m.user_id ${from} ORDER BY m.user_id LIMIT ${request.perPage} OFFSET ${request.offset})`,
            from,
            { ...request, offset: 0 }
          )
        },
        isPublic: (organizationId, userId) =>
          Effect.map(
            decodeCount(sql`
              SELECT count(*) AS count FROM memberships
              WHERE organization_id = ${organizationId} AND user_id = ${userId} AND public = 1`),
            (count) => count > 0
          ),
        countOwners: (organizationId) =>
          decodeCount(sql`
            SELECT count(*) AS count FROM memberships WHERE organization_id = ${organizationId} AND role = 'owner'`),
        remove: Effect.fn("OrganizationMemberRows.remove")(function* (organizationId, userId) {
          yield* run(sql`
            DELETE FROM team_members WHERE user_id = ${userId}
              AND team_id IN (SELECT id FROM teams WHERE organization_id = ${organizationId})`)
          yield* run(sql`
            DELETE FROM organization_invitations WHERE organization_id = ${organizationId} AND inviter_id = ${userId}`)
          yield* run(sql`
            DELETE FROM repository_invitations
            WHERE inviter_id = ${userId} AND repository_id IN ${owned(organizationId)}`)
          yield* run(sql`DELETE FROM memberships WHERE organization_id = ${organizationId} AND user_id = ${userId}`)
        }),
        removeCollaborations: (organizationId, userId) =>
          run(sql`
            DELETE FROM collaborators WHERE user_id = ${userId} AND repository_id IN ${owned(organizationId)}`),
        direct: (organizationId, userId) =>
          Effect.map(
            leveled(sql`
              SELECT g.repository_id, max(${sql.literal(permissionLevel("g.permission"))}) AS level FROM (
                SELECT repository_id, permission FROM collaborators WHERE user_id = ${userId}
                UNION ALL
                SELECT tr.repository_id, tr.permission FROM team_members m
                JOIN team_ancestors a ON a.team_id = m.team_id
                JOIN team_repositories tr ON tr.team_id = a.ancestor_id
                WHERE m.user_id = ${userId}) g
              WHERE g.repository_id IN ${owned(organizationId)} GROUP BY g.repository_id`),
            (rows) =>
              rows.flatMap(({ level, repository_id }) => {
                const permission = collaboratorPermissions[level]
                return permission === undefined ? [] : [{ repositoryId: repository_id, permission }]
              })
          ),
        outside: (organizationId, request) => {
          const from = sql`FROM users u WHERE u.id IN (
              SELECT c.user_id FROM repositories r JOIN collaborators c ON c.repository_id = r.id
              WHERE r.owner_id = ${organizationId})
            AND u.id NOT IN (SELECT user_id FROM memberships WHERE organization_id = ${organizationId})`
          return page(from, from, request)
        },
        shared: (organizationId, userId) =>
          Effect.map(
            found(sql`
              SELECT repository_id AS id FROM collaborators
              WHERE user_id = ${userId} AND repository_id IN ${owned(organizationId)}
              UNION SELECT repository_id AS id FROM repository_invitations
              WHERE invitee_id = ${userId} AND repository_id IN ${owned(organizationId)}`),
            (rows) => new Set(rows.map(({ id }) => id))
          ),
        ofUser: Effect.fn("OrganizationMemberRows.ofUser")(function* (userId, state, after, { offset, perPage }) {
          const where = state === undefined ? sql`` : sql` WHERE x.state = ${state}`
          const from = sql`FROM ${ofUser(userId, after)}`
          const items = yield* memberships(sql`
            SELECT x.role, x.state, ${organization} AS organization ${from} ${joined}${where}
            ORDER BY x.organization_id LIMIT ${perPage} OFFSET ${offset}`)
          return { items, total: yield* decodeCount(sql`SELECT count(*) AS count ${from}${where}`) }
        }),
        find: (organizationId, userId, after) =>
          membership(sql`
            SELECT x.role, x.state, ${organization} AS organization FROM ${ofUser(userId, after)} ${joined}
            WHERE x.organization_id = ${organizationId} ORDER BY x.state LIMIT 1`),
        publicOf: Effect.fn("OrganizationMemberRows.publicOf")(function* (userId, { offset, perPage }) {
          const from = sql`FROM memberships x ${joined} WHERE x.user_id = ${userId} AND x.public = 1`
          const items = yield* memberships(sql`
            SELECT x.role, 'active' AS state, ${organization} AS organization ${from}
            ORDER BY u.id LIMIT ${perPage} OFFSET ${offset}`)
          return {
            items: items.map((item) => item.organization),
            total: yield* decodeCount(sql`SELECT count(*) AS count ${from}`)
          }
        }),
        all: (since, limit) =>
          Effect.map(
            memberships(sql`
              SELECT 'member' AS role, 'active' AS state, ${organization} AS organization
              FROM users u LEFT JOIN organizations o ON o.user_id = u.id
              WHERE u.type = 'Organization' AND u.id > ${since} ORDER BY u.id LIMIT ${limit}`),
            (items) => items.map((item) => item.organization)
          )
      })
    })
  )
}
