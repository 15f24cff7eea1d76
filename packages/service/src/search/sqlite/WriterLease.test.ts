import { spawnSync } from "node:child_process"
import { hostname } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { WriterLease } from "./WriterLease.ts"

const open = () => {
  const database = new DatabaseSync(":memory:")
  database.exec("CREATE TABLE writer (id INTEGER PRIMARY KEY, process TEXT NOT NULL, until INTEGER NOT NULL)")
  const hold = (process: string, until: number) =>
    database.prepare("INSERT OR REPLACE INTO writer VALUES (1, ?, ?)").run(process, until)
  return { database, hold }
}

describe("WriterLease", () => {
  it("excludes other writers until its release", () => {
    const { database } = open()
    const [first, second] = [new WriterLease(database), new WriterLease(database)]
    assert.isTrue(first.acquire())
    assert.isTrue(first.acquire())
    assert.isFalse(second.acquire())
    first.release()
    assert.isTrue(second.acquire())
    assert.throws(() => first.transaction(() => {}), "lost the write lease")
    database.close()
  })

  it("takes over an expired lease, and that of a process that has ended on this machine", () => {
    const { database, hold } = open()
    const lease = new WriterLease(database)
    const ended = spawnSync(process.execPath, ["--eval", ""]).pid
    const later = Date.now() + 10_000
    hold(`${hostname()} ${process.pid} x`, later)
    assert.isFalse(lease.acquire())
    hold(`elsewhere ${ended} x`, later)
    assert.isFalse(lease.acquire())
    hold(`${hostname()} ${ended} x`, later)
    assert.isTrue(lease.acquire())
    hold("elsewhere 1 x", Date.now() - 1)
    assert.isTrue(lease.acquire())
    database.close()
  })
})
