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
