import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { commit, git, workTree } from "../Fixture.test-support.ts"
import { Git } from "../process/Git.ts"
import { GitRepositories } from "../GitRepositories.ts"
import * as MergeTree from "./MergeTree.ts"

const open = (path: string) => Effect.flatMap(GitRepositories, (repositories) => repositories.open(path))

layer(Layer.merge(GitRepositories.layer, Git.layer))("MergeTree", (it) => {
  it.effect("merges as git does, and reports conflicts and unrelated histories", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const ours = commit(path, { "b.txt": "ours\n" }, "ours")
      git(path, ["checkout", "--quiet", "-f", "-b", "side", "main~1"])
      const theirs = commit(path, { "c/d.txt": "theirs\n" }, "theirs")
      const clash = commit(path, { "b.txt": "theirs\n" }, "clash")
      const alone = git(path, ["commit-tree", "-m", "alone", git(path, ["mktree"])])
      const repository = yield* open(path)
      const merge = (from: string) => MergeTree.mergeTree(repository, ours, from)
      git(path, ["checkout", "--quiet", "-f", "main"])
      git(path, ["merge", "--quiet", "--no-ff", "-m", "merge", theirs])
      const expected = git(path, ["rev-parse", "HEAD^{tree}"])
      assert.deepStrictEqual(yield* merge(theirs), { _tag: "Merged", tree: expected })
      assert.deepStrictEqual(yield* merge(clash), { _tag: "Conflict", paths: ["b.txt"] })
      const missing = yield* Effect.flip(merge("1".repeat(40)))
      assert.deepStrictEqual(missing.reason, { _tag: "ObjectMissing", oid: "1".repeat(40) })
      assert.deepStrictEqual(yield* merge(alone), { _tag: "Unrelated" })
    })
  )

  it.effect("runs no merge driver of the repository", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const proof = join(path, "driver-ran")
      git(path, ["config", "merge.evil.driver", `touch ${proof}; true`])
      writeFileSync(join(path, ".git/info/attributes"), "* merge=evil\n")
      const ours = commit(path, { ".gitattributes": "* merge=evil\n", "a.txt": "ours\n" }, "ours")
      git(path, ["checkout", "--quiet", "-f", "-b", "side", "main~1"])
      const theirs = commit(path, { ".gitattributes": "* merge=evil\n", "a.txt": "theirs\n" }, "theirs")
      const conflict: MergeTree.TreeMerge = { _tag: "Conflict", paths: ["a.txt"] }
      assert.deepStrictEqual(yield* MergeTree.mergeTree(yield* open(path), ours, theirs), conflict)
      assert.isFalse(existsSync(proof))
    })
  )

  it.effect("needs git 2.38", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(["2.36.0", "2.37.9", "2.38.0", "2.39.5 (Apple)", "3.0"].map(MergeTree.supports), [
        false,
        false,
        true,
        true,
        true
      ])
    })
  )
})
