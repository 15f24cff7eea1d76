import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, git, workTree } from "../Fixture.test-support.ts"
import { open, repositories } from "../GitRepository.test-support.ts"
import * as Revert from "./Revert.ts"

const person = { name: "Test", email: "test@example.org", seconds: 1_700_000_000, timezone: "+0100" }

layer(repositories)("Revert", (it) => {
  it.effect("undoes commits and merges as git does", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const lines = (first: string, last: string) => `${first}\n${"line\n".repeat(20)}${last}\n`
      commit(path, { "a.txt": lines("a", "z") }, "start")
      git(path, ["checkout", "--quiet", "-f", "-b", "side", "main"])
      const changed = commit(path, { "a.txt": lines("side", "z"), "new.txt": "new\n" }, "change\n\nwith a text")
      git(path, ["checkout", "--quiet", "-f", "main"])
      git(path, ["merge", "--quiet", "--no-ff", "-m", "merge side", "side"])
      const merged = git(path, ["rev-parse", "HEAD"])
      const onto = commit(path, { "a.txt": lines("side", "later") }, "later")
      const repository = yield* open(path)
      const revert = yield* Revert.make
      for (const [oid, ...options] of [[merged, "-m", "1"], [changed]] as const) {
        git(path, ["reset", "--quiet", "--hard", onto])
        git(path, ["revert", "--no-edit", ...options, oid])
        const reverted = yield* revert(repository, { onto, commits: [oid], person })
        assert(reverted._tag === "Reverted")
        const format = ["show", "--no-patch", "--format=%T%n%P%n%B%n%an %cn"]
        assert.strictEqual(git(path, [...format, reverted.oid]), git(path, [...format, "HEAD"]))
        assert.deepStrictEqual(yield* revert(repository, { onto: reverted.oid, commits: [oid], person }), {
          _tag: "Nothing"
        })
      }
      git(path, ["reset", "--quiet", "--hard", onto])
      const clash = commit(path, { "a.txt": lines("clash", "later") }, "clash")
      assert.strictEqual((yield* revert(repository, { onto: clash, commits: [merged], person }))._tag, "Conflict")
    })
  )
})
