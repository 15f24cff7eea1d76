import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, git, workTree } from "../Fixture.test-support.ts"
import { open, repositories } from "../GitRepository.test-support.ts"
import * as PairFacts from "./PairFacts.ts"

layer(repositories)("PairFacts", (it) => {
  it.effect("counts commits and changes, tries merge and rebase, and writes no object", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const start = git(path, ["rev-parse", "HEAD"])
      const base = commit(path, { "b.txt": "ours\n" }, "ours")
      git(path, ["checkout", "--quiet", "-f", "-b", "side", start])
      commit(path, { "a.txt": "two\nlines\n" }, "edit")
      git(path, ["mv", "a.txt", "renamed.txt"])
      const head = commit(path, {}, "rename")
      const clash = commit(path, { "b.txt": "theirs\n" }, "clash")
      // A merge whose resolution a rebase would lose.
      git(path, ["checkout", "--quiet", "-f", "side~1"])
      git(path, ["merge", "--quiet", "-s", "ours", "-m", "resolved", base])
      const resolved = commit(path, { "c.txt": "c\n" }, "after")
      const alone = git(path, ["commit-tree", "-m", "alone", git(path, ["mktree"])])
      const repository = yield* open(path)
      const { merges, numbers } = yield* PairFacts.make
      const factsOf = Effect.fnUntraced(function* (...pair: Parameters<typeof numbers>) {
        const found = yield* numbers(...pair)
        return { ...found, ...(yield* merges(...pair, found)) }
      })
      const objects = () => readdirSync(join(path, ".git/objects"), { recursive: true }).length
      const before = objects()

      assert.deepStrictEqual(yield* factsOf(repository, base, head), {
        mergeBase: start,
        ahead: 2,
        behind: 1,
        changedFiles: 2,
        additions: 2,
        deletions: 1,
        mergeable: true,
        conflicts: [],
        rebaseable: true
      })
      const conflict = yield* factsOf(repository, base, clash)
      assert.deepInclude(conflict, { ahead: 3, behind: 1, mergeable: false, rebaseable: false, conflicts: ["b.txt"] })
      assert.deepInclude(yield* factsOf(repository, base, resolved), { mergeable: true, rebaseable: false, behind: 0 })
      assert.deepInclude(yield* factsOf(repository, head, start), { changedFiles: 0, ahead: 0, behind: 2 })
      const one = yield* factsOf(repository, base, git(path, ["rev-parse", `${head}~1`]))
      assert.deepInclude(one, { ahead: 1, behind: 1, mergeable: true, rebaseable: true })
      assert.deepInclude(yield* factsOf(repository, base, alone), { mergeBase: undefined, mergeable: false, ahead: 1 })
      assert.strictEqual(objects(), before)
    })
  )
})
