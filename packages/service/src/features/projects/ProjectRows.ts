/** Projects and views. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { timestamp } from "../../base/Time.ts"
import { decodeFirstRow, requireRow } from "../../storage/RowDecoder.ts"

/** A field of a project, by which views sort and group. */
export const Field = Schema.Struct({ id: Schema.Int, name: Schema.String })

const ProjectRow = Schema.Struct({
  id: Schema.Int,
  owner_id: Schema.Int,
  number: Schema.Int,
  fields: Schema.fromJsonString(Schema.Array(Field))
})
/** A project of a user or organization. */
export type ProjectRow = typeof ProjectRow.Type

/** Settings of a new view. Fields are referenced by id. */
export interface NewView {
  readonly name: string
  readonly layout: string
  readonly filter: string | null
  readonly visible_fields: ReadonlyArray<number>
  readonly sort_by: ReadonlyArray<ReadonlyArray<number | string>>
  readonly group_by: ReadonlyArray<number>
  readonly vertical_group_by: ReadonlyArray<number>
}

/** Identity and creation time (ISO 8601) of a new view. */
export interface AddedView {
  readonly id: number
  readonly number: number
  readonly createdAt: string
}

const one = decodeFirstRow(ProjectRow)
const added = decodeFirstRow(Schema.Struct({ id: Schema.Int, number: Schema.Int }))

export class ProjectRows extends Context.Service<
  ProjectRows,
  {
    find(ownerId: number, number: number): Effect.Effect<ProjectRow | undefined>
    ensure(ownerId: number, number: number, fields: ReadonlyArray<typeof Field.Type>): Effect.Effect<void>
    addView(projectId: number, creatorId: number, view: NewView): Effect.Effect<AddedView>
  }
>()("@tongs/service/features/projects/ProjectRows") {
  static readonly layer = Layer.effect(
    ProjectRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return ProjectRows.of({
        find: (ownerId, number) =>
          one(
            sql`SELECT id, owner_id, number, fields FROM projects WHERE owner_id = ${ownerId} AND number = ${number}`
          ),
        ensure: (ownerId, number, fields) =>
          Effect.orDie(
            Effect.asVoid(sql`
              INSERT INTO projects (owner_id, number, fields) VALUES (${ownerId}, ${number}, ${JSON.stringify(fields)})
              ON CONFLICT (owner_id, number) DO UPDATE SET fields = excluded.fields`)
          ),
        addView: Effect.fn("Projects.addView")(function* (projectId: number, creatorId: number, view: NewView) {
          const createdAt = timestamp(yield* Clock.currentTimeMillis)
          const row = yield* requireRow(
            added(sql`
            INSERT INTO project_views (project_id, number, creator_id, value, created_at)
            SELECT ${projectId}, coalesce(max(number), 0) + 1, ${creatorId}, ${JSON.stringify(view)}, ${createdAt}
            FROM project_views WHERE project_id = ${projectId}
            RETURNING id, number`)
          )
          return { ...row, createdAt }
        })
      })
    })
  )
}
