import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Fiber, Layer } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { folder } from "../git/Fixture.test-support.ts"
import { NotOwner } from "../repositories/RepositoryOwnership.ts"
import * as TestDatabase from "../storage/TestDatabase.test-support.ts"
import * as Ownership from "./Ownership.ts"
import { ShardLeases } from "./ShardLeases.ts"

const RUNNER = "10.0.0.1:4181"
const OTHER = "10.0.0.2:4181"

const setUp = Effect.gen(function* () {
  const data = yield* folder
  const context = yield* Layer.build(TestDatabase.storageLayer(data))
  const sql = Context.get(context, SqlClient.SqlClient)
  yield* sql`CREATE TABLE cluster_locks (
    shard_id varchar(50) PRIMARY KEY, address varchar(255) NOT NULL, acquired_at timestamp NOT NULL)`
  yield* sql`INSERT INTO cluster_locks VALUES ('default:7', ${RUNNER}, now())`
  const ownership = yield* Effect.provide(
    Ownership.make({ runner: RUNNER, leases: new ShardLeases(), shardOf: () => "default:7" }),
    context
  )
  return { data, ownership, sql }
})

const isNotOwner = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof NotOwner

describe.skipIf(!TestDatabase.isPostgres)("ownership of a repository", () => {
  it.effect("nobody takes the shard before the transaction of a change ends", () =>
    Effect.gen(function* () {
      const { data, ownership, sql } = yield* setUp
      const taking = sql.withTransaction(
        Effect.gen(function* () {
          yield* ownership.hold(1)
          const take = yield* Effect.forkDetach(
            TestDatabase.run(data, `UPDATE cluster_locks SET address = '${OTHER}' WHERE shard_id = 'default:7'`),
            { startImmediately: true }
          )
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 300)))
          assert.isUndefined(take.pollUnsafe())
          return take
        })
      )
      yield* Fiber.join(yield* taking)
      assert.isTrue(isNotOwner(yield* Effect.exit(sql.withTransaction(ownership.hold(1)))))
    })
  )

  it.effect("an expired lock and a shard without a lock are not owned", () =>
    Effect.gen(function* () {
      const { ownership, sql } = yield* setUp
      yield* sql`UPDATE cluster_locks SET acquired_at = now() - interval '11 seconds'`
      assert.isTrue(isNotOwner(yield* Effect.exit(sql.withTransaction(ownership.hold(1)))))
      yield* sql`DELETE FROM cluster_locks`
      assert.isTrue(isNotOwner(yield* Effect.exit(sql.withTransaction(ownership.hold(1)))))
    })
  )

  it.effect("a process whose own clock says that its lock has expired owns nothing", () =>
    Effect.gen(function* () {
      const { ownership, sql } = yield* setUp
      yield* sql.withTransaction(ownership.hold(1))
      assert.isFalse(ownership.owns(1))
      assert.isTrue(isNotOwner(yield* Effect.exit(ownership.confirm(1))))
    })
  )
})
