import { assert, it } from "@effect/vitest"
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
