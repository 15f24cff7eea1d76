/** The fields of a repository that depend on the viewer's stars, subscriptions and email addresses. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { EmailRows } from "../../accounts/EmailRows.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import { decodeRows } from "../../storage/RowDecoder.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"
import * as QueryError from "./QueryError.ts"
import type { FoundRepository, RunningQuery, ViewerRelation } from "./RunningQuery.ts"

const checksStar = OperationAccess.operationOf("stars", "check")
const readsSubscription = OperationAccess.operationOf("watching", "get")
const listsEmails = OperationAccess.operationOf("emails", "list")

const relationRows = decodeRows(
  Schema.Struct({ id: Schema.Int, starred: Schema.NullOr(Schema.Int), ignored: Schema.NullOr(Schema.Int) })
)

/** Creates the functions that read the relations by repository, and return the fields. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const emails = yield* EmailRows
  const { isOneOf } = SqlFragments.make(sql)

  const relationsByRepository = async ({ caller, run }: RunningQuery, ids: ReadonlyArray<number>) => {
    const rows = await run(
      relationRows(sql`
        SELECT r.id, s.user_id AS starred, w.ignored FROM repositories r
        LEFT JOIN stars s ON s.repository_id = r.id AND s.user_id = ${caller.user.id}
        LEFT JOIN repository_subscriptions w ON w.repository_id = r.id AND w.user_id = ${caller.user.id}
        WHERE ${isOneOf("r.id", ids)}`)
    )
    return new Map(
      rows.map(({ id, ignored, starred }): [number, ViewerRelation] => [
        id,
        {
          hasStarred: starred !== null,
          subscription: ignored === null ? "UNSUBSCRIBED" : ignored === 1 ? "IGNORED" : "SUBSCRIBED"
        }
      ])
    )
  }

  const fields = (query: RunningQuery, { role, served }: FoundRepository) => {
    const { caller } = query
    const { id } = served.row
    const check = (operation: typeof checksStar, target: Parameters<typeof OperationAccess.accessError>[2]) => {
      const refused = OperationAccess.accessError(operation, caller, target, false)
      if (refused !== undefined) throw QueryError.ofFailure(refused)
    }
    const asUser = { kind: "user", role: "admin" } as const // literal types
    /** Returns the verified addresses, the primary first. */
    const addresses = async () => {
      check(listsEmails, asUser)
      const found = await query.run(emails.ofUser(caller.user.id))
      return found.filter(({ verified }) => verified === 1).map(({ email }) => email)
    }
    return {
      viewerHasStarred: async () => {
        check(checksStar, asUser)
        return (await query.viewerRelation(id))?.hasStarred ?? false
      },
      viewerSubscription: async () => {
        check(readsSubscription, { kind: "repository", repository: served, renamed: false, role })
        return (await query.viewerRelation(id))?.subscription ?? "UNSUBSCRIBED"
      },
      viewerDefaultCommitEmail: async () => (await addresses())[0] ?? null,
      viewerPossibleCommitEmails: addresses
    }
  }

  return { fields, relationsByRepository }
})
