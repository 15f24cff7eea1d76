import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CatFile } from "./process/CatFile.ts"
import { commit, folder, git } from "./Fixture.test-support.ts"
import { Git } from "./process/Git.ts"
import { GitRepositories } from "./GitRepositories.ts"

const layers = GitRepositories.layerTemporary.pipe(Layer.provideMerge(CatFile.layer), Layer.provideMerge(Git.layer))

describe("quarantine", () => {
  it.effect("reads pushed objects beside those of the repository, and leaves nothing behind", () =>
    Effect.gen(function* () {
      // A name that an unquoted line of `objects/info/alternates` could not contain.
      const path = join(yield* folder, 'a "quoted"\n#\\name')
      mkdirSync(path)
      git(path, ["init", "--quiet", "--initial-branch=main"])
      const first = commit(path, { "a.txt": "one\n" }, "first")
      const objects = join(path, ".git/objects/tmp_objdir-incoming-test")
      mkdirSync(join(objects, "pack"), { recursive: true })
      const pushed = yield* folder
      git(pushed, ["clone", "--quiet", path, "."])
      const second = commit(pushed, { "b.txt": "two\n" }, "second")
      const pack = git(
        pushed,
        ["pack-objects", "--quiet", "--revs", join(objects, "pack/pack")],
        `${second}\n^${first}\n`
      )
      assert.match(pack, /^[0-9a-f]{40}$/)
      const before = readdirSync(objects, { recursive: true })

      const repositories = yield* GitRepositories
      const catFile = yield* CatFile
      const repository = yield* repositories.open(path)
      assert.isUndefined(yield* repository.commit(second))
      const dir = yield* Effect.scoped(
        Effect.gen(function* () {
          const view = yield* repositories.openView(repository, objects)
          assert.strictEqual((yield* view.commit(second))?.message, "second\n")
          assert.deepStrictEqual((yield* view.commit(second))?.parents, [first])
          assert.isTrue(yield* view.isAncestor(first, second))
          assert.strictEqual((yield* view.ref("refs/heads/main"))?.oid, first)
          assert.strictEqual(yield* view.head, "main")
          assert.lengthOf(yield* catFile.processes, 2)
          assert.include(readdirSync(dirname(view.gitDir)).join("\n"), `.new-${process.pid}.`)
          return view.gitDir
        })
      )
      assert.isFalse(existsSync(dir))
      assert.lengthOf(yield* catFile.processes, 1)
      assert.isUndefined(yield* repository.commit(second))
      assert.deepStrictEqual(readdirSync(objects, { recursive: true }), before)
    }).pipe(Effect.provide(layers))
  )
})
