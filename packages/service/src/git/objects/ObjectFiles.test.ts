/** Compares objects written to files with the objects of `git hash-object -w`. */
import { readdir, rmdir } from "node:fs/promises"
import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { folder, git } from "../Fixture.test-support.ts"
import type { ObjectFormat } from "../values/GitObject.ts"
import * as ObjectFiles from "./ObjectFiles.ts"

const makeStore = Effect.fnUntraced(function* (format: ObjectFormat, shared?: string) {
  const gitDir = yield* folder
  const options = shared === undefined ? [] : [`--shared=${shared}`]
  git(gitDir, ["init", "--quiet", "--bare", `--object-format=${format}`, ...options])
  return { gitDir, format, shared }
})

/** Bytes that do not compress well, always the same for a length. */
const bytesOf = (length: number) =>
  Buffer.from(Array.from({ length }, (_, at) => Math.imul(at + 7, 2_654_435_761) >>> 24))

const pathOf = (gitDir: string, oid: string) => join(gitDir, "objects", oid.slice(0, 2), oid.slice(2))

describe("loose objects", () => {
  for (const format of ["sha1", "sha256"] as const) {
    it.effect(`have the ids and content of git (${format})`, () =>
      Effect.gen(function* () {
        const store = yield* makeStore(format)
        for (const length of [0, 1, 9, 10, 100, 4096, 32_760, 32_768, 70_000, 1_500_000]) {
          const content = bytesOf(length)
          const oid = yield* ObjectFiles.write(store, "blob", content)
          assert.strictEqual(oid, git(store.gitDir, ["hash-object", "--stdin"], content))
          assert.strictEqual(git(store.gitDir, ["cat-file", "-s", oid]), String(length))
        }
        assert.strictEqual(git(store.gitDir, ["fsck", "--strict", "--no-dangling"]), "")
      })
    )
  }

  it.effect("are written once by many writers, without temporary files", () =>
    Effect.gen(function* () {
      const store = yield* makeStore("sha1")
      const content = Buffer.from("many")
      const oids = yield* Effect.forEach(Array.from({ length: 40 }), () => ObjectFiles.write(store, "blob", content), {
        concurrency: "unbounded"
      })
      const [oid = ""] = oids
      assert.strictEqual(new Set(oids).size, 1)
      assert.deepStrictEqual(readdirSync(join(store.gitDir, "objects", oid.slice(0, 2))), [oid.slice(2)])
    })
  )

  it.effect("are written while another program removes empty folders", () =>
    Effect.gen(function* () {
      const store = yield* makeStore("sha1")
      const objects = join(store.gitDir, "objects")
      // As `git repack -d` does at its end.
      const removeEmpty = Effect.promise(async () => {
        for (const name of await readdir(objects))
          if (name.length === 2) await rmdir(join(objects, name)).catch(() => {})
      })
      const removing = yield* Effect.forkChild(Effect.forever(removeEmpty), { startImmediately: true })
      const contents = Array.from({ length: 300 }, (_, index) => Buffer.from(`object ${index}`))
      yield* Effect.forEach(contents, (content) => ObjectFiles.write(store, "blob", content), { concurrency: 4 })
      yield* Fiber.interrupt(removing)
      assert.lengthOf(
        readdirSync(objects, { recursive: true }).filter((name) => String(name).length === 41),
        300
      )
    })
  )

  it.effect("stay in place if they exist, with a new time against git prune", () =>
    Effect.gen(function* () {
      const store = yield* makeStore("sha1")
      const oid = git(store.gitDir, ["hash-object", "-w", "--stdin"], "there")
      const path = pathOf(store.gitDir, oid)
      utimesSync(path, 1, 1)
      const { ino } = statSync(path)
      assert.strictEqual(yield* ObjectFiles.write(store, "blob", Buffer.from("there")), oid)
      assert.strictEqual(statSync(path).ino, ino)
      git(store.gitDir, ["prune", "--expire=1.hour.ago"])
      assert.strictEqual(git(store.gitDir, ["cat-file", "-p", oid]), "there")
    })
  )

  it.effect("keep packed objects readable after their pack is removed", () =>
    Effect.gen(function* () {
      const store = yield* makeStore("sha1")
      const oid = git(store.gitDir, ["hash-object", "-w", "--stdin"], "packed")
      git(store.gitDir, ["pack-objects", "--quiet", join(store.gitDir, "objects/pack/pack")], `${oid}\n`)
      git(store.gitDir, ["prune-packed"])
      yield* ObjectFiles.write(store, "blob", Buffer.from("packed"))
      git(store.gitDir, ["repack", "-a", "-d", "--quiet"])
      assert.strictEqual(git(store.gitDir, ["cat-file", "-p", oid]), "packed")
    })
  )

  for (const shared of ["umask", "group", "all", "0640", "0600", "0666"]) {
    it.effect(`have the permissions of git with core.sharedRepository=${shared}`, () =>
      Effect.gen(function* () {
        const theirs = yield* makeStore("sha1", shared)
        const ours = yield* makeStore("sha1", shared)
        const content = Buffer.from(shared)
        const before = process.umask(0o077)
        try {
          git(theirs.gitDir, ["hash-object", "-w", "--stdin"], content)
        } finally {
          process.umask(before)
        }
        const oid = yield* Effect.acquireUseRelease(
          Effect.sync(() => process.umask(0o077)),
          () => ObjectFiles.write(ours, "blob", content),
          (mask) => Effect.sync(() => void process.umask(mask))
        )
        for (const part of [oid.slice(0, 2), `${oid.slice(0, 2)}/${oid.slice(2)}`]) {
          const [ourMode, theirMode] = [ours, theirs].map(({ gitDir }) => statSync(join(gitDir, "objects", part)).mode)
          assert.strictEqual(ourMode?.toString(8), theirMode?.toString(8), part)
        }
      })
    )
  }

  it.effect("fail with NotWritable where no file can be created, and with NotARepository without a repository", () =>
    Effect.gen(function* () {
      const store = yield* makeStore("sha1")
      const oid = ObjectFiles.idOf("blob", Buffer.from("x"), "sha1")
      writeFileSync(join(store.gitDir, "objects", oid.slice(0, 2)), "a file")
      const write = Effect.flip(ObjectFiles.write(store, "blob", Buffer.from("x")))
      assert.strictEqual((yield* write).reason._tag, "NotWritable")
      const gone = Effect.flip(
        ObjectFiles.write({ ...store, gitDir: `${store.gitDir}/absent` }, "blob", Buffer.alloc(0))
      )
      assert.strictEqual((yield* gone).reason._tag, "NotARepository")
    })
  )
})
