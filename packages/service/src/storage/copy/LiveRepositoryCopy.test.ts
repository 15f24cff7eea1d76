import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { firstCommit, folder, git } from "../../git/Fixture.test-support.ts"
import * as FileCopy from "./FileCopy.ts"
import * as LiveRepositoryCopy from "./LiveRepositoryCopy.ts"

/** A repository with one commit. */
const repository = Effect.map(folder, (root) => {
  const path = join(root, "source")
  git(root, ["init", "--quiet", "--initial-branch=main", path])
  firstCommit(path, { "a.txt": "one\n" })
  return { root, gitDir: join(path, ".git"), target: join(root, "target") }
})

const copy = (gitDir: string, target: string, previous?: string) => {
  const files = FileCopy.make(gitDir, target, previous)
  return Effect.map(
    Effect.promise(() => LiveRepositoryCopy.run(files, "")),
    (isCopied) => ({ isCopied, ...files.counts })
  )
}

describe("LiveRepositoryCopy", () => {
  it.effect("copies references of any name, also if all are packed", () =>
    Effect.gen(function* () {
      const { gitDir, root, target } = yield* repository
      const names = ["index", "objects", "refs", "tmp_branch", "info/x", "worktrees"]
      for (const name of names) git(gitDir, ["update-ref", `refs/heads/${name}`, "refs/heads/main"])
      yield* copy(gitDir, target)
      assert.strictEqual(git(target, ["for-each-ref"]), git(gitDir, ["for-each-ref"]))
      git(gitDir, ["pack-refs", "--all", "--prune"])
      const packed = join(root, "packed")
      yield* copy(gitDir, packed)
      assert.strictEqual(git(packed, ["for-each-ref"]), git(gitDir, ["for-each-ref"]))
      assert.strictEqual(git(packed, ["fsck", "--strict"]), "")
    })
  )

  it.effect("leaves out files of programs that are writing, and the work tree's", () =>
    Effect.gen(function* () {
      const { gitDir, target } = yield* repository
      mkdirSync(join(gitDir, "objects", "tmp_objdir-incoming-x"))
      const partial = [
        "objects/tmp_objdir-incoming-x/y",
        "objects/pack/tmp_pack_x",
        "refs/heads/main.lock",
        "HEAD.lock"
      ]
      mkdirSync(join(gitDir, "objects", "pack"), { recursive: true })
      for (const name of partial) writeFileSync(join(gitDir, name), "partial")
      yield* copy(gitDir, target)
      for (const name of [...partial, "index"]) assert.isFalse(existsSync(join(target, name)), name)
    })
  )

  it.effect("copies the objects of a repack that replaces files during the copy", () =>
    Effect.gen(function* () {
      const { gitDir, target } = yield* repository
      const files = FileCopy.make(gitDir, target, undefined)
      let isRepacked = false
      const racing: FileCopy.FileCopy = {
        ...files,
        file: (path) => {
          if (path.startsWith("objects/") && !isRepacked) {
            isRepacked = true
            git(gitDir, ["repack", "-a", "-d", "-q"])
          }
          return files.file(path)
        }
      }
      yield* Effect.promise(() => LiveRepositoryCopy.run(racing, ""))
      assert.isTrue(isRepacked)
      assert.strictEqual(git(target, ["fsck", "--strict"]), "")
    })
  )

  it.effect("copies the objects of a reference that moves during the copy", () =>
    Effect.gen(function* () {
      const { gitDir, target } = yield* repository
      const files = FileCopy.make(gitDir, target, undefined)
      const move = (path: string) => {
        if (path !== "refs") return
        const tree = git(gitDir, ["rev-parse", "main^{tree}"])
        const next = git(gitDir, ["commit-tree", "-p", "main", "-m", "next", tree])
        git(gitDir, ["update-ref", "refs/heads/main", next])
      }
      const racing: FileCopy.FileCopy = {
        ...files,
        folder: (path, includes) => {
          move(path)
          return files.folder(path, includes)
        }
      }
      yield* Effect.promise(() => LiveRepositoryCopy.run(racing, ""))
      assert.strictEqual(git(target, ["fsck", "--strict"]), "")
      assert.strictEqual(git(target, ["rev-list", "--count", "main"]), "2")
    })
  )

  it.effect("comes to an end while each listing finds new objects", () =>
    Effect.gen(function* () {
      const { gitDir, target } = yield* repository
      const files = FileCopy.make(gitDir, target, undefined)
      let lists = 0
      const racing: FileCopy.FileCopy = {
        ...files,
        list: (path, includes) => {
          git(gitDir, ["hash-object", "-w", "--stdin"], `object ${(lists += 1)}\n`)
          return files.list(path, includes)
        }
      }
      assert.isTrue(yield* Effect.promise(() => LiveRepositoryCopy.run(racing, "")))
      assert.strictEqual(lists, 2)
      assert.strictEqual(git(target, ["fsck", "--strict", "--no-dangling"]), "")
    })
  )

  it.effect("has no reference whose objects git prunes during the copy", () =>
    Effect.gen(function* () {
      const { gitDir, target } = yield* repository
      const tree = git(gitDir, ["mktree"], "")
      git(gitDir, ["update-ref", "refs/heads/topic", git(gitDir, ["commit-tree", "-m", "topic", tree])])
      const files = FileCopy.make(gitDir, target, undefined)
      let isPruned = false
      const racing: FileCopy.FileCopy = {
        ...files,
        folder: async (path, includes) => {
          await files.folder(path, includes)
          if (path !== "refs" || isPruned) return
          isPruned = true
          git(gitDir, ["update-ref", "-d", "refs/heads/topic"])
          git(gitDir, ["prune", "--expire=now"])
        }
      }
      yield* Effect.promise(() => LiveRepositoryCopy.run(racing, ""))
      assert.isTrue(isPruned)
      assert.strictEqual(git(target, ["for-each-ref", "--format=%(refname)"]), "refs/heads/main")
      assert.strictEqual(git(target, ["fsck", "--strict", "--no-dangling"]), "")
    })
  )

  it.effect("has no commit graph that names commits which the copy lacks", () =>
    Effect.gen(function* () {
      const { gitDir, target } = yield* repository
      git(gitDir, ["commit-graph", "write", "--reachable"])
      git(gitDir, ["repack", "-a", "-d", "-q", "--write-midx"])
      yield* copy(gitDir, target)
      assert.isFalse(existsSync(join(target, "objects/info/commit-graph")))
      assert.isFalse(existsSync(join(target, "objects/pack/multi-pack-index")))
      assert.strictEqual(git(target, ["fsck", "--strict"]), "")
    })
  )

  it.effect("fails for links to objects and references, and leaves out linked hooks", () =>
    Effect.gen(function* () {
      const { gitDir, root, target } = yield* repository
      mkdirSync(join(gitDir, "hooks"), { recursive: true })
      symlinkSync("../../check.sh", join(gitDir, "hooks/check"))
      assert.isTrue((yield* copy(gitDir, target)).isCopied)
      assert.isFalse(existsSync(join(target, "hooks")))
      for (const name of ["HEAD", "objects", "objects/pack", "refs"]) {
        const [path, moved] = [join(gitDir, name), join(root, "moved")]
        renameSync(path, moved)
        symlinkSync(moved, path)
        const files = FileCopy.make(gitDir, join(root, `copy-${name}`), undefined)
        const error = yield* Effect.flip(Effect.tryPromise(() => LiveRepositoryCopy.run(files, "")))
        assert.include(String(error.cause), `${path} is a symbolic link`)
        unlinkSync(path)
        renameSync(moved, path)
      }
    })
  )

  it.effect("links the objects of an earlier copy, but no references", () =>
    Effect.gen(function* () {
      const { gitDir, root, target } = yield* repository
      const first = yield* copy(gitDir, target)
      assert.deepInclude(first, { isCopied: true, linked: 0 })
      const second = yield* copy(gitDir, join(root, "second"), target)
      assert.strictEqual(second.linked, 3)
      assert.strictEqual(statSync(join(root, "second", "HEAD")).nlink, 1)
      assert.isFalse((yield* copy(join(root, "none"), join(root, "third"))).isCopied)
    })
  )
})
