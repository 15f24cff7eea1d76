import { assert, describe, it, vi } from "@effect/vitest"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { firstCommit, folder, git } from "../../git/Fixture.test-support.ts"
import * as Storage from "../../main/Storage.ts"
import * as Backup from "./Backup.ts"
import * as Restore from "./Restore.ts"

/** A repository with one commit. */
const createRepository = (path: string, content = "one\n") => {
  mkdirSync(path, { recursive: true })
  git(path, ["init", "--quiet", "--bare", "--initial-branch=main"])
  firstCommit(path, { "a.txt": content })
}

/** The data folder of a stopped forge on SQLite, with a repository `hello` and an archive. */
const forge = Effect.gen(function* () {
  const root = yield* folder
  const data = join(root, "data")
  yield* Effect.scoped(Layer.build(Layer.fresh(Storage.layer(data))))
  const sql = (statement: string, ...values: ReadonlyArray<string | number>) => {
    const database = new DatabaseSync(join(data, "forge.db"))
    database.prepare(statement).run(...values)
    database.close()
  }
  sql("INSERT INTO users (id, login, created_at, updated_at) VALUES (50, 'anna', '', '')")
  const addRow = (id: number, name: string, path: string) => {
    const values = "VALUES (?, 50, ?, ?, '', '')"
    sql(`INSERT INTO repositories (id, owner_id, name, git, created_at, updated_at) ${values}`, id, name, path)
    return path
  }
  const hello = addRow(1, "hello", join(data, "repositories/anna/hello.git"))
  createRepository(hello)
  mkdirSync(join(data, "artifacts"))
  writeFileSync(join(data, "artifacts/digest"), "archive\n")
  const to = join(root, "backup")
  const backup = (options: Partial<Backup.Options> = {}) => Backup.run({ data, to, onProgress: () => {}, ...options })
  return { root, data, to, sql, addRow, hello, backup }
})

/** Backs up the forge, and gives what a restore to a folder `restored` needs. */
const backedUp = Effect.gen(function* () {
  const { backup, root, to } = yield* forge
  yield* backup()
  const data = join(root, "restored")
  return { data, restore: Restore.run({ from: to, data }) }
})

