/** Database rows of the members of teams. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { TeamRow } from "../../accounts/TeamRows.ts"
import { UserRow } from "../../accounts/UserRows.ts"
import type { PageRequest, Slice } from "../../base/Paging.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../../storage/RowDecoder.ts"

export const TeamRole = Schema.Literals(["member", "maintainer"])
export type TeamRole = typeof TeamRole.Type

/** The membership of an account: `direct` unless it only follows from a child team. */
const Membership = Schema.Struct({ role: TeamRole, owner: Schema.Int, direct: Schema.Int })

const users = decodeRows(UserRow)
const membership = decodeFirstRow(Membership)

/** Reads and writes members of teams. */
export class TeamMemberRows extends Context.Service<
  TeamMemberRows,
  {
    /** Returns a page of the members of a team and of its child teams, by id. Owners count as maintainers. */
    list(team: TeamRow, role: TeamRole | "all", page: PageRequest): Effect.Effect<Slice<UserRow>>
    /** Returns the membership of an account in the team or in a child team. `owner`: 1 for an owner. */
    find(team: TeamRow, userId: number): Effect.Effect<typeof Membership.Type | undefined>
    set(teamId: number, userId: number, role: TeamRole): Effect.Effect<void>
    remove(teamId: number, userId: number): Effect.Effect<void>
  }
>()("@tongs/service/features/organizations/TeamMemberRows") {
  static readonly layer = Layer.effect(
    TeamMemberRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      return TeamMemberRows.of({
        list: Effect.fn("TeamMemberRows.list")(function* (team, role, { offset, perPage }) {
          const maintainers = sql`FROM team_members m
            LEFT JOIN memberships o ON o.user_id = m.user_id AND o.organization_id = ${team.organization_id}
            WHERE m.team_id = ${team.id} AND (m.role = 'maintainer' OR o.role = 'owner')`
          const members = sql`FROM team_ancestors a JOIN team_members m ON m.team_id = a.team_id
            WHERE a.ancestor_id = ${team.id}`
          const from = {
            all: members,
            maintainer: maintainers,
            member: sql`${members} AND m.user_id NOT IN (SELECT m.user_id ${maintainers})`
          }[role]
          const items = yield* users(sql`
            SELECT u.* FROM users u WHERE u.id IN (
              SELECT DISTINCT m.user_id ${from} ORDER BY m.user_id LIMIT ${perPage} OFFSET ${offset})
            ORDER BY u.id`)
          return { items, total: yield* decodeCount(sql`SELECT count(DISTINCT m.user_id) AS count ${from}`) }
        }),
        find: ({ id, organization_id }, userId) =>
          membership(sql`
            SELECT m.role, CASE WHEN o.role = 'owner' THEN 1 ELSE 0 END AS owner,
              CASE WHEN m.team_id = ${id} THEN 1 ELSE 0 END AS direct
            FROM team_ancestors a JOIN team_members m ON m.team_id = a.team_id
            LEFT JOIN memberships o ON o.user_id = m.user_id AND o.organization_id = ${organization_id}
            WHERE a.ancestor_id = ${id} AND m.user_id = ${userId}
            ORDER BY direct DESC LIMIT 1`),
        set: (teamId, userId, role) =>
          run(sql`
            INSERT INTO team_members (team_id, user_id, role) VALUES (${teamId}, ${userId}, ${role})
            ON CONFLICT (team_id, user_id) DO UPDATE SET role = excluded.role`),
        remove: (teamId, userId) => run(sql`DELETE FROM team_members WHERE team_id = ${teamId} AND user_id = ${userId}`)
      })
    })
  )
}
