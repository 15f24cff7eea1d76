import { spawnSync } from "node:child_process"
import { chownSync, cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { vi } from "vitest"
import * as ProcessName from "../base/ProcessName.ts"
import { createBare, discover, removeAbandoned } from "./Adoption.ts"
import * as Demonstration from "../repositories/Demonstration.ts"
import { folder, git, workTree } from "./Fixture.test-support.ts"
import { Git } from "./process/Git.ts"
import { GitRepositories } from "./GitRepositories.ts"
import { locate } from "./values/RepositoryLocation.ts"
import * as OwnerCheck from "./process/OwnerCheck.ts"

const layer = Layer.merge(Git.layer, GitRepositories.layer)

describe("Adoption", () => {
  it.effect("finds repositories up to two levels deep and does not follow links", () =>
    Effect.gen(function* () {
      const root = yield* folder
      for (const path of ["one", "group/two.git", "group/three", "deep/er/four", ".hidden", "node_modules/five"]) {
        mkdirSync(join(root, path), { recursive: true })
        git(join(root, path), path.endsWith(".git") ? ["init", "-q", "--bare"] : ["init", "-q"])
      }
      symlinkSync(root, join(root, "loop"))
      symlinkSync(join(root, "absent"), join(root, "dangling"))
      assert.deepStrictEqual(
        (yield* discover(root)).found.map(({ name, path }) => [name, path]),
        [
          ["three", join(root, "group/three")],
          ["two", join(root, "group/two.git")],
          ["one", join(root, "one")]
        ]
      )
      assert.deepStrictEqual(yield* discover(join(root, "absent")), { found: [], isAll: true })
    })
  )

  it.effect("says whether a bound ended the search", () =>
    Effect.gen(function* () {
      const root = yield* folder
      for (const name of ["one", "two", "three"]) git(root, ["init", "-q", name])
      const all = yield* discover(root, 3)
      assert.deepStrictEqual([all.found.length, all.isAll], [3, true])
      const some = yield* discover(root, 2)
      assert.deepStrictEqual([some.found.length, some.isAll], [2, false])
    })
  )

  it.effect("finds 600 repositories in a folder", () =>
    Effect.gen(function* () {
      const root = yield* folder
      git(root, ["init", "-q", "--bare", "--template=", "0.git"])
      for (let at = 1; at < 600; at++) cpSync(join(root, "0.git"), join(root, `${at}.git`), { recursive: true })
      const { found, isAll } = yield* discover(root)
      assert.deepStrictEqual([found.length, isAll], [600, true])
    })
  )

  it.effect("finds the work tree that contains a folder", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      mkdirSync(join(path, "a/b"), { recursive: true })
      for (const inside of [path, join(path, "a/b"), join(path, ".git"), join(path, ".git/objects")]) {
        assert.deepStrictEqual(
          (yield* discover(inside)).found.map((found) => found.path),
          [path]
        )
      }
    })
  )

  it.effect("creates a bare repository atomically", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const path = join(root, "owner/new.git")
      yield* createBare(path, "trunk")
      const repository = yield* (yield* GitRepositories).open(path)
      assert.deepStrictEqual([yield* repository.head, repository.bare], ["trunk", true])
      assert.strictEqual((yield* Effect.flip(createBare(path, "main"))).reason._tag, "FolderExists")
      assert.strictEqual(yield* repository.head, "trunk")
      assert.deepStrictEqual(readdirSync(join(root, "owner")), ["new.git"])
    }).pipe(Effect.provide(layer))
  )
})

describe("removeAbandoned", () => {
  it.effect("removes folders of ended processes only", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const ended = spawnSync(process.execPath, ["--version"]).pid
      const own = `.new-${ProcessName.own}-abc`
      const elsewhere = `.new-${ended}.0123456789ab-abc`
      const kept = [`.new-${process.pid}-abc`, own, elsewhere, "name.git", "new.git"]
      const removed = [`.new-${ended}-abc`, own.replace(`${process.pid}`, `${ended}`), ".new-abcdef"]
      for (const name of [...kept, ...removed]) mkdirSync(join(root, name, "repository.git"), { recursive: true })
      yield* TestClock.setTime(Date.now())
      yield* removeAbandoned([root, join(root, "absent")])
      assert.sameMembers(readdirSync(root), kept)
      // No work of another host takes more than a day.
      yield* TestClock.adjust("25 hours")
      yield* removeAbandoned([root])
      assert.sameMembers(
        readdirSync(root),
        kept.filter((name) => name !== elsewhere)
      )
    })
  )
})

