import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { commit, git, workTree } from "../Fixture.test-support.ts"
import { GitRepositories } from "../GitRepositories.ts"
import { CatFile } from "../process/CatFile.ts"
import { Git } from "../process/Git.ts"

const data = realpathSync(mkdtempSync(join(tmpdir(), "tongs-git-")))

const cleanUp = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => rmSync(data, { recursive: true }))))

const repositories = GitRepositories.layerIn(join(data, "git")).pipe(
  Layer.provide(CatFile.layer),
  Layer.provide(Git.layer),
  Layer.merge(cleanUp)
)

const open = (path: string) => Effect.flatMap(GitRepositories, (all) => all.open(path))

/** The references of pull requests that `git ls-remote` shows: `[id, name]`. */
const listed = (from: string, cwd: string) =>
  git(cwd, ["ls-remote", from, "refs/pull/*"])
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [line.split("\t")]))

layer(repositories)("PullRefs", (it) => {
  it.effect("are served from a folder of the forge for somebody's own repository", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const first = git(path, ["rev-parse", "HEAD"])
      const second = commit(path, {}, "second")
      git(path, ["stash", "store", second])
      // A clone of a repository on GitHub can have fetched such references.
      git(path, ["update-ref", "refs/pull/1/head", first])
      const before = git(path, ["for-each-ref"])
      const repository = yield* open(path)
      assert.deepStrictEqual(listed(yield* repository.uploadDir, path), [[first, "refs/pull/1/head"]])
      for (const number of [2, 1]) {
        yield* repository.pullRefs.set(number, "head", second)
        yield* repository.pullRefs.set(number, "merge", first)
      }
      yield* repository.pullRefs.set(1, "merge", undefined)
      assert.strictEqual(yield* repository.pullRefs.get(1, "head"), second)
      assert.strictEqual(yield* repository.pullRefs.get(1, "merge"), undefined)
      assert.strictEqual(yield* repository.pullRefs.get(2, "merge"), first)
      git(path, ["update-ref", "refs/notes/commits", first])
      const served = yield* repository.uploadDir
      assert.deepStrictEqual(listed(served, path), [
        [second, "refs/pull/1/head"],
        [second, "refs/pull/2/head"],
        [first, "refs/pull/2/merge"]
      ])
      assert.match(git(path, ["ls-remote", served]), /refs\/heads\/main\n.*refs\/notes\/commits\n[^]*refs\/stash$/)
      git(path, ["fetch", "--quiet", served, "refs/pull/2/merge"])
      assert.strictEqual(git(path, ["rev-parse", "FETCH_HEAD"]), first)
      git(path, ["update-ref", "-d", "refs/notes/commits"])
      assert.strictEqual(git(path, ["for-each-ref"]), before)
      assert.strictEqual(git(path, ["ls-remote", yield* repository.transferDir]).match(/pull\/2/), null)
      yield* repository.pullRefs.remove(2)
      yield* repository.pullRefs.remove(1)
      assert.strictEqual(yield* repository.pullRefs.get(1, "head"), undefined)
      assert.deepStrictEqual(listed(yield* repository.uploadDir, path), [[first, "refs/pull/1/head"]])
    })
  )

  it.effect("are references of a repository of the forge, which git gc keeps", () =>
    Effect.gen(function* () {
      const path = join(data, "repositories/owner/app.git")
      mkdirSync(path, { recursive: true })
      git(path, ["init", "--quiet", "--bare"])
      const tree = git(path, ["mktree"])
      const [head = "", merge = "", later = ""] = ["a", "b", "c"].map((m) => git(path, ["commit-tree", "-m", m, tree]))
      const repository = yield* open(path)
      yield* repository.pullRefs.set(7, "head", head)
      yield* repository.pullRefs.set(7, "merge", merge)
      git(path, ["gc", "--quiet", "--prune=now"])
      assert.strictEqual(yield* repository.pullRefs.get(7, "merge"), merge)
      assert.strictEqual((yield* repository.ref("refs/pull/7/head"))?.oid, head)
      assert.deepStrictEqual(listed(yield* repository.uploadDir, path), [
        [head, "refs/pull/7/head"],
        [merge, "refs/pull/7/merge"]
      ])
      git(path, ["cat-file", "commit", merge])
      const recreated = git(path, ["commit-tree", "-m", "c", tree])
      assert.strictEqual(recreated, later)
      yield* repository.pullRefs.set(7, "head", later)
      yield* repository.pullRefs.set(7, "merge", undefined)
      yield* repository.pullRefs.set(7, "merge", undefined)
      assert.strictEqual(git(path, ["for-each-ref"]), `${later} commit\trefs/pull/7/head`)
      yield* repository.pullRefs.remove(7)
      yield* repository.pullRefs.remove(7)
      assert.strictEqual(git(path, ["for-each-ref"]), "")
    })
  )

  it.effect("refuses other writers, and commits that do not exist", () =>
    Effect.gen(function* () {
      const path = join(data, "repositories/owner/other.git")
      mkdirSync(path, { recursive: true })
      git(path, ["init", "--quiet", "--bare"])
      const oid = git(path, ["commit-tree", "-m", "a", git(path, ["mktree"])])
      const repository = yield* open(path)
      yield* repository.pullRefs.set(1, "head", oid)
      for (const write of [
        repository.createRef("refs/pull/1/head", oid),
        repository.updateRef("refs/pull/1/head", oid, oid),
        repository.deleteRef("refs/pull/1/head", oid)
      ]) {
        assert.deepInclude((yield* Effect.flip(write)).reason, { _tag: "InvalidName", name: "refs/pull/1/head" })
      }
      for (const [number, head] of [
        [0, oid],
        [1.5, oid],
        [1, "main"],
        [1, "1".repeat(40)]
      ] as const) {
        assert.strictEqual((yield* Effect.flip(repository.pullRefs.set(number, "head", head)))._tag, "GitError")
      }
      assert.strictEqual(git(path, ["for-each-ref"]), `${oid} commit\trefs/pull/1/head`)
    })
  )
})