describe("a backup", () => {
  it.effect("follows links at the top of the data folder, and fails for others", () =>
    Effect.gen(function* () {
      const { backup, data, root, to } = yield* forge
      renameSync(join(data, "artifacts"), join(root, "large"))
      symlinkSync(join(root, "large"), join(data, "artifacts"))
      yield* backup()
      assert.strictEqual(readFileSync(join(to, "artifacts/digest"), "utf8"), "archive\n")
      symlinkSync("digest", join(root, "large/other"))
      const error = yield* Effect.flip(backup({ to: join(root, "second") }))
      assert.include(error.message, `${join(data, "artifacts/other")} is a symbolic link`)
      assert.include(error.message, "with a new folder as --to")
      assert.isFalse(existsSync(join(root, "second", Backup.MANIFEST)))
    })
  )

  it.effect("fails without a repository whose row the forge has, unless that is allowed", () =>
    Effect.gen(function* () {
      const { addRow, backup, hello, root, to } = yield* forge
      const missing = addRow(2, "mounted", join(root, "mount/mounted.git"))
      const error = yield* Effect.flip(backup())
      assert.include(error.message, `No repository at ${missing}, but the forge has its row`)
      assert.isFalse(existsSync(join(to, Backup.MANIFEST)))
      const allowed = yield* backup({ to: join(root, "allowed"), allowsMissing: true })
      assert.deepInclude(allowed, { missing: [missing], repositories: 1 })
      rmSync(hello, { recursive: true })
      const both = yield* Effect.flip(backup({ to: join(root, "both") }))
      assert.include(both.message, `No repository at ${hello}, ${missing},`)
    })
  )

  it.effect("lacks a repository that is deleted meanwhile", () =>
    Effect.gen(function* () {
      const { addRow, backup, root, sql } = yield* forge
      const deleted = addRow(2, "deleted", join(root, "deleted.git"))
      const onProgress = () => sql("DELETE FROM repositories WHERE id = 2")
      assert.deepInclude(yield* backup({ onProgress }), { missing: [deleted], repositories: 1 })
    })
  )

  it.effect("fails for a repository that borrows objects from outside of the backup", () =>
    Effect.gen(function* () {
      const { addRow, backup, data, hello, root } = yield* forge
      const shared = addRow(2, "shared", join(root, "shared.git"))
      git(root, ["clone", "--quiet", "--bare", "--shared", hello, shared])
      const error = yield* Effect.flip(backup())
      assert.include(error.message, `${shared} borrows objects from ${join(hello, "objects")}`)
      git(shared, ["repack", "-a", "-d", "-q"])
      rmSync(join(shared, "objects/info/alternates"))
      const whole = join(root, "whole")
      yield* backup({ to: whole })
      assert.strictEqual(git(join(whole, "repositories/anna/shared@2.git"), ["fsck", "--strict"]), "")
      mkdirSync(join(data, "pools/1/objects"), { recursive: true })
      writeFileSync(join(data, "pools/1/objects/x"), "")
      writeFileSync(join(hello, "objects/info/alternates"), "../../../../pools/1/objects\n")
      yield* backup({ to: join(root, "pooled") })
    })
  )

  it.effect("fails for an outside repository that is linked from the served folder", () =>
    Effect.gen(function* () {
      const { addRow, backup, hello, root } = yield* forge
      const path = addRow(2, "linked", join(root, "linked"))
      mkdirSync(path)
      symlinkSync(hello, join(path, ".git"))
      assert.include((yield* Effect.flip(backup())).message, `${join(path, ".git")} is a symbolic link`)
      renameSync(path, join(root, "moved"))
      symlinkSync("moved", path)
      const moved = yield* Effect.flip(backup({ to: join(root, "second") }))
      assert.include(moved.message, `${path} is a symbolic link`)
    })
  )

  it.effect("has outside repositories in folders of their own", () =>
    Effect.gen(function* () {
      const { addRow, backup, data, root, to } = yield* forge
      createRepository(addRow(7, "foo", join(root, "foo")), "outside\n")
      createRepository(addRow(8, "foo-7", join(data, "repositories/anna/foo-7.git")), "hosted\n")
      yield* backup()
      const restored = join(root, "restored")
      yield* Restore.run({ from: to, data: restored })
      const database = new DatabaseSync(join(restored, "forge.db"), { readOnly: true })
      const rows = database.prepare("SELECT git FROM repositories WHERE id IN (7, 8) ORDER BY id").all()
      database.close()
      const contents = rows.map((row) => git(String(row["git"]), ["cat-file", "-p", "main:a.txt"]))
      assert.deepStrictEqual(contents, ["outside", "hosted"])
    })
  )

  it.effect("is on the disk before its manifest", () =>
    Effect.gen(function* () {
      const { backup, to } = yield* forge
      const handle = yield* Effect.promise(() => open(to.replace(/backup$/, "")))
      const prototype: { readonly sync: () => Promise<void> } = Object.getPrototypeOf(handle)
      const sync = vi.spyOn(prototype, "sync")
      yield* Effect.promise(() => handle.close())
      const flushed: Array<boolean> = []
      sync.mockImplementation(() => {
        flushed.push(existsSync(join(to, Backup.MANIFEST)))
        return Promise.resolve()
      })
      const { copied } = yield* Effect.ensuring(
        backup(),
        Effect.sync(() => sync.mockRestore())
      )
      assert.isAbove(flushed.filter((isComplete) => !isComplete).length, copied + 1)
      assert.strictEqual(flushed.at(-1), true)
    })
  )
})

describe("a restore", () => {
  it.effect("refuses a folder with a write-ahead log of old rows", () =>
    Effect.gen(function* () {
      const { data, restore } = yield* backedUp
      mkdirSync(data)
      writeFileSync(join(data, "forge.db-wal"), "old")
      const error = yield* Effect.flip(restore)
      assert.include(error.message, `${data} is not empty: it has forge.db-wal`)
      rmSync(join(data, "forge.db-wal"))
      mkdirSync(join(data, "lost+found"))
      yield* restore
      assert.isFalse(existsSync(join(data, "database")))
    })
  )

  it.effect("refuses what an interrupted restore left, also for a forge", () =>
    Effect.gen(function* () {
      const { data, restore } = yield* backedUp
      const spy = vi.spyOn(DatabaseSync.prototype, "exec").mockImplementationOnce(() => {
        throw new Error("interrupted")
      })
      const interrupted = yield* Effect.ensuring(
        Effect.flip(restore),
        Effect.sync(() => spy.mockRestore())
      )
      assert.include(interrupted.message, "delete what the restore left there, and run the command again")
      assert.include((yield* Effect.flip(restore)).message, "for example after an interrupted restore")
      const started = yield* Effect.flip(Effect.scoped(Layer.build(Layer.fresh(Storage.layer(data)))))
      assert.include(started.message, "an unfinished restore")
      rmSync(data, { recursive: true })
      yield* restore
    })
  )

  it.effect("does not replace the rows of a forge that started meanwhile", () =>
    Effect.gen(function* () {
      const { data, restore } = yield* backedUp
      const spy = vi
        .spyOn(DatabaseSync.prototype, "exec")
        .mockImplementation(() => writeFileSync(join(data, "forge.db"), "rows"))
      const error = yield* Effect.ensuring(
        Effect.flip(restore),
        Effect.sync(() => spy.mockRestore())
      )
      assert.include(error.message, "a forge was started there meanwhile")
      assert.strictEqual(readFileSync(join(data, "forge.db"), "utf8"), "rows")
    })
  )
})
