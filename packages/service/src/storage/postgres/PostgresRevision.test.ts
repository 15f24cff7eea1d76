import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { UserRows } from "../../accounts/UserRows.ts"
import { folder } from "../../git/Fixture.test-support.ts"
import * as RevisionCache from "../RevisionCache.ts"
import { StoreRevision } from "../StoreRevision.ts"
import * as TestDatabase from "../TestDatabase.test-support.ts"

/** Opens the store of a data folder as another process would. */
const open = (data: string) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(Layer.fresh(TestDatabase.storageLayer(data)), scope)
    return {
      revision: Context.get(context, StoreRevision),
      users: Context.get(context, UserRows),
      sql: Context.get(context, SqlClient.SqlClient),
      close: Scope.close(scope, Exit.void)
    }
  })

const pause = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 50)))

/** Waits, in real time, until a process knows whether it is alone. */
const until = (condition: () => boolean, what: string) =>
  Effect.gen(function* () {
    for (let attempt = 0; attempt < 200; attempt++) {
      if (condition()) return
      yield* pause
    }
    return assert.fail(`${what} never happened`)
  })

const isAlone = ({ revision }: { readonly revision: StoreRevision["Service"] }) => revision.refresh() === undefined

describe.skipIf(!TestDatabase.isPostgres)("the revision of PostgreSQL", () => {
  it.effect("asks the database only while another process has it open", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const one = yield* open(data)
      assert.isTrue(isAlone(one))
      const before = one.revision.current()
      const two = yield* open(data)
      assert.isFalse(isAlone(one))
      assert.isFalse(isAlone(two))
      yield* two.users.ensure({ login: "theirs" })
      yield* one.revision.refresh() ?? Effect.void
      assert.notStrictEqual(one.revision.current(), before)
      const same = one.revision.current()
      yield* one.revision.refresh() ?? Effect.void
      assert.strictEqual(one.revision.current(), same)
      yield* two.close
      yield* until(() => isAlone(one), "alone again")
      // What the other process wrote last counts as a change.
      assert.notStrictEqual(one.revision.current(), same)
      yield* one.close
    })
  )

  it.effect("never gives an older value after a write of another process", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const [one, two] = [yield* open(data), yield* open(data)]
      const cache = RevisionCache.make<string | null>(one.revision, 10)
      const read = Effect.gen(function* () {
        yield* one.revision.refresh() ?? Effect.void
        const name = Effect.map(one.users.byLogin("mia"), (user) => user?.name ?? null)
        return yield* cache.get("mia", name)
      })
      for (let index = 0; index < 50; index++) {
        yield* two.users.ensure({ login: "mia", name: `name ${index}` })
        assert.strictEqual(yield* read, `name ${index}`)
      }
      yield* Effect.all([one.close, two.close])
    })
  )

  it.effect("notices the writes of other programs", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const one = yield* open(data)
      yield* one.users.ensure({ login: "mia" })
      const before = one.revision.current()
      assert.isTrue(isAlone(one))
      yield* TestDatabase.run(data, "UPDATE users SET name = 'Mia' WHERE login = 'mia'")
      yield* until(() => one.revision.current() !== before, "a change")
      assert.strictEqual((yield* one.users.byLogin("mia"))?.name, "Mia")
      yield* one.close
    })
  )

  it.effect("is not alone after its session was ended, until it holds the lock again", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const one = yield* open(data)
      const before = one.revision.current()
      yield* TestDatabase.run(
        data,
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
      )
      yield* until(() => !isAlone(one), "the loss of the lock")
      yield* until(() => isAlone(one), "the lock")
      assert.notStrictEqual(one.revision.current(), before)
      yield* one.close
    })
  )

  it.effect("stays equal while only the tables of the cluster and other databases change", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const [one, two] = [yield* open(data), yield* open(data)]
      const current = Effect.map(one.revision.refresh() ?? Effect.void, () => one.revision.current())
      yield* TestDatabase.run(data, "CREATE TABLE cluster_test (id INTEGER)")
      const before = yield* current
      for (const statement of ["INSERT INTO cluster_test VALUES (1)", "SELECT CAST(pg_current_xact_id() AS text)"]) {
        yield* TestDatabase.run(data, statement)
        assert.strictEqual(yield* current, before, statement)
      }
      // A transaction without a write, which another process holds open.
      const during = yield* two.sql.withTransaction(Effect.andThen(two.users.byLogin("mia"), current))
      assert.strictEqual(during, before)
      yield* TestDatabase.run(data, "UPDATE users SET name = 'Mia' WHERE login = 'nobody'")
      assert.notStrictEqual(yield* current, before)
      yield* Effect.all([one.close, two.close])
    })
  )

  it.live("gives no value that is older than an acknowledged write, while four processes write and read", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const processes = yield* Effect.forEach([1, 2, 3, 4], () => open(data))
      const [first] = processes
      assert.isDefined(first)
      yield* first.users.ensure({ login: "mia", name: "0" })
      let started = 0
      let acknowledged = 0
      let hits = 0
      let reads = 0
      const isOver = () => started >= 300
      // The writers take turns with a transaction that stays open, one that is rolled back, and a single statement.
      const writer = ({ sql, users }: (typeof processes)[number]) =>
        Effect.gen(function* () {
          while (!isOver()) {
            started += 1
            const next = sql`UPDATE users SET name = CAST(CAST(name AS integer) + 1 AS text) WHERE login = 'mia' RETURNING name`
            const kind = started % 3
            const slow = next.pipe(
              Effect.tap(() => users.byLogin("mia")),
              Effect.tap(() => Effect.sleep(2))
            )
            const write =
              kind === 0 ? next : sql.withTransaction(kind === 1 ? slow : Effect.andThen(slow, Effect.fail("back")))
            const rows = yield* Effect.catchIf(
              write,
              (error) => error === "back",
              () => Effect.succeed([])
            )
            for (const { name } of rows) acknowledged = Math.max(acknowledged, Number(name))
            yield* Effect.sleep(started % 5)
          }
        })
      const reader = ({ revision, users }: (typeof processes)[number]) => {
        const cache = RevisionCache.make<number>(revision, 10)
        return Effect.gen(function* () {
          while (!isOver()) {
            const known = acknowledged
            reads += 1
            yield* revision.refresh() ?? Effect.void
            if (cache.find("mia") !== undefined) hits += 1
            const value = yield* cache.get(
              "mia",
              Effect.map(users.byLogin("mia"), (user) => Number(user?.name))
            )
            assert.isAtLeast(value, known)
            yield* Effect.sleep(reads % 2)
          }
        })
      }
      yield* Effect.all([...processes.map(writer), ...processes.map(reader), ...processes.map(reader)], {
        concurrency: "unbounded"
      })
      const final = yield* first.users.byLogin("mia")
      assert.strictEqual(Number(final?.name), acknowledged)
      assert.isAbove(hits, 0)
      yield* Effect.forEach(processes, ({ close }) => close)
    })
  )

  it.effect("does not cache what a transaction has not committed", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const one = yield* open(data)
      const cache = RevisionCache.make<string | null>(one.revision, 10)
      const read = cache.get(
        "mia",
        Effect.map(one.users.byLogin("mia"), (user) => user?.name ?? null)
      )
      yield* one.users.ensure({ login: "mia", name: "before" })
      const inside = Effect.gen(function* () {
        yield* one.users.ensure({ login: "mia", name: "inside" })
        assert.strictEqual(yield* read, "inside")
        return yield* Effect.fail("rolled back")
      })
      yield* Effect.flip(one.sql.withTransaction(inside))
      assert.strictEqual(yield* read, "before")
      yield* one.close
    })
  )
})
