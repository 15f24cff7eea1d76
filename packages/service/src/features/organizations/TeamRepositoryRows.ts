/** Database rows of the repositories of teams, and what teams show of their organization. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { metadataRead } from "@tongs/core/contract/Operation"
import type { Caller } from "../../access/Caller.ts"
import * as ReadableRepositories from "../../access/ReadableRepositories.ts"
import {
  type CollaboratorPermission,
  collaboratorPermissions,
  organizationJson,
  OrganizationRow,
  permissionLevel
} from "../../accounts/OrganizationRows.ts"
import { isVisible, type TeamViewer } from "../../accounts/TeamRows.ts"
import type { PageRequest, Slice } from "../../base/Paging.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../../storage/RowDecoder.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"

/** A repository or team by id, with the permission of the team on the repository. */
export interface TeamPermission {
  readonly id: number
  readonly permission: CollaboratorPermission
}

const TeamDetails = Schema.Struct({
  id: Schema.Int,
  members: Schema.Int,
  repositories: Schema.Int,
  organization: Schema.fromJsonString(OrganizationRow)
})
/** Numbers of members and of visible repositories of a team, with its organization. */
export type TeamDetails = typeof TeamDetails.Type

const details = decodeRows(TeamDetails)
const leveled = decodeRows(Schema.Struct({ id: Schema.Int, level: Schema.Int }))
const level = decodeFirstRow(Schema.Struct({ level: Schema.NullOr(Schema.Int) }))

/** Reads and writes repositories of teams. */
export class TeamRepositoryRows extends Context.Service<
  TeamRepositoryRows,
  {
    /** Returns a page of the repositories of a team and of its ancestors that the caller may read, by id. */
    list(teamId: number, caller: Caller, page: PageRequest): Effect.Effect<Slice<TeamPermission>>
    /** Returns a page of the visible teams that were added to a repository, by id. */
    teams(repositoryId: number, viewer: TeamViewer, page: PageRequest): Effect.Effect<Slice<TeamPermission>>
    /** Returns the permission of a team on a repository, of its own or by an ancestor. */
    permission(teamId: number, repositoryId: number): Effect.Effect<CollaboratorPermission | undefined>
    /** Returns the permission that the team has of its own. */
    own(teamId: number, repositoryId: number): Effect.Effect<CollaboratorPermission | undefined>
    set(teamId: number, repositoryId: number, permission: CollaboratorPermission): Effect.Effect<void>
    remove(teamId: number, repositoryId: number): Effect.Effect<void>
    details(teamIds: ReadonlyArray<number>, caller: Caller): Effect.Effect<ReadonlyMap<number, TeamDetails>>
  }
>()("@tongs/service/features/organizations/TeamRepositoryRows") {
  static readonly layer = Layer.effect(
    TeamRepositoryRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const organization = sql.literal(organizationJson(fragments, "u", "o"))
      const highest = sql.literal(`max(${permissionLevel("tr.permission")})`)
      const readable = (caller: Caller) => ReadableRepositories.byCaller(sql, caller, metadataRead, "r")

      const page = Effect.fnUntraced(function* (query: Fragment, { offset, perPage }: PageRequest) {
        const items = yield* leveled(sql`${query} ORDER BY id LIMIT ${perPage} OFFSET ${offset}`)
        return {
          items: items.flatMap(({ id, level }) => {
            const permission = collaboratorPermissions[level]
            return permission === undefined ? [] : [{ id, permission }]
          }),
          total: yield* decodeCount(sql`SELECT count(*) AS count FROM (${query}) found`)
        }
      })
      const permissionOf = (query: Fragment) =>
        Effect.map(level(sql`${query}`), (row) =>
          row === undefined || row.level === null ? undefined : collaboratorPermissions[row.level]
        )

      return TeamRepositoryRows.of({
        list: (teamId, caller, request) =>
          page(
            sql`
              SELECT tr.repository_id AS id, ${highest} AS level
              FROM team_ancestors a JOIN team_repositories tr ON tr.team_id = a.ancestor_id
              JOIN repositories r ON r.id = tr.repository_id
              WHERE a.team_id = ${teamId} AND ${readable(caller)} GROUP BY tr.repository_id`,
            request
          ),
        teams: (repositoryId, viewer, request) =>
          page(
            sql`
              SELECT tr.team_id AS id, ${sql.literal(permissionLevel("tr.permission"))} AS level
              FROM team_repositories tr JOIN teams t ON t.id = tr.team_id
              WHERE tr.repository_id = ${repositoryId} AND ${isVisible(sql, viewer)}`,
            request
          ),
        permission: (teamId, repositoryId) =>
          permissionOf(sql`
            SELECT ${highest} AS level FROM team_ancestors a JOIN team_repositories tr ON tr.team_id = a.ancestor_id
            WHERE a.team_id = ${teamId} AND tr.repository_id = ${repositoryId}`),
        own: (teamId, repositoryId) =>
          permissionOf(sql`
            SELECT ${highest} AS level FROM team_repositories tr
            WHERE tr.team_id = ${teamId} AND tr.repository_id = ${repositoryId}`),
        set: (teamId, repositoryId, permission) =>
          run(sql`
            INSERT INTO team_repositories (team_id, repository_id, permission)
            VALUES (${teamId}, ${repositoryId}, ${permission})
            ON CONFLICT (team_id, repository_id) DO UPDATE SET permission = excluded.permission`),
        remove: (teamId, repositoryId) =>
          run(sql`DELETE FROM team_repositories WHERE team_id = ${teamId} AND repository_id = ${repositoryId}`),
        details: Effect.fn("TeamRepositoryRows.details")(function* (teamIds, caller) {
          const rows = yield* details(sql`
            SELECT t.id, ${organization} AS organization,
              (SELECT count(DISTINCT m.user_id) FROM team_ancestors a JOIN team_members m ON m.team_id = a.team_id
                WHERE a.ancestor_id = t.id) AS members,
              (SELECT count(DISTINCT r.id) FROM team_ancestors a
                JOIN team_repositories tr ON tr.team_id = a.ancestor_id JOIN repositories r ON r.id = tr.repository_id
                WHERE a.team_id = t.id AND ${readable(caller)}) AS repositories
            FROM teams t JOIN users u ON u.id = t.organization_id
            LEFT JOIN organizations o ON o.user_id = t.organization_id
            WHERE ${fragments.isOneOf("t.id", teamIds)}`)
          return new Map(rows.map((row) => [row.id, row]))
        })
      })
    })
  )
}
