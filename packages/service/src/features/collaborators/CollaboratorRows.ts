/** The accounts that have a role in a repository, by any way. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Role } from "../../access/Roles.ts"
import {
  type CollaboratorPermission,
  collaboratorPermissions,
  permissionLevel as levelOf
} from "../../accounts/OrganizationRows.ts"
import { UserRow } from "../../accounts/UserRows.ts"
import type { PageRequest, Slice } from "../../base/Paging.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { decodeCount, decodeRows } from "../../storage/RowDecoder.ts"

/** Which accounts a list has: all with a role, those with a role of their own, or of these the non-members. */
export type Affiliation = "all" | "direct" | "outside"

/** An account with its role in a repository. */
export interface CollaboratorRow {
  readonly user: UserRow
  readonly role: Role
}

const found = decodeRows(Schema.Struct({ ...UserRow.fields, level: Schema.Int }))

/** Reads the accounts that have a role in a repository. */
export class CollaboratorRows extends Context.Service<
  CollaboratorRows,
  {
    /** Returns a page of the accounts, by id. `permission`: only those with exactly this role. */
    list(
      repository: RepositoryRow,
      filter: { readonly affiliation: Affiliation; readonly permission: CollaboratorPermission | undefined },
      page: PageRequest
    ): Effect.Effect<Slice<CollaboratorRow>>
    /** Removes the role that an account has of its own. */
    remove(repositoryId: number, userId: number): Effect.Effect<void>
  }
>()("@tongs/service/features/collaborators/CollaboratorRows") {
  static readonly layer = Layer.effect(
    CollaboratorRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const permissionLevel = sql.literal(levelOf("g.permission"))

      return CollaboratorRows.of({
        list: Effect.fn("CollaboratorRows.list")(function* ({ id, owner }, { affiliation, permission }, page) {
          const isMember = sql`u.id IN (SELECT user_id FROM memberships WHERE organization_id = ${owner.id})`
          const isDirect = sql`u.id IN (SELECT user_id FROM collaborators WHERE repository_id = ${id})`
          const affiliated = {
            all: sql`1 = 1`,
            direct: owner.type === "Organization" ? isDirect : sql`1 = 1`,
            outside: sql`${isDirect} AND NOT ${isMember}`
          }[affiliation]
          const wanted = permission === undefined ? -1 : collaboratorPermissions.indexOf(permission)
          const matching = sql`
            SELECT g.user_id, max(${permissionLevel}) AS level FROM repository_roles g JOIN users u ON u.id = g.user_id
            WHERE g.repository_id = ${id} AND u.type = 'User' AND ${affiliated}
            GROUP BY g.user_id HAVING ${wanted} = -1 OR max(${permissionLevel}) = ${wanted}`
          const items = yield* found(sql`
            SELECT u.*, m.level FROM (${matching}) m JOIN users u ON u.id = m.user_id
            ORDER BY u.id LIMIT ${page.perPage} OFFSET ${page.offset}`)
          return {
            items: items.map(({ level, ...user }) => ({ user, role: collaboratorPermissions[level] ?? "none" })),
            total: yield* decodeCount(sql`SELECT count(*) AS count FROM (${matching}) m`)
          }
        }),
        remove: (repositoryId, userId) =>
          Effect.orDie(
            Effect.asVoid(sql`DELETE FROM collaborators WHERE repository_id = ${repositoryId} AND user_id = ${userId}`)
          )
      })
    })
  )
}
