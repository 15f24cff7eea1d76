/**
 * Networks of forks in the database. `parent_id` is the repository that a fork was made from, `source_id` the root of the
 * network. All repositories of a network have the same visibility.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeFirstRow } from "../storage/RowDecoder.ts"
import type { RepositoryRow } from "./RepositoryRows.ts"

type Fork = Pick<RepositoryRow, "id" | "parent_id">

const first = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

export class ForkRows extends Context.Service<
  ForkRows,
  {
    /** Returns the id of the oldest fork in the network of a repository that an account owns, except `repository`. */
    ofOwner(repository: Pick<RepositoryRow, "id" | "source_id">, ownerId: number): Effect.Effect<number | undefined>
    /**
     * Takes a repository out of its network, in the transaction of the caller. Its forks become forks of its parent. For
     * the root, the oldest direct fork becomes the root of the others.
     */
    detach(repository: Fork): Effect.Effect<void>
    /** Makes every fork in the network of a root a repository that is no fork, in the transaction of the caller. */
    dissolve(root: Pick<RepositoryRow, "id">): Effect.Effect<void>
  }
>()("@tongs/service/repositories/ForkRows") {
  static readonly layer = Layer.effect(
    ForkRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const detachRoot = Effect.fnUntraced(function* (id: number) {
        const heir = yield* first(sql`SELECT id FROM repositories WHERE parent_id = ${id} ORDER BY id LIMIT 1`)
        if (heir === undefined) return
        yield* sql`UPDATE repositories SET parent_id = NULL, source_id = NULL WHERE id = ${heir.id}`
        yield* sql`UPDATE repositories SET parent_id = ${heir.id} WHERE parent_id = ${id}`
        yield* sql`UPDATE repositories SET source_id = ${heir.id} WHERE source_id = ${id}`
      })

      const detachFork = Effect.fnUntraced(function* (id: number, parentId: number) {
        yield* sql`UPDATE repositories SET parent_id = ${parentId} WHERE parent_id = ${id}`
        yield* sql`UPDATE repositories SET parent_id = NULL, source_id = NULL WHERE id = ${id}`
      })

      return ForkRows.of({
        ofOwner: ({ id, source_id }, ownerId) =>
          Effect.map(
            first(sql`
              SELECT id FROM repositories
              WHERE source_id = ${source_id ?? id} AND owner_id = ${ownerId} AND id <> ${id} ORDER BY id LIMIT 1`),
            (found) => found?.id
          ),
        detach: ({ id, parent_id }) => Effect.orDie(parent_id === null ? detachRoot(id) : detachFork(id, parent_id)),
        dissolve: ({ id }) =>
          Effect.orDie(
            Effect.asVoid(sql`UPDATE repositories SET parent_id = NULL, source_id = NULL WHERE source_id = ${id}`)
          )
      })
    })
  )
}
