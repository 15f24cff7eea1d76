import { assert, describe, it } from "@effect/vitest"
import type { ChangedFile } from "../../ComparisonApi.ts"
import * as ChangedFileTree from "./ChangedFileTree.ts"

const file = (path: string): ChangedFile => ({
  path,
  previousPath: null,
  status: "modified",
  oid: null,
  mode: null,
  previousMode: null,
  additions: 1,
  deletions: 1,
  binary: false
})

const files = ["a.ts", "deep/er/b.ts", "deep/er/c.ts", "src/d.ts", "src/sub/e.ts"].map(file)

const names = (rows: ReadonlyArray<ChangedFileTree.TreeRow>) =>
  rows.map(({ depth, name }) => `${"-".repeat(depth)}${name}`)

describe("FileTree", () => {
  it("joins folders with a single folder in them", () => {
    assert.deepStrictEqual(names(ChangedFileTree.rows(files, new Set())), [
      "a.ts",
      "deep/er",
      "-b.ts",
      "-c.ts",
      "src",
      "-d.ts",
      "-sub",
      "--e.ts"
    ])
  })

  it("leaves out the content of closed folders, and keeps the index of each file", () => {
    const rows = ChangedFileTree.rows(files, new Set(["deep/er"]))
    assert.deepStrictEqual(names(rows), ["a.ts", "deep/er", "src", "-d.ts", "-sub", "--e.ts"])
    assert.deepStrictEqual(
      rows.flatMap((row) => (row._tag === "File" ? row.index : [])),
      [0, 3, 4]
    )
  })

  it("filters by words of the path", () => {
    assert.deepStrictEqual(names(ChangedFileTree.matching(files, "SRC e")), ["src/sub/e.ts"])
    assert.deepStrictEqual(ChangedFileTree.matching(files, "absent"), [])
  })
})
