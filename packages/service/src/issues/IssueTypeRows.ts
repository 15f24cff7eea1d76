/** Database rows of the types of issues. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { timestamp } from "../base/Time.ts"
import { decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { IssueTypeRow } from "./IssueRows.ts"

/** The members of a type that callers set. */
export type IssueTypeContent = Pick<IssueTypeRow, "name" | "description" | "color" | "is_enabled">

const one = decodeFirstRow(IssueTypeRow)
const all = decodeRows(IssueTypeRow)

/** Reads and writes the types of issues of organizations. */
export class IssueTypeRows extends Context.Service<
  IssueTypeRows,
  {
    list(organizationId: number): Effect.Effect<ReadonlyArray<IssueTypeRow>>
    find(organizationId: number, id: number): Effect.Effect<IssueTypeRow | undefined>
    byName(organizationId: number, name: string): Effect.Effect<IssueTypeRow | undefined>
    /** Adds a type. Returns undefined if the name is taken. */
    add(organizationId: number, content: IssueTypeContent): Effect.Effect<IssueTypeRow | undefined>
    /** Changes a type. Returns undefined if another type has the name. */
    set(type: IssueTypeRow, content: IssueTypeContent): Effect.Effect<IssueTypeRow | undefined>
    remove(id: number): Effect.Effect<void>
  }
>()("@tongs/service/issues/IssueTypeRows") {
  static readonly layer = Layer.effect(
    IssueTypeRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { hasName, name } = SqlFragments.make(sql)
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      return IssueTypeRows.of({
        list: (organizationId) =>
          all(sql`SELECT * FROM issue_types WHERE organization_id = ${organizationId} ORDER BY id`),
        find: (organizationId, id) =>
          one(sql`SELECT * FROM issue_types WHERE organization_id = ${organizationId} AND id = ${id}`),
        byName: (organizationId, wanted) =>
          one(sql`SELECT * FROM issue_types WHERE organization_id = ${organizationId} AND ${hasName("name", wanted)}`),
        add: Effect.fn("IssueTypeRows.add")(function* (organizationId, content) {
          const created_at = yield* now
          const row = { ...content, organization_id: organizationId, created_at, updated_at: created_at }
          return yield* one(sql`
            INSERT INTO issue_types ${sql.insert(row)}
            ON CONFLICT (organization_id, ${name("name")}) DO NOTHING RETURNING *`)
        }),
        set: Effect.fn("IssueTypeRows.set")(function* (type, content) {
          return yield* one(sql`
            UPDATE issue_types SET ${sql.update({ ...content, updated_at: yield* now })}
            WHERE id = ${type.id} AND NOT EXISTS (
              SELECT 1 FROM issue_types other WHERE other.organization_id = ${type.organization_id}
                AND ${hasName("other.name", content.name)} AND other.id <> ${type.id})
            RETURNING *`)
        }),
        remove: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM issue_types WHERE id = ${id}`))
      })
    })
  )
}
