import { assert, it } from "@effect/vitest"
import * as Blame from "./Blame.ts"

it("parses the porcelain format and groups consecutive lines by commit", () => {
  const [a, b] = ["a".repeat(40), "b".repeat(40)]
  const facts = (name: string, time: number) =>
    `author ${name}\nauthor-mail <x@y>\nauthor-time ${time}\nauthor-tz +0000\nsummary Did ${name}\nfilename f`
  const porcelain = `${a} 1 1 2\n${facts("Ann B", 0)}\n\t${b} 1 1\n${a} 2 2\n\tauthor Nobody\n${b} 3 3 1\n${facts("Cy", 60)}\n\tx\n${a} 4 4 1\n\ty\n`
  const shared = { path: "f", previous: undefined }
  const ann = { oid: a, author: "Ann B", seconds: 0, summary: "Did Ann B", ...shared }
  assert.deepStrictEqual(Blame.parse(porcelain), [
    { from: 1, to: 2, line: 1, ...ann },
    { from: 3, to: 3, line: 3, oid: b, author: "Cy", seconds: 60, summary: "Did Cy", ...shared },
    { from: 4, to: 4, line: 4, ...ann }
  ])
  assert.deepStrictEqual(Blame.parse(""), [])
})

it("gives 0 for dates out of range, as git does", () => {
  const porcelain = `${"a".repeat(40)} 1 1 1\nauthor A\nauthor-time 99999999999999999\nsummary x\nfilename f\n\tx\n`
  assert.strictEqual(Blame.parse(porcelain)[0]?.seconds, 0)
})

it("gives the path and the previous version of a line, also after a rename", () => {
  const [a, b] = ["a".repeat(40), "b".repeat(40)]
  const porcelain = `${a} 7 1 1\nauthor A\nsummary x\nprevious ${b} "old\\tname"\nfilename new\n\tx\n${a} 9 2 1\nfilename other\n\ty\n`
  const previous = { oid: b, path: "old\tname" }
  const common = { oid: a, author: "A", seconds: 0, summary: "x", previous }
  assert.deepStrictEqual(Blame.parse(porcelain), [
    { ...common, from: 1, to: 1, line: 7, path: "new" },
    { ...common, from: 2, to: 2, line: 9, path: "other" }
  ])
})