describe("OwnerCheck", () => {
  it("reads safe.directory as git does", () => {
    const path = "/srv/git/one"
    for (const values of [["*"], [path], ["/srv/*"], ["/srv/git/*"], ["/x", path], ["", path], [path, "/x"]]) {
      assert.isTrue(OwnerCheck.isSafe(values, path), values.join())
    }
    for (const values of [[], ["/srv"], ["/srv/git"], ["/srv/git/one/*"], ["/srv/git/on*"], ["*", ""], [path, ""]]) {
      assert.isFalse(OwnerCheck.isSafe(values, path), values.join())
    }
  })

  it.effect.skipIf(process.geteuid?.() !== 0)(
    "requires safe.directory for a repository of another user (as root)",
    () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const home = yield* folder
        const config = join(home, "gitconfig")
        const location = locate(path)
        if (location === undefined) return assert.fail("it is a repository")
        // The repository cannot declare itself safe.
        git(path, ["config", "safe.directory", "*"])
        vi.stubEnv("SUDO_UID", undefined)
        vi.stubEnv("GIT_CONFIG_GLOBAL", config)
        vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1")
        const check = Effect.gen(function* () {
          return yield* Effect.result(OwnerCheck.check(yield* Git, location))
        }).pipe(Effect.provide(Layer.fresh(Git.layer)))
        assert.strictEqual((yield* check)._tag, "Success")
        for (const part of [path, join(path, ".git")]) {
          chownSync(part, 12_345, 12_345)
          writeFileSync(config, "")
          const refused = yield* check
          assert.strictEqual(refused._tag, "Failure")
          if (refused._tag === "Failure") {
            assert.strictEqual(refused.failure.reason._tag, "OtherOwner")
            assert.include(refused.failure.message, `uid 12345`)
            assert.include(refused.failure.message, `git config --global --add safe.directory ${path}`)
          }
          for (const allowed of ["*", path, `${join(path, "..")}/*`]) {
            writeFileSync(config, `[safe]\n\tdirectory = ${allowed}\n`)
            assert.strictEqual((yield* check)._tag, "Success", allowed)
          }
          vi.stubEnv("SUDO_UID", "12345")
          writeFileSync(config, "")
          assert.strictEqual((yield* check)._tag, "Success", "the user of sudo")
          vi.stubEnv("SUDO_UID", undefined)
          chownSync(part, 0, 0)
        }
      }).pipe(Effect.ensuring(Effect.sync(() => vi.unstubAllEnvs())))
  )
})

describe("Demonstration", () => {
  it.effect("creates the same valid repository every time, even concurrently", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "lighthouse.git")
      yield* Effect.all([Demonstration.create(path), Demonstration.create(path)], { concurrency: "unbounded" })
      yield* Demonstration.create(path)
      const repository = yield* (yield* GitRepositories).open(path)
      assert.strictEqual(git(path, ["fsck", "--strict"]), "")
      assert.strictEqual(yield* repository.head, "main")
      assert.strictEqual(yield* repository.resolve("main"), "4f647efcf57ebc342d5b8b8d3e87d6acf77b7bed")
      assert.strictEqual(git(path, ["rev-list", "--all", "--count"]), "12")
      assert.deepStrictEqual(
        (yield* repository.refs()).map(({ name }) => name),
        ["refs/heads/electric-lamp", "refs/heads/fog-horn", "refs/heads/main", "refs/tags/v0.1.0", "refs/tags/v1.0.0"]
      )
    }).pipe(Effect.provide(layer))
  )
})
