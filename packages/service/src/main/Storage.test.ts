import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { folder } from "../git/Fixture.test-support.ts"
import * as RevisionCache from "../storage/RevisionCache.ts"
import { RepositoryRows } from "../repositories/RepositoryRows.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import { TokenRows } from "../access/TokenRows.ts"
import { UserRows } from "../accounts/UserRows.ts"
import { requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import * as TestDatabase from "../storage/TestDatabase.test-support.ts"

/** Opens the store separately, like another process. */
const twice = Effect.gen(function* () {
  const data = join(yield* folder, "data")
  const open = Layer.build(Layer.fresh(TestDatabase.storageLayer(data)))
  const [one, two] = yield* Effect.all([open, open], { concurrency: "unbounded" })
  return { data, one, two }
})

it.effect("creates the store once, readable for its owner only, and reopens it", () =>
  Effect.gen(function* () {
    const { data, one, two } = yield* twice
    assert.strictEqual(statSync(data).mode & 0o777, 0o700)
    const made = yield* Effect.provide(
      Effect.flatMap(UserRows, (users) => users.ensure({ login: "Anna" })),
      one
    )
    const found = yield* Effect.provide(
      Effect.flatMap(UserRows, (users) => users.byLogin("aNNA")),
      two
    )
    assert.deepStrictEqual(found, made)
  })
)

it.effect("changes the revision after every write, also of another process", () =>
  Effect.gen(function* () {
    const { one, two } = yield* twice
    const revision = yield* Effect.provide(StoreRevision, one)
    const before = revision.current()
    assert.strictEqual(revision.current(), before)
    yield* Effect.provide(
      Effect.flatMap(UserRows, (users) => users.ensure({ login: "theirs" })),
      two
    )
    yield* revision.refresh() ?? Effect.void
    const after = revision.current()
    assert.notStrictEqual(after, before)
    yield* Effect.provide(
      Effect.flatMap(UserRows, (users) => users.ensure({ login: "ours" })),
      one
    )
    assert.notStrictEqual(revision.current(), after)
    const sql = yield* Effect.provide(SqlClient.SqlClient, one)
    const last = revision.current()
    yield* sql`WITH one AS (SELECT 1) SELECT * FROM one`
    assert.strictEqual(revision.current(), last)
    yield* sql`WITH one AS (SELECT 1) UPDATE users SET name = 'x' WHERE id IN (SELECT * FROM one)`
    assert.notStrictEqual(revision.current(), last)
  })
)

it.effect("drops cached values when the store changes, and the oldest above the limit", () =>
  Effect.gen(function* () {
    let current = "1"
    let reads = 0
    const remembered = RevisionCache.make<number>({ current: () => current, isIsolated: undefined }, 2)
    const get = (key: string) =>
      remembered.get(
        key,
        Effect.sync(() => ++reads)
      )
    assert.deepStrictEqual([yield* get("a"), yield* get("a")], [1, 1])
    current = "2"
    assert.strictEqual(yield* get("a"), 2)
    yield* get("b")
    assert.deepStrictEqual([yield* get("a"), yield* get("b")], [2, 3])
    yield* get("c")
    assert.deepStrictEqual([yield* get("b"), yield* get("a")], [3, 5])
    assert.strictEqual(yield* remembered.get("none", Effect.undefined), undefined)
    assert.strictEqual(yield* get("none"), 6)
  })
)

it.effect("keeps one value in a cache with a limit of one", () =>
  Effect.gen(function* () {
    let reads = 0
    const remembered = RevisionCache.make<number>({ current: () => "1", isIsolated: undefined }, 1)
    const get = remembered.get(
      "all",
      Effect.sync(() => ++reads)
    )
    assert.deepStrictEqual([yield* get, yield* get, yield* get], [1, 1, 1])
  })
)

it.effect("does not cache a value that changed while it was read", () =>
  Effect.gen(function* () {
    let current = "1"
    const remembered = RevisionCache.make<string>({ current: () => current, isIsolated: undefined }, 10)
    const slow = Effect.gen(function* () {
      current = "2"
      yield* remembered.get("other", Effect.succeed("fresh"))
      return "stale"
    })
    assert.strictEqual(yield* remembered.get("key", slow), "stale")
    assert.strictEqual(yield* remembered.get("key", Effect.succeed("fresh")), "fresh")
  })
)

it.effect("finds a token by its value without storing it", () =>
  Effect.gen(function* () {
    const { data, one, two } = yield* twice
    const { secret, user } = yield* Effect.provide(
      Effect.gen(function* () {
        const user = yield* (yield* UserRows).ensure({ login: "anna" })
        const tokens = yield* TokenRows
        const secret = yield* tokens.add({ userId: user.id, kind: "fine_grained", permissions: { contents: "read" } })
        return { secret, user }
      }),
      one
    )
    for (const file of TestDatabase.isPostgres ? [] : ["forge.db", "forge.db-wal"]) {
      assert.notInclude(readFileSync(join(data, file), "latin1"), Redacted.value(secret))
    }
    const tokens = yield* Effect.provide(TokenRows, two)
    const row = yield* requireRow(tokens.find(secret))
    assert.deepStrictEqual([row.user.id, row.kind, row.permissions], [user.id, "fine_grained", { contents: "read" }])
    assert.isUndefined(yield* tokens.find(Redacted.make("other")))
    assert.notInclude(JSON.stringify({ secret }), Redacted.value(secret))
  })
)

it.effect("accepts texts with a NUL character", () =>
  Effect.gen(function* () {
    const { one } = yield* twice
    yield* Effect.gen(function* () {
      const users = yield* UserRows
      const sql = yield* SqlClient.SqlClient
      const { isOneOfTexts } = SqlFragments.make(sql)
      assert.strictEqual(yield* users.byLogin("a\0b"), undefined)
      const { id } = yield* users.ensure({ login: "mia", name: "Mia\0" })
      assert.match((yield* users.byLogin("mia"))?.name ?? "", /^Mia[\0\uFFFD]$/)
      const found = yield* sql`SELECT id FROM users WHERE ${isOneOfTexts("name", ["Mia\0", "x"])}`
      assert.deepStrictEqual(found, [{ id }])
    }).pipe(Effect.provide(one))
  })
)

it.effect("rejects a second repository with the same name or folder", () =>
  Effect.gen(function* () {
    const { one, two } = yield* twice
    const user = yield* Effect.provide(
      Effect.flatMap(UserRows, (users) => users.ensure({ login: "anna" })),
      one
    )
    const add = (name: string, git: string) =>
      Effect.result(Effect.flatMap(RepositoryRows, (rows) => rows.add({ ownerId: user.id, name, git })))
    const first = yield* Effect.provide(add("hello", "/a"), one)
    assert.strictEqual(first._tag, "Success")
    for (const [name, git] of [
      ["HELLO", "/b"],
      ["other", "/a"]
    ] as const) {
      const refused = yield* Effect.provide(add(name, git), two)
      assert.strictEqual(refused._tag === "Failure" ? refused.failure._tag : undefined, "NameTaken")
    }
  })
)

it.effect("makes writers of two processes wait for each other", () =>
  Effect.gen(function* () {
    const { one, two } = yield* twice
    const count = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const users = yield* UserRows
      for (let index = 0; index < 20; index++) {
        yield* sql.withTransaction(users.ensure({ login: `user-${index}` }))
        yield* Effect.yieldNow
      }
    })
    yield* Effect.all([Effect.provide(count, one), Effect.provide(count, two)], { concurrency: "unbounded" })
    const [row] = yield* Effect.provide(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT count(*) AS n FROM users`),
      one
    )
    assert.strictEqual(row?.["n"], 20)
  })
)

it.effect("rolls back a failed transaction", () =>
  Effect.gen(function* () {
    const { one } = yield* twice
    yield* Effect.provide(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const users = yield* UserRows
        yield* Effect.flip(sql.withTransaction(Effect.andThen(users.ensure({ login: "gone" }), Effect.fail("no"))))
        assert.isUndefined(yield* users.byLogin("gone"))
      }),
      one
    )
  })
)

it.effect.skipIf(TestDatabase.isPostgres)("reports a file that is not a database", () =>
  Effect.gen(function* () {
    const data = yield* folder
    writeFileSync(join(data, "forge.db"), "this is a letter, not a database. ".repeat(100))
    const failed = yield* Effect.flip(Layer.build(TestDatabase.storageLayer(data)))
    assert.strictEqual(failed._tag, "StorageFailed")
    assert.include(failed.message, join(data, "forge.db"))
    assert.include(failed.message, "file is not a database")
    const everybodys = join(data, "everybodys")
    mkdirSync(everybodys)
    chmodSync(everybodys, 0o1777)
    assert.include(
      (yield* Effect.flip(Layer.build(TestDatabase.storageLayer(everybodys)))).message,
      "name a folder in it"
    )
    assert.strictEqual(statSync(everybodys).mode & 0o7777, 0o1777)
    const nowhere = yield* Effect.flip(Layer.build(TestDatabase.storageLayer(join(data, "forge.db", "below"))))
    assert.strictEqual(nowhere._tag, "StorageFailed")
  })
)
