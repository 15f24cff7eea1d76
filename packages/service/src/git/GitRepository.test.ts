import { mkdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, folder, git, workTree } from "./Fixture.test-support.ts"
import { open, repositories } from "./GitRepository.test-support.ts"

layer(repositories)("GitRepository", (it) => {
  it.effect("opens work trees, bare repositories, linked work trees and .git files, but no other folders", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const other = join(yield* folder, "other")
      const bare = join(yield* folder, "bare.git")
      git(path, ["worktree", "add", "-q", "-b", "side", other])
      git(path, ["clone", "-q", "--bare", path, bare])
      assert.deepStrictEqual(
        yield* Effect.forEach([path, join(path, ".git"), other, bare], (each) =>
          Effect.map(open(each), (repository) => [repository.path, repository.bare])
        ),
        [
          [path, false],
          [path, false],
          [other, false],
          [bare, true]
        ]
      )
      assert.strictEqual(yield* open(path), yield* open(path))
      const inside = join(path, "inside")
      mkdirSync(inside)
      for (const none of [inside, join(path, "absent"), join(path, "a.txt"), "/"]) {
        assert.strictEqual((yield* Effect.flip(open(none))).reason._tag, "NotARepository")
      }
    })
  )

  it.effect("shares references with a linked work tree, which has its own HEAD", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const other = join(yield* folder, "other")
      git(path, ["worktree", "add", "-q", "-b", "side", other])
      const repository = yield* open(other)
      assert.strictEqual(yield* repository.head, "side")
      assert.deepStrictEqual(
        (yield* repository.refs()).map(({ name }) => name),
        ["refs/heads/main", "refs/heads/side"]
      )
      git(other, ["checkout", "-q", "--detach"])
      assert.strictEqual(yield* repository.head, "main")
    })
  )

  it.effect("gives the unborn branch and no objects of an empty repository", () =>
    Effect.gen(function* () {
      const path = yield* folder
      git(path, ["init", "-q", "--initial-branch=a/b"])
      const repository = yield* open(path)
      assert.strictEqual(yield* repository.head, "a/b")
      assert.deepStrictEqual(yield* repository.refs(), [])
      assert.isUndefined(yield* repository.resolve("HEAD"))
    })
  )

  it.effect("reads a SHA-256 repository", () =>
    Effect.gen(function* () {
      const path = yield* folder
      git(path, ["init", "-q", "--initial-branch=main", "--object-format=sha256"])
      const head = commit(path, { "d/a.txt": "x" }, "first")
      const repository = yield* open(path)
      assert.strictEqual(repository.objectFormat, "sha256")
      assert.strictEqual((yield* repository.entryAt(head, "d/a.txt"))?.oid, git(path, ["rev-parse", "HEAD:d/a.txt"]))
    })
  )

  it.effect("fails with NotARepository after the repository is deleted", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const head = git(path, ["rev-parse", "HEAD"])
      const repository = yield* open(path)
      renameSync(path, `${path}-moved`)
      assert.strictEqual((yield* Effect.flip(open(path))).reason._tag, "NotARepository")
      assert.strictEqual((yield* Effect.flip(repository.refs())).reason._tag, "NotARepository")
      assert.strictEqual((yield* Effect.flip(repository.info(head))).reason._tag, "NotARepository")
      renameSync(`${path}-moved`, path)
      assert.strictEqual((yield* repository.info(head))?.type, "commit")
    })
  )
})
