import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, git as runGit, workTree } from "../Fixture.test-support.ts"
import { Git } from "../process/Git.ts"
import * as FileHistory from "./FileHistory.ts"

it("reads the path of a file in each commit", () => {
  const log = [
    ["c".repeat(40), "Ann", "180", "Change it", "\nM", "b.txt"],
    ["b".repeat(40), "Ann", "120", "Rename it", "\nR100", "a.txt", "b.txt"],
    ["a".repeat(40), "Cy", "60", "", "\nA", "a.txt"]
  ]
  assert.deepStrictEqual(FileHistory.parse(`${log.flat().join("\0")}\0`), [
    { oid: "c".repeat(40), author: "Ann", seconds: 180, summary: "Change it", path: "b.txt" },
    { oid: "b".repeat(40), author: "Ann", seconds: 120, summary: "Rename it", path: "b.txt" },
    { oid: "a".repeat(40), author: "Cy", seconds: 60, summary: "", path: "a.txt" }
  ])
  assert.deepStrictEqual(FileHistory.parse(""), [])
})

it("reads the path of a file in each commit of a history of lines", () => {
  const commit = (oid: string, summary: string, patch: string) =>
    `\0${oid.repeat(40)}\0Ann\x0060\0${summary}\0\n${patch}`
  const patch = (before: string, after: string) =>
    `\ndiff --git ${before} ${after}\n--- ${before}\n+++ ${after}\n@@ -1 +1 @@\n-one\n--- a/no header\n+two\n`
  const log = [
    commit("d", "Change it", patch("a/new name.ts\t", "b/new name.ts\t")),
    commit("c", "Rename it", patch('"a/\\303\\244.ts"', "b/new name.ts\t")),
    commit("b", "A merge", ""),
    commit("a", "", patch("/dev/null", '"b/\\303\\244.ts"'))
  ]
  const change = { author: "Ann", seconds: 60 }
  assert.deepStrictEqual(FileHistory.parseLines(log.join(""), "new name.ts"), [
    { ...change, oid: "d".repeat(40), summary: "Change it", path: "new name.ts" },
    { ...change, oid: "c".repeat(40), summary: "Rename it", path: "new name.ts" },
    { ...change, oid: "b".repeat(40), summary: "A merge", path: "ä.ts" },
    { ...change, oid: "a".repeat(40), summary: "", path: "ä.ts" }
  ])
  assert.deepStrictEqual(FileHistory.parseLines("", "a.ts"), [])
})

it.live("says that the history of lines is incomplete when git prints too much or takes too long", () =>
  Effect.gen(function* () {
    const repository = yield* workTree
    for (let at = 0; at < 5; at++) commit(repository, { "b.txt": `line ${at} ${"x".repeat(2_000)}\n` }, `change ${at}`)
    const file = { gitDir: `${repository}/.git`, commit: runGit(repository, ["rev-parse", "HEAD"]), path: "b.txt" }
    const read = (limits?: FileHistory.LineLimits) =>
      Effect.flatMap(Git, (git) => FileHistory.ofLines(git, limits)({ ...file, from: 1, to: 1 }, 0, 100))
    const all = yield* read()
    assert.strictEqual(all.changes.length, 5)
    assert.isFalse(all.isIncomplete)
    const short = yield* read({ deadline: "10 seconds", maxBytes: 10 })
    assert.isTrue(short.isIncomplete)
    assert.strictEqual(short.changes[0]?.summary, "change 4")
    const late = yield* Effect.flip(read({ deadline: 0, maxBytes: 1e6 }))
    assert.strictEqual(late.reason._tag, "TimedOut")
  }).pipe(Effect.provide(Git.layer))
)
