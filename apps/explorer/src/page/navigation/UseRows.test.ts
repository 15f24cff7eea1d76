import { assert, describe, it } from "@effect/vitest"
import { definition, reference } from "./Navigation.test-support.ts"
import * as UseRows from "./UseRows.ts"

const repository = { owner: reference("a.ts", 1).owner, repo: reference("a.ts", 1).repo }
const all = { filter: "", collapsed: new Set<string>(), repository }
const uses = [reference("b.ts", 3), reference("a.ts", 1), reference("b.ts", 9)]

const names = (rows: ReadonlyArray<UseRows.UseRow>) =>
  rows.map((row) => {
    switch (row._tag) {
      case "Heading":
        return row.title
      case "Definition":
        return `${row.definition.path}:${row.definition.line}`
      case "File":
        return `${row.repository === undefined ? "" : `${row.repository} `}${row.path} (${row.count})`
      case "Use":
        return row.reference.line
    }
  })

describe("UseRows", () => {
  it("lists definitions, then uses by file", () => {
    const rows = UseRows.make([definition({ path: "c.ts", line: 2 })], uses, all)
    assert.deepStrictEqual(names(rows), ["Definition", "c.ts:2", "Uses", "b.ts (2)", 3, 9, "a.ts (1)", 1])
    assert.strictEqual(new Set(rows.map(({ key }) => key)).size, rows.length)
    assert.deepStrictEqual(UseRows.make([], [], all), [])
  })

  it("filters by path and hides collapsed files", () => {
    assert.deepStrictEqual(names(UseRows.make([definition()], uses, { ...all, filter: " A.T" })), [
      "Uses",
      "a.ts (1)",
      1
    ])
    const collapsed = new Set([UseRows.fileOf(reference("b.ts", 3))])
    assert.deepStrictEqual(names(UseRows.make([], uses, { ...all, collapsed })), ["Uses", "b.ts (2)", "a.ts (1)", 1])
  })

  it("separates equal paths of other repositories", () => {
    const other = { ...reference("b.ts", 3), repo: "client", package: "@acme/lamp" }
    const rows = UseRows.make([], [reference("b.ts", 3), other], all)
    assert.deepStrictEqual(names(rows), ["Uses", "b.ts (1)", 3, `${repository.owner}/client b.ts (1)`, 3])
    assert.strictEqual(new Set(rows.map(({ key }) => key)).size, rows.length)
    assert.strictEqual(UseRows.next(rows, { ...repository, path: "b.ts", line: 3 }, 1)?.repo, "client")
  })

  it("steps through files, with wraparound", () => {
    const rows = UseRows.make([definition()], uses, all)
    const step = (path: string, line: number, by: 1 | -1) => {
      const use = UseRows.next(rows, { ...repository, path, line }, by)
      return use === undefined ? undefined : `${use.path}:${use.line}`
    }
    assert.strictEqual(step("b.ts", 3, 1), "b.ts:9")
    assert.strictEqual(step("b.ts", 9, 1), "a.ts:1")
    assert.strictEqual(step("a.ts", 1, 1), "b.ts:3")
    assert.strictEqual(step("b.ts", 3, -1), "a.ts:1")
    assert.strictEqual(step("b.ts", 5, -1), "b.ts:3")
    assert.strictEqual(step("elsewhere.ts", 5, 1), "b.ts:3")
    assert.strictEqual(step("elsewhere.ts", 5, -1), "a.ts:1")
    assert.isUndefined(UseRows.next([], { ...repository, path: "a.ts", line: 1 }, 1))
  })

  it("shows the first match of a long line", () => {
    assert.deepStrictEqual(UseRows.excerpt(reference("a.ts", 1), 20), {
      text: "use(hit)",
      matches: [[4, 7]],
      isCut: false
    })
    const text = `\t${"x".repeat(300)}hit${"y".repeat(900)}hit`
    const { isCut, matches, text: shown } = UseRows.excerpt(reference("a.ts", 1, { text, matches: someMatches }), 60)
    assert.isTrue(isCut)
    assert.deepStrictEqual(matches, [[60, 63]])
    assert.strictEqual(shown.slice(60, 63), "hit")
    assert.isAtMost(shown.length, 400)
  })
})

const someMatches = [
  [301, 304],
  [1204, 1207]
] as const // pairs
