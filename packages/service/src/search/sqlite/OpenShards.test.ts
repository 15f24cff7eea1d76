import { statSync, utimesSync, writeFileSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "../../git/Fixture.test-support.ts"
import * as IndexDatabase from "./IndexDatabase.ts"
import { MissingShard, OpenShards } from "./OpenShards.ts"

const open = (data: string, { creates = true, maxOpen = 8 } = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => new OpenShards(data, { make: (database) => database, maxOpen, cacheKilobytes: 1_024, creates })),
    (shards) => Effect.sync(() => shards.close())
  )

const count = (database: DatabaseSync) => database.prepare("SELECT count(*) AS n FROM repositories").get()?.n

const insert = (database: DatabaseSync) => database.exec("INSERT INTO repositories (git_dir) VALUES ('x')")

const damaged = Object.assign(new Error("database disk image is malformed"), { errcode: 11 })

describe("OpenShards", () => {
  it.effect("replaces a damaged shard in every process that has it open, and keeps the others", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const one = yield* open(data)
      const two = yield* open(data)
      const use = <A>(shards: OpenShards<DatabaseSync>, shard: number, use: (database: DatabaseSync) => A) =>
        Effect.promise(() => shards.use(shard, use))
      for (const shard of [1, 2]) yield* use(one, shard, insert)
      assert.strictEqual(yield* use(two, 1, count), 1)
      const failure = yield* Effect.promise(() =>
        one.use(1, () => Promise.reject<string>(damaged)).catch((error: unknown) => String(error))
      )
      assert.include(failure, "malformed")
      for (const shards of [two, one]) {
        assert.strictEqual(yield* use(shards, 1, count), 0)
        assert.strictEqual(yield* use(shards, 2, count), 1)
      }
    })
  )

  it.effect("deletes a shard of noise, and does not create shards for readers", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const writer = yield* open(data)
      const reader = yield* open(data, { creates: false })
      assert.throws(() => reader.borrow(1), MissingShard)
      yield* Effect.promise(() => writer.use(1, insert))
      writer.close()
      writeFileSync(IndexDatabase.fileIn(data), "no database ".repeat(1_000))
      assert.throws(() => reader.borrow(1), "not a database")
      assert.throws(() => reader.borrow(1), MissingShard)
      assert.strictEqual(yield* Effect.promise(() => writer.use(1, count)), 0)
    })
  )

  it.effect("notices noise in a file whose pages are in memory", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const shards = yield* open(data, { creates: false })
      IndexDatabase.open(IndexDatabase.fileIn(data)).close()
      assert.strictEqual(yield* Effect.promise(() => shards.use(1, count)), 0)
      const filename = IndexDatabase.fileIn(data)
      writeFileSync(filename, Buffer.alloc(statSync(filename).size, "noise"))
      utimesSync(filename, 1, 1)
      assert.throws(() => shards.borrow(1), MissingShard)
    })
  )

  it.effect("closes the least recently used shards, but no borrowed one", () =>
    Effect.gen(function* () {
      const shards = yield* open(yield* folder, { maxOpen: 2 })
      const first = shards.borrow(1)
      const second = shards.borrow(2)
      second.release()
      const third = shards.borrow(3)
      assert.deepStrictEqual(
        [first, second, third].map(({ value }) => value.isOpen),
        [true, false, true]
      )
      third.release()
      shards.borrow(2).release()
      assert.isTrue(first.value.isOpen)
      shards.close()
      assert.isTrue(first.value.isOpen)
      first.release()
      assert.isFalse(first.value.isOpen)
    })
  )

  it.effect("divides the memory for pages among the open shards", () =>
    Effect.gen(function* () {
      const shards = yield* open(yield* folder, { maxOpen: 2 })
      const borrowed = [1, 2, 3].map((shard) => shards.borrow(shard))
      const sizes = () => borrowed.map(({ value }) => value.prepare("PRAGMA cache_size").get()?.cache_size)
      assert.deepStrictEqual(sizes(), [-256, -256, -256])
      // More shards than may stay open.
      for (const { release } of borrowed) release()
      assert.deepStrictEqual(
        borrowed.map(({ value }) => value.isOpen),
        [false, true, true]
      )
    })
  )

  it.effect("truncates the write-ahead log when the disk is full", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const shards = yield* open(data)
      const fill = (database: DatabaseSync) => {
        database.exec("PRAGMA max_page_count = 200; PRAGMA cache_size = 10; BEGIN")
        const add = database.prepare("INSERT INTO fresh (block, terms) VALUES (?, randomblob(4000))")
        for (let at = 0; at < 1_000; at++) add.run(at)
      }
      const failure = yield* Effect.promise(() => shards.use(1, fill).catch((error: unknown) => String(error)))
      assert.match(String(failure), /full/)
      assert.strictEqual(statSync(`${IndexDatabase.fileIn(data)}-wal`).size, 0)
    })
  )
})
