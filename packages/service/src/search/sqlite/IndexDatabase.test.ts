import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "../../git/Fixture.test-support.ts"
import * as IndexDatabase from "./IndexDatabase.ts"

describe("IndexDatabase", () => {
  it.effect("creates tables in a missing and in an empty file, and keeps them", () =>
    Effect.gen(function* () {
      const filename = IndexDatabase.fileIn(yield* folder)
      mkdirSync(join(filename, ".."))
      writeFileSync(filename, "")
      const first = IndexDatabase.open(filename)
      first.exec("INSERT INTO repositories (git_dir) VALUES ('x')")
      first.close()
      const second = IndexDatabase.open(filename)
      assert.strictEqual(second.prepare("SELECT count(*) AS n FROM repositories").get()?.n, 1)
      second.exec("PRAGMA user_version = 77")
      second.close()
      assert.throws(() => IndexDatabase.open(filename), IndexDatabase.DamagedShard)
    })
  )

  it.effect("lists the shards by number", () =>
    Effect.gen(function* () {
      const data = yield* folder
      assert.deepStrictEqual(IndexDatabase.shardsIn(data), [])
      for (const shard of [10, 2]) IndexDatabase.open(IndexDatabase.fileIn(data, shard)).close()
      writeFileSync(`${IndexDatabase.fileIn(data, 3)}.backup`, "")
      assert.deepStrictEqual(IndexDatabase.shardsIn(data), [2, 10])
    })
  )

  it.effect("removes indexes of other versions that were not used for 30 days", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const own = join(IndexDatabase.fileIn(data), "..")
      const long = new Date(Date.now() - 40 * 24 * 60 * 60 * 1_000)
      const put = (name: string, time: Date) => {
        writeFileSync(join(data, name), "of another version")
        utimesSync(join(data, name), time, time)
      }
      mkdirSync(own)
      utimesSync(own, long, long)
      for (const name of ["index.sqlite", "index-1.sqlite", "index-2.sqlite", "index-2.sqlite-shm"]) put(name, long)
      // A recent write-ahead log keeps an old file.
      put("index-1.sqlite-wal", new Date())
      put("index-77.sqlite", new Date())
      put("index.sqlite.backup", long)
      for (const [name, time] of [
        ["index-8", long],
        ["index-9", new Date()]
      ] as const) {
        mkdirSync(join(data, name))
        put(join(name, "shard-1.sqlite"), time)
        utimesSync(join(data, name), long, long)
      }
      IndexDatabase.removeUnused(data)
      assert.deepStrictEqual(readdirSync(data).toSorted(), [
        "index-1.sqlite",
        "index-1.sqlite-wal",
        "index-7",
        "index-77.sqlite",
        "index-9",
        "index.sqlite.backup"
      ])
      assert.isAbove(statSync(own).mtimeMs, long.getTime())
    })
  )

  it.effect("names a file that it cannot open", () =>
    Effect.gen(function* () {
      const filename = IndexDatabase.fileIn(yield* folder)
      mkdirSync(filename, { recursive: true })
      assert.throws(() => IndexDatabase.open(filename), `${filename}: unable to open database file`)
    })
  )
})
