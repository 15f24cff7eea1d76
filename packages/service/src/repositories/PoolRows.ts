/** Database rows of object pools, and of the repositories that use them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

export const PoolRow = Schema.Struct({
  id: Schema.Int,
  /** Name of the pool's folder. */
  name: Schema.String,
  /** The pool with the objects that this one lacks. */
  base_id: Schema.NullOr(Schema.Int)
})
export type PoolRow = typeof PoolRow.Type

const pools = decodeRows(PoolRow)

export class PoolRows extends Context.Service<
  PoolRows,
  {
    /** Returns the pools that a repository uses, the oldest first. */
    ofRepository(repositoryId: number): Effect.Effect<ReadonlyArray<PoolRow>>
    /**
     * Adds a pool that a repository uses. Returns undefined if the repository was deleted. The row comes before the
     * folder, so that a kill in between leaves no folder without a row.
     */
    add(name: string, base: PoolRow | undefined, repositoryId: number): Effect.Effect<PoolRow | undefined>
    /** Adds a repository that uses pools. Returns false if a pool no longer exists. */
    use(pools: ReadonlyArray<PoolRow>, repositoryId: number): Effect.Effect<boolean>
    /** Deletes the rows of the pools that no repository uses, and returns the names of their folders. */
    readonly removeUnused: Effect.Effect<ReadonlyArray<string>>
  }
>()("@tongs/service/repositories/PoolRows") {
  static readonly layer = Layer.effect(
    PoolRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOf } = SqlFragments.make(sql)
      const addUse = (ids: ReadonlyArray<number>, repositoryId: number) => sql`
        INSERT INTO object_pool_uses (pool_id, repository_id)
        SELECT p.id, r.id FROM object_pools p JOIN repositories r ON r.id = ${repositoryId}
        WHERE ${isOneOf("p.id", ids)} RETURNING pool_id`
      return PoolRows.of({
        ofRepository: (repositoryId) =>
          pools(sql`
            SELECT p.* FROM object_pool_uses u JOIN object_pools p ON p.id = u.pool_id
            WHERE u.repository_id = ${repositoryId} ORDER BY p.id`),
        add: (name, base, repositoryId) =>
          Effect.gen(function* () {
            const [added] = yield* pools(sql`
              INSERT INTO object_pools ${sql.insert({ name, base_id: base?.id ?? null })} RETURNING *`)
            if (added === undefined) return undefined
            const used = yield* addUse([added.id], repositoryId)
            if (used.length > 0) return added
            yield* sql`DELETE FROM object_pools WHERE id = ${added.id}`
            return undefined
          }).pipe(sql.withTransaction, Effect.orDie),
        use: (wanted, repositoryId) =>
          Effect.orDie(
            Effect.map(
              addUse(
                wanted.map(({ id }) => id),
                repositoryId
              ),
              (added) => added.length === wanted.length
            )
          ),
        removeUnused: Effect.map(
          pools(sql`
            DELETE FROM object_pools
            WHERE NOT EXISTS (SELECT 1 FROM object_pool_uses u WHERE u.pool_id = object_pools.id) RETURNING *`),
          (removed) => removed.map(({ name }) => name)
        )
      })
    })
  )
}
