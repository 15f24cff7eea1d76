import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, git, workTree } from "../Fixture.test-support.ts"
import { locate } from "../values/RepositoryLocation.ts"
import * as HeadFiles from "./HeadFiles.ts"

const read = (path: string) => {
  const location = locate(path)
  return location === undefined ? undefined : HeadFiles.read(location, 40)
}

describe("HeadFiles", () => {
  it.effect("finds the default branch in a reference file and in packed-refs, as git does", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      git(path, ["branch", "other/main"])
      git(path, ["tag", "-a", "-m", "tag", "heads-main"])
      const first = git(path, ["rev-parse", "HEAD"])
      assert.strictEqual(read(path)?.oid, first)
      git(path, ["pack-refs", "--all", "--prune"])
      const packed = read(path)
      assert.strictEqual(packed?.oid, first)
      const second = commit(path, { "b.txt": "two\n" }, "second")
      assert.strictEqual(packed?.isUnchanged(), false)
      assert.strictEqual(read(path)?.oid, second)
      git(path, ["symbolic-ref", "HEAD", "refs/heads/other/main"])
      assert.strictEqual(read(path)?.oid, first)
      // A linked work tree has a HEAD of its own.
      git(path, ["worktree", "add", "--quiet", "linked", "main"])
      assert.strictEqual(read(join(path, "linked"))?.oid, second)
    })
  )

  it.effect("gives nothing if git must decide", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const branch = join(path, ".git/refs/heads/main")
      git(path, ["symbolic-ref", "refs/heads/alias", "refs/heads/main"])
      git(path, ["symbolic-ref", "HEAD", "refs/heads/alias"])
      assert.isUndefined(read(path))
      git(path, ["symbolic-ref", "HEAD", "refs/heads/missing"])
      assert.isUndefined(read(path))
      git(path, ["symbolic-ref", "HEAD", "refs/heads/main"])
      assert.isDefined(read(path))
      git(path, ["checkout", "--quiet", "--detach"])
      assert.isUndefined(read(path))
      git(path, ["checkout", "--quiet", "main"])
      git(path, ["pack-refs", "--all", "--no-prune"])
      // A broken file hides the packed reference.
      writeFileSync(branch, "broken\n")
      assert.isUndefined(read(path))
      rmSync(branch)
      assert.isDefined(read(path))
    })
  )
})
