import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "../../git/Fixture.test-support.ts"
import * as IndexDatabase from "./IndexDatabase.ts"

const count = (database: DatabaseSync) => database.prepare("SELECT count(*) AS n FROM repositories").get()?.n

describe("IndexDatabase", () => {
  it.effect("replaces a corrupt file and a file of another version", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "index.sqlite")
      writeFileSync(filename, "no database ".repeat(1_000))
      const first = IndexDatabase.open(filename)
      assert.strictEqual(count(first), 0)
      first.exec("INSERT INTO repositories (git_dir) VALUES ('x')")
      first.close()
      const second = IndexDatabase.open(filename)
      assert.strictEqual(count(second), 1)
      second.exec("PRAGMA user_version = 77")
      second.close()
      const third = IndexDatabase.open(filename)
      assert.strictEqual(count(third), 0)
      third.close()
    })
  )

  it.effect("removes files of other versions that were not opened for 30 days", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const own = IndexDatabase.fileIn(data)
      IndexDatabase.open(own).close()
      const long = new Date(Date.now() - 40 * 24 * 60 * 60 * 1_000)
      const put = (name: string, time: Date) => {
        writeFileSync(join(data, name), "of another version")
        utimesSync(join(data, name), time, time)
      }
      utimesSync(own, long, long)
      for (const name of ["index.sqlite", "index-1.sqlite", "index-2.sqlite", "index-2.sqlite-shm"]) put(name, long)
      // A recent write-ahead log keeps an old file.
      put("index-1.sqlite-wal", new Date())
      put("index-77.sqlite", new Date())
      put("index.sqlite.backup", long)
      IndexDatabase.removeUnused(own)
      assert.deepStrictEqual(readdirSync(data).toSorted(), [
        "index-1.sqlite",
        "index-1.sqlite-wal",
        basename(own),
        "index-77.sqlite",
        "index.sqlite.backup"
      ])
      assert.isAbove(statSync(own).mtimeMs, long.getTime())
    })
  )

  it.effect("replaces a damaged file in every process that has it open", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "index.sqlite")
      const one = IndexDatabase.makeHandle(filename, (database) => database)
      const two = IndexDatabase.makeHandle(filename, (database) => database)
      one.use((database) => database.exec("INSERT INTO repositories (git_dir) VALUES ('x')"))
      assert.strictEqual(two.use(count), 1)
      const damaged = Object.assign(new Error("database disk image is malformed"), { errcode: 11 })
      assert.throws(() =>
        one.use(() => {
          throw damaged
        })
      )
      assert.strictEqual(two.use(count), 0)
      assert.strictEqual(one.use(count), 0)
      for (const kept of [one, two]) kept.use((database) => database.close())
    })
  )

  it.effect("truncates the write-ahead log when the disk is full", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "index.sqlite")
      const index = IndexDatabase.makeHandle(filename, (database) => database)
      const fill = (database: DatabaseSync) => {
        database.exec("PRAGMA max_page_count = 200; PRAGMA cache_size = 10; BEGIN")
        const insert = database.prepare("INSERT INTO fresh (document, terms) VALUES (?, randomblob(4000))")
        for (let at = 0; at < 1_000; at++) insert.run(at)
      }
      assert.throws(() => index.use(fill), /full/)
      assert.strictEqual(statSync(`${filename}-wal`).size, 0)
      index.use((database) => database.close())
    })
  )

  it.effect("names a file that it cannot open", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "index.sqlite")
      mkdirSync(filename)
      assert.throws(() => IndexDatabase.open(filename), `${filename}: unable to open database file`)
    })
  )
})
