/** Database rows of teams. Every change of a parent also changes `team_ancestors`, which no query derives again. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { PageRequest, Slice } from "../base/Paging.ts"
import { decodeCount, decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { UserRow } from "./UserRows.ts"

const fields = {
  id: Schema.Int,
  organization_id: Schema.Int,
  name: Schema.String,
  slug: Schema.String,
  description: Schema.NullOr(Schema.String),
  privacy: Schema.Literals(["closed", "secret"]),
  notification_setting: Schema.Literals(["notifications_enabled", "notifications_disabled"]),
  created_at: Schema.String,
  updated_at: Schema.String
}

const members = (alias: string) => Object.fromEntries(Object.keys(fields).map((name) => [name, `${alias}.${name}`]))

/** A team in the JSON of `teamObject`. */
export const NestedTeamRow = Schema.Struct({
  ...fields,
  organization: Schema.String,
  parent: Schema.NullOr(Schema.Struct(fields))
})
export type NestedTeamRow = typeof NestedTeamRow.Type

/** SQL of a team as a part of JSON, from the tables of the team, its organization, and its parent by a left join. */
export const teamObject = (
  { json, jsonObject, jsonText }: SqlFragments.SqlFragments,
  team: string,
  organization: string,
  parent: string
): string =>
  jsonObject({
    ...members(team),
    organization: `${organization}.login`,
    parent: json(`CASE WHEN ${parent}.id IS NULL THEN NULL ELSE ${jsonText(jsonObject(members(parent)))} END`)
  })

export const TeamRow = Schema.Struct({
  ...fields,
  /** Login of the organization. */
  organization: Schema.String,
  /** The parent team, of the same organization. */
  parent: Schema.NullOr(Schema.fromJsonString(Schema.Struct(fields)))
})
export type TeamRow = typeof TeamRow.Type

/** The members that a change of a team sets. */
export interface TeamContent extends Pick<
  TeamRow,
  "name" | "slug" | "description" | "privacy" | "notification_setting"
> {
  readonly parentId: number | null
}

export interface NewTeam extends TeamContent {
  readonly organizationId: number
  readonly createdAt: string
}

/** Who sees which teams of an organization: its owners all, a member the closed ones and the member's own. */
export type TeamViewer = { readonly member: number } | "owner"

/** Selects teams to which one of the logins was added, and whose name has a text. */
export interface TeamFilter {
  readonly logins?: ReadonlyArray<string> | undefined
  readonly text?: string | undefined
}

/** Condition: the viewer sees the team of table `t`. */
export const isVisible = (sql: SqlClient.SqlClient, viewer: TeamViewer): Fragment =>
  viewer === "owner"
    ? sql`1 = 1`
    : sql`(t.privacy = 'closed' OR t.id IN (SELECT team_id FROM team_members WHERE user_id = ${viewer.member}))`

/** Pattern of a text that contains another text. */
const containing = (text: string) => `%${text.replaceAll(/[!%_]/g, "!$&")}%`

const one = decodeFirstRow(TeamRow)
const all = decodeRows(TeamRow)
const added = decodeFirstRow(Schema.Struct({ id: Schema.Int }))
const ids = decodeRows(Schema.Struct({ id: Schema.Int }))
const users = decodeRows(UserRow)

