/** Tags of immutable releases, which cannot move. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeFirstRow } from "../storage/RowDecoder.ts"

/** The release of an immutable tag. Null if the release was deleted: the tag can be deleted, but not created again. */
export const ImmutableTagRow = Schema.Struct({ release_id: Schema.NullOr(Schema.Int) })
export type ImmutableTagRow = typeof ImmutableTagRow.Type

const one = decodeFirstRow(ImmutableTagRow)

/** Reads and writes the tags of immutable releases. */
export class ImmutableTagRows extends Context.Service<
  ImmutableTagRows,
  {
    find(repositoryId: number, tag: string): Effect.Effect<ImmutableTagRow | undefined>
    add(repositoryId: number, tag: string, releaseId: number): Effect.Effect<void>
  }
>()("@tongs/service/rules/ImmutableTagRows") {
  static readonly layer = Layer.effect(
    ImmutableTagRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return ImmutableTagRows.of({
        find: (repositoryId, tag) =>
          one(sql`SELECT release_id FROM immutable_tags WHERE repository_id = ${repositoryId} AND tag_name = ${tag}`),
        add: (repositoryId, tag, releaseId) =>
          Effect.orDie(
            Effect.asVoid(sql`
              INSERT INTO immutable_tags (repository_id, tag_name, release_id)
              VALUES (${repositoryId}, ${tag}, ${releaseId})
              ON CONFLICT (repository_id, tag_name) DO UPDATE SET release_id = excluded.release_id`)
          )
      })
    })
  )
}
