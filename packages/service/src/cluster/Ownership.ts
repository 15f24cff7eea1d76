/**
 * Decides which repositories this process owns, by the locks of shards.
 *
 * **Details**
 *
 * Two checks keep a process from moving a reference of a repository that it has lost. `hold` locks the row of the shard's
 * lock in the transaction that records the move, so that no other process can take the shard before the transaction ends.
 * `confirm` compares the process's own clock with the time of the last refresh, immediately before git moves the
 * reference: a process that was stopped in between finds its lock expired. After that only git is left, whose lock file
 * and comparison with the old value protect each reference.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { NotOwner, RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import { interval, lockExpiration } from "./ClusterSettings.ts"
import type { ShardLeases } from "./ShardLeases.ts"

interface Options {
  /** Name of this process. */
  readonly runner: string
  readonly leases: ShardLeases
  /** The shard of a repository as `group:number`. Undefined before this process has joined the cluster. */
  readonly shardOf: (repositoryId: number) => string | undefined
}

export const make = Effect.fnUntraced(function* ({ leases, runner, shardOf }: Options) {
  const sql = yield* SqlClient.SqlClient

  const owns = (repositoryId: number) => {
    const shard = shardOf(repositoryId)
    return shard !== undefined && leases.has(shard)
  }

  const hold = Effect.fnUntraced(function* (repositoryId: number) {
    const rows = yield* Effect.orDie(sql`
      SELECT 1 FROM cluster_locks
      WHERE shard_id = ${shardOf(repositoryId) ?? ""} AND address = ${runner}
        AND acquired_at >= CAST(clock_timestamp() AS timestamp) - CAST(${interval(lockExpiration)} AS interval)
      FOR SHARE`)
    if (rows.length === 0) return yield* Effect.die(new NotOwner({ repositoryId }))
  })

  return RepositoryOwnership.of({
    runner,
    owns,
    version: () => (shardOf(0) === undefined ? -1 : leases.version),
    hold,
    confirm: (repositoryId) =>
      Effect.suspend(() => (owns(repositoryId) ? Effect.void : Effect.die(new NotOwner({ repositoryId }))))
  })
})
