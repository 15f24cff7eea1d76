import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, folder, git, manyCommits, workTree } from "./Fixture.test-support.ts"
import { open, repositories } from "./GitRepository.test-support.ts"

layer(repositories)("GitRepository references", (it) => {
  it.effect("sees rapid changes by other programs at once", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const first = git(path, ["rev-parse", "HEAD"])
      const second = commit(path, {}, "second")
      const repository = yield* open(path)
      for (let round = 0; round < 25; round++) {
        const oid = round % 2 === 0 ? first : second
        git(path, ["update-ref", "refs/heads/deep/er/x", oid])
        assert.strictEqual((yield* repository.ref("refs/heads/deep/er/x"))?.oid, oid)
        if (round % 5 === 0) git(path, ["pack-refs", "--all"])
        assert.strictEqual((yield* repository.ref("refs/heads/deep/er/x"))?.oid, oid)
      }
      git(path, ["update-ref", "-d", "refs/heads/deep/er/x"])
      assert.isUndefined(yield* repository.ref("refs/heads/deep/er/x"))
      git(path, ["symbolic-ref", "HEAD", "refs/heads/elsewhere"])
      assert.strictEqual(yield* repository.head, "elsewhere")
    })
  )

  it.effect("lists by prefix, peels nested tags, omits broken references, and fails when reading one", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const head = git(path, ["rev-parse", "HEAD"])
      git(path, ["tag", "-a", "one", "-m", "one"])
      git(path, ["tag", "-a", "two", "-m", "two", "one"])
      git(path, ["update-ref", "refs/notes/x", head])
      const repository = yield* open(path)
      assert.deepStrictEqual(
        (yield* repository.refs("refs/tags/t")).map(({ name, peeled, type }) => [name, type, peeled]),
        [["refs/tags/two", "tag", head]]
      )
      writeFileSync(join(path, ".git/refs/heads/broken"), `${"1".repeat(40)}\n`)
      assert.deepStrictEqual(
        (yield* repository.refs()).map(({ name, peeled }) => [name, peeled]),
        [
          ["refs/heads/main", undefined],
          ["refs/notes/x", undefined],
          ["refs/tags/one", head],
          ["refs/tags/two", head]
        ]
      )
      git(path, ["symbolic-ref", "HEAD", "refs/heads/broken"])
      const problem = { _tag: "ObjectMissing", oid: "1".repeat(40) } as const
      assert.deepInclude((yield* Effect.flip(repository.ref("refs/heads/broken"))).reason, problem)
      assert.deepInclude((yield* Effect.flip(repository.resolve("HEAD"))).reason, problem)
    })
  )

  it.effect("creates, updates and deletes with the expected value, and reports conflicts", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const first = git(path, ["rev-parse", "HEAD"])
      const second = commit(path, {}, "second")
      const blob = git(path, ["rev-parse", "HEAD:a.txt"])
      const repository = yield* open(path)
      const reason = (effect: ReturnType<typeof repository.createRef>) =>
        Effect.map(Effect.flip(effect), (error) => error.reason._tag)
      yield* repository.createRef("refs/heads/a/b", first)
      assert.strictEqual(git(path, ["rev-parse", "a/b"]), first)
      assert.strictEqual((yield* repository.ref("refs/heads/a/b"))?.oid, first)
      assert.strictEqual(yield* reason(repository.createRef("refs/heads/a/b", first)), "AlreadyExists")
      assert.strictEqual(yield* reason(repository.createRef("refs/heads/a", first)), "DirectoryConflict")
      assert.strictEqual(yield* reason(repository.createRef("refs/heads/a/b/c", first)), "DirectoryConflict")
      git(path, ["pack-refs", "--all"])
      assert.strictEqual(yield* reason(repository.createRef("refs/heads/a", first)), "DirectoryConflict")
      assert.strictEqual(yield* reason(repository.createRef("refs/heads/x", "1".repeat(40))), "InvalidObject")
      assert.strictEqual(yield* reason(repository.createRef("refs/heads/x", "0".repeat(40))), "InvalidObject")
      assert.strictEqual(yield* reason(repository.createRef("refs/heads/x", "HEAD")), "InvalidObject")
      assert.strictEqual(yield* reason(repository.createRef("refs/heads/x", blob)), "InvalidObject")
      yield* repository.updateRef("refs/heads/a/b", second, first)
      assert.strictEqual(yield* reason(repository.updateRef("refs/heads/a/b", first, first)), "RefConflict")
      assert.strictEqual(yield* reason(repository.updateRef("refs/heads/gone", first, second)), "RefConflict")
      assert.strictEqual(yield* reason(repository.deleteRef("refs/heads/a/b", first)), "RefConflict")
      yield* repository.deleteRef("refs/heads/a/b", second)
      assert.isUndefined(yield* repository.ref("refs/heads/a/b"))
      assert.strictEqual(yield* reason(repository.deleteRef("refs/heads/a/b", second)), "RefConflict")
    })
  )

  it.effect("rejects malicious names without running git", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const oid = git(path, ["rev-parse", "HEAD"])
      const repository = yield* open(path)
      for (const name of [
        "HEAD",
        "config",
        "refs/../config",
        "refs/heads/.lock",
        "refs/heads/a\0b",
        "refs/heads/a\nb",
        `refs/heads/${"x".repeat(10_000)}`,
        "/refs/heads/x",
        "--help"
      ]) {
        assert.strictEqual((yield* Effect.flip(repository.createRef(name, oid))).reason._tag, "InvalidName", name)
        assert.strictEqual((yield* Effect.flip(repository.deleteRef(name, oid))).reason._tag, "InvalidName", name)
      }
    })
  )

  it.effect("lets exactly one of 50 concurrent updates succeed", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const base = git(path, ["rev-parse", "HEAD"])
      manyCommits(path, "pile", 50)
      const targets = git(path, ["rev-list", "pile"]).split("\n")
      const repository = yield* open(path)
      yield* repository.createRef("refs/heads/raced", base)
      const outcomes = yield* Effect.forEach(
        targets,
        (oid) =>
          Effect.match(repository.updateRef("refs/heads/raced", oid, base), {
            onFailure: (error) => error.reason._tag,
            onSuccess: () => oid
          }),
        { concurrency: "unbounded" }
      )
      const winners = outcomes.filter((outcome) => outcome !== "RefConflict")
      assert.deepStrictEqual(winners, [git(path, ["rev-parse", "raced"])])
      assert.strictEqual(git(path, ["fsck", "--no-dangling"]), "")
    })
  )

  it.effect("does not create the unborn branch of a work tree", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const head = git(path, ["rev-parse", "HEAD"])
      git(path, ["symbolic-ref", "HEAD", "refs/heads/unborn"])
      const repository = yield* open(path)
      const reasonOf = (name: string) =>
        Effect.map(Effect.flip(repository.createRef(name, head)), ({ reason }) => reason._tag)
      assert.strictEqual(yield* reasonOf("refs/heads/unborn"), "CheckedOut")
      yield* repository.createRef("refs/heads/other", head)
      git(path, ["symbolic-ref", "HEAD", "refs/heads/main"])
      assert.strictEqual(yield* reasonOf("refs/heads/main"), "AlreadyExists")
    })
  )

  it.effect("does not change a branch that a work tree uses through a symbolic reference", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const first = git(path, ["rev-parse", "HEAD"])
      const second = git(path, ["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "x"])
      git(path, ["symbolic-ref", "refs/heads/alias", "refs/heads/main"])
      git(path, ["symbolic-ref", "HEAD", "refs/heads/alias"])
      const repository = yield* open(path)
      for (const ref of ["refs/heads/main", "refs/heads/alias"]) {
        const { reason } = yield* Effect.flip(repository.updateRef(ref, second, first))
        assert.strictEqual(reason._tag, "CheckedOut", ref)
      }
      assert.strictEqual(git(path, ["rev-parse", "main"]), first)
    })
  )

  it.effect("does not change a branch that a work tree uses", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const other = join(yield* folder, "other")
      git(path, ["worktree", "add", "-q", "-b", "side", other])
      const first = git(path, ["rev-parse", "HEAD"])
      const second = git(path, ["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "x"])
      const repository = yield* open(path)
      for (const ref of ["refs/heads/main", "refs/heads/side"]) {
        assert.strictEqual((yield* Effect.flip(repository.updateRef(ref, second, first))).reason._tag, "CheckedOut")
        assert.strictEqual((yield* Effect.flip(repository.deleteRef(ref, first))).reason._tag, "CheckedOut")
      }
      git(other, ["checkout", "-q", "--detach"])
      const rebase = join(path, ".git/worktrees/other/rebase-merge")
      mkdirSync(rebase)
      writeFileSync(join(rebase, "head-name"), "refs/heads/side\n")
      assert.strictEqual(
        (yield* Effect.flip(repository.updateRef("refs/heads/side", second, first))).message,
        `refs/heads/side is checked out in ${other}; switch that work tree to another branch first`
      )
      rmSync(rebase, { recursive: true })
      yield* repository.updateRef("refs/heads/side", second, first)
      const bare = join(yield* folder, "bare.git")
      git(path, ["clone", "-q", "--bare", path, bare])
      yield* (yield* open(bare)).updateRef("refs/heads/main", second, first)
      // Same result for a repository opened through a linked work tree.
      const added = join(yield* folder, "added")
      git(bare, ["worktree", "add", "-q", "-b", "topic", added])
      const opened = yield* open(added)
      yield* opened.updateRef("refs/heads/main", first, second)
      assert.strictEqual(
        (yield* Effect.flip(opened.updateRef("refs/heads/topic", first, second))).reason._tag,
        "CheckedOut"
      )
    })
  )
})
