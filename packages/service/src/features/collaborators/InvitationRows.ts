/** Database rows of invitations to repositories. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { CollaboratorPermission } from "../../accounts/OrganizationRows.ts"
import { accountJson, UserRow } from "../../accounts/UserRows.ts"
import type { PageRequest, Slice } from "../../base/Paging.ts"
import { decodeCount, decodeFirstRow, decodeRows, requireRow } from "../../storage/RowDecoder.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"

/** An invitation. `created_at` is ISO 8601. */
export const InvitationRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  permission: CollaboratorPermission,
  created_at: Schema.String,
  invitee: Schema.fromJsonString(UserRow),
  /** Null if the account was deleted. */
  inviter: Schema.NullOr(Schema.fromJsonString(UserRow))
})
export type InvitationRow = typeof InvitationRow.Type

/** An invitation to add. */
export interface NewInvitation {
  readonly repositoryId: number
  readonly inviteeId: number
  readonly inviterId: number
  readonly permission: CollaboratorPermission
  readonly createdAt: string
}

const rows = decodeRows(InvitationRow)
const one = decodeFirstRow(InvitationRow)
const added = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

/** Reads and writes invitations. */
export class InvitationRows extends Context.Service<
  InvitationRows,
  {
    /** Returns a page of the invitations to a repository, oldest first. */
    ofRepository(repositoryId: number, page: PageRequest): Effect.Effect<Slice<InvitationRow>>
    /** Returns a page of the invitations of an account that were made after a time, oldest first. */
    ofInvitee(userId: number, after: string, page: PageRequest): Effect.Effect<Slice<InvitationRow>>
    find(id: number): Effect.Effect<InvitationRow | undefined>
    /** Adds an invitation. Replaces the invitation of the same account to the same repository. */
    add(invitation: NewInvitation): Effect.Effect<InvitationRow>
    setPermission(id: number, permission: CollaboratorPermission): Effect.Effect<void>
    remove(id: number): Effect.Effect<void>
    /** Removes the invitations to a repository that an account got or made. */
    removeOf(repositoryId: number, userId: number): Effect.Effect<void>
    /** Returns the number of invitations to a repository that were made after a time. */
    countAfter(repositoryId: number, after: string): Effect.Effect<number>
  }
>()("@tongs/service/features/collaborators/InvitationRows") {
  static readonly layer = Layer.effect(
    InvitationRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const selected = sql.literal(`
        SELECT i.id, i.repository_id, i.permission, i.created_at, ${accountJson(fragments, "invitee")} AS invitee,
          CASE WHEN inviter.id IS NULL THEN NULL ELSE ${accountJson(fragments, "inviter")} END AS inviter
        FROM repository_invitations i JOIN users invitee ON invitee.id = i.invitee_id
        LEFT JOIN users inviter ON inviter.id = i.inviter_id`)
      const find = (id: number) => one(sql`${selected} WHERE i.id = ${id}`)
      const count = (where: Fragment) =>
        decodeCount(sql`SELECT count(*) AS count FROM repository_invitations i WHERE ${where}`)
      const page = Effect.fnUntraced(function* (where: Fragment, { offset, perPage }: PageRequest) {
        const items = yield* rows(sql`${selected} WHERE ${where} ORDER BY i.id LIMIT ${perPage} OFFSET ${offset}`)
        return { items, total: yield* count(where) }
      })

      return InvitationRows.of({
        ofRepository: (repositoryId, request) => page(sql`i.repository_id = ${repositoryId}`, request),
        ofInvitee: (userId, after, request) => page(sql`i.invitee_id = ${userId} AND i.created_at > ${after}`, request),
        find,
        add: Effect.fn("InvitationRows.add")(function* (given) {
          const row = {
            repository_id: given.repositoryId,
            invitee_id: given.inviteeId,
            inviter_id: given.inviterId,
            permission: given.permission,
            created_at: given.createdAt
          }
          const { id } = yield* requireRow(
            added(sql`
              INSERT INTO repository_invitations ${sql.insert(row)}
              ON CONFLICT (repository_id, invitee_id) DO UPDATE SET
                inviter_id = excluded.inviter_id, permission = excluded.permission, created_at = excluded.created_at
              RETURNING id`)
          )
          return yield* requireRow(find(id))
        }),
        setPermission: (id, permission) =>
          run(sql`UPDATE repository_invitations SET permission = ${permission} WHERE id = ${id}`),
        remove: (id) => run(sql`DELETE FROM repository_invitations WHERE id = ${id}`),
        removeOf: (repositoryId, userId) =>
          run(sql`
            DELETE FROM repository_invitations
            WHERE repository_id = ${repositoryId} AND (invitee_id = ${userId} OR inviter_id = ${userId})`),
        countAfter: (repositoryId, after) => count(sql`i.repository_id = ${repositoryId} AND i.created_at > ${after}`)
      })
    })
  )
}
