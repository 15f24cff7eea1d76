import { createHash } from "node:crypto"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder, git } from "../../git/Fixture.test-support.ts"
import { CommitGraph } from "./CommitGraph.ts"

/** Creates a repository with branches, merges and dates that are equal or out of order. */
const makeHistory = (path: string) => {
  git(path, ["init", "-q", "--bare", "."])
  const lines: Array<string> = []
  for (let mark = 1; mark <= 60; mark++) {
    const date = 1_000_000 + ((mark * 37) % 50) * 1_000 + (mark % 3 === 0 ? 0 : mark * 400)
    lines.push("commit refs/heads/main", `mark :${mark}`, `committer T <t@example.org> ${date} +0000`, "data 1", "x")
    if (mark > 4) lines.push(`from :${mark - (mark % 4) - 1}`)
    if (mark > 10 && mark % 5 === 0) lines.push(`merge :${mark - 7}`)
    lines.push(`M 100644 inline f${mark}`, "data 1", "x", "")
  }
  git(path, ["fast-import", "--quiet"], lines.join("\n"))
}

const load = (path: string): CommitGraph => {
  const graph = new CommitGraph(20)
  const rows = git(path, ["rev-list", "--topo-order", "--reverse", "--timestamp", "--parents", "main"])
  for (const row of rows.split("\n")) {
    const [seconds, oid = "", ...parents] = row.split(" ")
    const numbers = parents.map((parent) => graph.find(Buffer.from(parent, "hex")) ?? -1)
    graph.add(Buffer.from(oid, "hex"), Number(seconds), numbers)
  }
  return graph
}

it.effect("walks in the order of git log", () =>
  Effect.gen(function* () {
    const path = yield* folder
    makeHistory(path)
    const graph = load(path)
    for (const tips of [["main"], ["main~2", "main~1"], ["main^", "main~3", "main"]]) {
      const oids = tips.map((tip) => git(path, ["rev-parse", "--verify", "--quiet", `${tip}^{commit}`]))
      const numbers = oids.map((oid) => graph.find(Buffer.from(oid, "hex")) ?? -1)
      const walked = Array.from(graph.walk(numbers), (commit) => graph.oidOf(commit))
      assert.deepStrictEqual(walked, git(path, ["rev-list", ...oids]).split("\n"))
    }
    assert.deepStrictEqual(graph.heads(), [git(path, ["rev-parse", "main"])])
  })
)

it("restores encoded commits, also of more than the initial size", () => {
  const graph = new CommitGraph(32)
  const oidOf = (commit: number) => createHash("sha256").update(String(commit)).digest()
  for (let commit = 0; commit < 5_000; commit++) {
    const parents = commit === 0 ? [] : commit % 9 === 0 ? [commit - 1, commit >> 1] : [commit - 1]
    assert.strictEqual(graph.add(oidOf(commit), commit * 2, parents), commit)
  }
  const restored = new CommitGraph(32)
  restored.addEncoded(graph.encode(0, 1_000))
  restored.addEncoded(graph.encode(1_000, 5_000))
  assert.strictEqual(restored.size, 5_000)
  for (const commit of [0, 1, 9, 999, 1_000, 4_995, 4_999]) {
    assert.strictEqual(restored.find(oidOf(commit)), commit)
    assert.deepStrictEqual(restored.parentsOf(commit), graph.parentsOf(commit))
    assert.strictEqual(restored.secondsOf(commit), commit * 2)
    assert.strictEqual(restored.isMerge(commit), graph.isMerge(commit))
  }
  assert.isUndefined(restored.find(oidOf(5_000)))
})