/** Reads and writes teams. */
export class TeamRows extends Context.Service<
  TeamRows,
  {
    /** Returns the team of an organization with a slug or an id, if the viewer sees it. */
    find(organizationId: number, name: string | number, viewer: TeamViewer): Effect.Effect<TeamRow | undefined>
    /** Returns the teams of an organization with these slugs that the viewer sees. */
    bySlugs(
      organizationId: number,
      slugs: ReadonlyArray<string>,
      viewer: TeamViewer
    ): Effect.Effect<ReadonlyArray<TeamRow>>
    byId(id: number): Effect.Effect<TeamRow | undefined>
    /** Returns the teams of an organization that have one of the ids. */
    byIds(organizationId: number, ids: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<TeamRow>>
    /** Returns a page of the teams of an organization, by name: all, or those that the filter selects. */
    list(
      organizationId: number,
      viewer: TeamViewer,
      page: PageRequest,
      filter?: TeamFilter
    ): Effect.Effect<Slice<TeamRow>>
    /** Returns a page of the direct child teams, by name. They are closed, so all members see them. */
    children(teamId: number, page: PageRequest): Effect.Effect<Slice<TeamRow>>
    /** Returns a page of the teams that a user was added to, by id. */
    ofUser(userId: number, page: PageRequest): Effect.Effect<Slice<TeamRow>>
    /** Returns a page of the teams that an invitation to the organization names, by id. */
    ofInvitation(invitationId: number, page: PageRequest): Effect.Effect<Slice<TeamRow>>
    /** Returns the members of a team and of its child teams at any depth, each once, by id. */
    membersOf(teamId: number): Effect.Effect<ReadonlyArray<UserRow>>
    /** Returns the team and its child teams at any depth, the team first. */
    withDescendants(teamId: number): Effect.Effect<ReadonlyArray<TeamRow>>
    /** Returns the ids of the team and of the teams above it. */
    ancestors(teamId: number): Effect.Effect<ReadonlySet<number>>
    /** Returns the ids of the teams of a user and of the teams above them. */
    ofMember(userId: number): Effect.Effect<ReadonlySet<number>>
    /** Returns the number of levels of the team's subtree: 1 without child teams. */
    height(teamId: number): Effect.Effect<number>
    /** Waits for other changes of the organization's teams, until the end of the transaction. */
    lock(organizationId: number): Effect.Effect<void>
    /** Adds a team. Returns `undefined` if the organization has another team with the slug. */
    add(team: NewTeam): Effect.Effect<TeamRow | undefined>
    /** Changes a team. Returns `undefined` if the organization has another team with the slug. */
    set(before: TeamRow, content: TeamContent, updatedAt: string): Effect.Effect<TeamRow | undefined>
    /** Removes a team and its child teams at any depth. */
    remove(teamId: number): Effect.Effect<void>
  }
>()("@tongs/service/accounts/TeamRows") {
  static readonly layer = Layer.effect(
    TeamRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { hasName, hasOneOfNames, isOneOf, jsonObject, jsonText, name } = SqlFragments.make(sql)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const parent = jsonText(jsonObject(members("p")))
      const selected = sql.literal(`
        SELECT t.*, o.login AS organization, CASE WHEN p.id IS NULL THEN NULL ELSE ${parent} END AS parent
        FROM teams t JOIN users o ON o.id = t.organization_id LEFT JOIN teams p ON p.id = t.parent_id`)
      const byId = (id: number) => one(sql`${selected} WHERE t.id = ${id}`)
      const byName = sql`${name("t.name")}, t.id`
      const page = Effect.fnUntraced(function* (where: Fragment, order: Fragment, { offset, perPage }: PageRequest) {
        // The inner query sorts ids only, without the parent of each team.
        const ids = sql`SELECT t.id FROM teams t WHERE ${where} ORDER BY ${order} LIMIT ${perPage} OFFSET ${offset}`
        const items = yield* all(sql`${selected} WHERE t.id IN (${ids}) ORDER BY ${order}`)
        return { items, total: yield* decodeCount(sql`SELECT count(*) AS count FROM teams t WHERE ${where}`) }
      })
      const subtree = (teamId: number) => sql`SELECT team_id FROM team_ancestors WHERE ancestor_id = ${teamId}`

      /** Adds the ancestors of the parent to all teams of the team's subtree. */
      const addAncestors = (teamId: number, parentId: number | null) =>
        parentId === null
          ? Effect.void
          : run(sql`
              INSERT INTO team_ancestors (team_id, ancestor_id)
              SELECT s.team_id, a.ancestor_id FROM team_ancestors s CROSS JOIN team_ancestors a
              WHERE s.ancestor_id = ${teamId} AND a.team_id = ${parentId}`)

      return TeamRows.of({
        find: (organizationId, wanted, viewer) => {
          const isNamed = typeof wanted === "string" ? hasName("t.slug", wanted) : sql`t.id = ${wanted}`
          return one(sql`
            ${selected} WHERE t.organization_id = ${organizationId} AND ${isNamed} AND ${isVisible(sql, viewer)}`)
        },
        bySlugs: (organizationId, slugs, viewer) =>
          all(sql`
            ${selected} WHERE t.organization_id = ${organizationId} AND ${hasOneOfNames("t.slug", slugs)}
              AND ${isVisible(sql, viewer)} ORDER BY t.id`),
        byId,
        byIds: (organizationId, wanted) =>
          all(
            sql`${selected} WHERE t.organization_id = ${organizationId} AND ${isOneOf("t.id", wanted)} ORDER BY t.id`
          ),
        list: (organizationId, viewer, request, { logins, text } = {}) =>
          page(
            sql.and([
              sql`t.organization_id = ${organizationId}`,
              isVisible(sql, viewer),
              ...(logins === undefined
                ? []
                : [
                    sql`t.id IN (SELECT m.team_id FROM team_members m JOIN users u ON u.id = m.user_id
                      WHERE ${hasOneOfNames("u.login", logins)})`
                  ]),
              ...(text === undefined ? [] : [sql`lower(t.name) LIKE ${containing(text.toLowerCase())} ESCAPE '!'`])
            ]),
            byName,
            request
          ),
        children: (teamId, request) => page(sql`t.parent_id = ${teamId}`, byName, request),
        ofUser: (userId, request) =>
          page(sql`t.id IN (SELECT team_id FROM team_members WHERE user_id = ${userId})`, sql`t.id`, request),
        ofInvitation: (invitationId, request) =>
          page(
            sql`t.id IN (SELECT team_id FROM organization_invitation_teams WHERE invitation_id = ${invitationId})`,
            sql`t.id`,
            request
          ),
        membersOf: (teamId) =>
          users(sql`
            SELECT * FROM users WHERE id IN (
              SELECT m.user_id FROM team_ancestors a JOIN team_members m ON m.team_id = a.team_id
              WHERE a.ancestor_id = ${teamId})
            ORDER BY id`),
        withDescendants: (teamId) =>
          all(sql`${selected} WHERE t.id IN (${subtree(teamId)})
            ORDER BY CASE WHEN t.id = ${teamId} THEN 0 ELSE 1 END, t.id`),
        ancestors: (teamId) =>
          Effect.map(
            ids(sql`SELECT ancestor_id AS id FROM team_ancestors WHERE team_id = ${teamId}`),
            (rows) => new Set(rows.map(({ id }) => id))
          ),
        ofMember: (userId) =>
          Effect.map(
            ids(sql`
              SELECT DISTINCT a.ancestor_id AS id FROM team_members m JOIN team_ancestors a ON a.team_id = m.team_id
              WHERE m.user_id = ${userId}`),
            (rows) => new Set(rows.map(({ id }) => id))
          ),
        height: (teamId) =>
          decodeCount(sql`
            SELECT coalesce(max(depth), 0) AS count FROM (
              SELECT count(*) AS depth FROM team_ancestors
              WHERE team_id IN (${subtree(teamId)}) AND ancestor_id IN (${subtree(teamId)}) GROUP BY team_id) depths`),
        lock: (organizationId) => run(sql`UPDATE users SET updated_at = updated_at WHERE id = ${organizationId}`),
        add: Effect.fn("TeamRows.add")(function* ({ createdAt, organizationId, parentId, ...content }) {
          const row = {
            organization_id: organizationId,
            parent_id: parentId,
            ...content,
            created_at: createdAt,
            updated_at: createdAt
          }
          const inserted = yield* added(sql`
            INSERT INTO teams ${sql.insert(row)} ON CONFLICT (organization_id, ${name("slug")}) DO NOTHING RETURNING id`)
          if (inserted === undefined) return undefined
          const { id } = inserted
          yield* run(sql`INSERT INTO team_ancestors (team_id, ancestor_id) VALUES (${id}, ${id})`)
          yield* addAncestors(id, parentId)
          return yield* requireRow(byId(id))
        }),
        set: Effect.fn("TeamRows.set")(function* (before, { parentId, ...content }, updatedAt) {
          const { id, organization_id } = before
          const isTaken = sql`EXISTS (SELECT 1 FROM teams other WHERE other.organization_id = ${organization_id}
            AND ${hasName("other.slug", content.slug)} AND other.id <> ${id})`
          const row = { parent_id: parentId, ...content, updated_at: updatedAt }
          const changed = yield* added(
            sql`UPDATE teams SET ${sql.update(row)} WHERE id = ${id} AND NOT ${isTaken} RETURNING id`
          )
          if (changed === undefined) return undefined
          if (parentId !== (before.parent?.id ?? null)) {
            yield* run(sql`
              DELETE FROM team_ancestors WHERE team_id IN (${subtree(id)}) AND ancestor_id IN (
                SELECT ancestor_id FROM team_ancestors WHERE team_id = ${id} AND ancestor_id <> ${id})`)
            yield* addAncestors(id, parentId)
          }
          return yield* requireRow(byId(id))
        }),
        remove: (teamId) => run(sql`DELETE FROM teams WHERE id IN (${subtree(teamId)})`)
      })
    })
  )
}
