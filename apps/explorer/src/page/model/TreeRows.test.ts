import { assert, describe, it } from "@effect/vitest"
import * as PathText from "@tongs/core/text/PathText"
import type { FolderEntry } from "../../ExplorerApi.ts"
import * as TreeRows from "./TreeRows.ts"

const entry = (path: string, kind: FolderEntry["kind"] = "file"): FolderEntry => ({
  name: PathText.nameOf(path),
  path,
  kind,
  size: 1
})

const folder = (...entries: ReadonlyArray<FolderEntry>) => ({ entries, total: entries.length })

const folders: TreeRows.Folders = (path) =>
  path === ""
    ? folder(entry("src", "dir"), entry("Makefile"), entry("README.md"))
    : path === "src"
      ? folder(entry("src/deep", "dir"), entry("src/a.ts"))
      : path === "src/deep"
        ? "loading"
        : folder()

const names = (rows: ReadonlyArray<TreeRows.TreeRow>) =>
  rows.map((row) => (row._tag === "Entry" ? `${row.level} ${row.entry.path} ${row.position}/${row.size}` : row.state))

describe("TreeRows", () => {
  it("lists the entries of expanded folders, with their position in the folder", () => {
    assert.deepStrictEqual(names(TreeRows.make(folders, new Set())), ["1 src 1/3", "1 Makefile 2/3", "1 README.md 3/3"])
    // A folder below a collapsed one is not listed.
    assert.deepStrictEqual(TreeRows.make(folders, new Set(["src/deep"])).length, 3)
    assert.deepStrictEqual(names(TreeRows.make(folders, new Set(["src", "src/deep"]))), [
      "1 src 1/3",
      "2 src/deep 1/2",
      "loading",
      "2 src/a.ts 2/2",
      "1 Makefile 2/3",
      "1 README.md 3/3"
    ])
    assert.deepStrictEqual(names(TreeRows.make(() => folder(), new Set())), ["empty"])
  })

  it("says how many entries of a large folder have no rows", () => {
    const cut: TreeRows.Folders = (path) =>
      path === "" ? folder(entry("large", "dir"), entry("a.ts")) : { entries: [entry("large/b.ts")], total: 12_345 }
    const rows = TreeRows.make(cut, new Set(["large"]))
    assert.deepStrictEqual(names(rows), ["1 large 1/2", "2 large/b.ts 1/12345", "cut", "1 a.ts 2/2"])
    assert.deepInclude(rows[2], { path: "large", level: 2, hidden: 12_344 })
  })

  it("finds names by their start, around the end", () => {
    const rows = TreeRows.make(folders, new Set())
    assert.strictEqual(TreeRows.indexOfName(rows, "re", 0), 2)
    assert.strictEqual(TreeRows.indexOfName(rows, "s", 1), 0)
    assert.strictEqual(TreeRows.indexOfName(rows, "x", 0), -1)
  })

  it("lists the folders above a path", () => {
    assert.deepStrictEqual(TreeRows.ancestors("a/b/c.ts"), ["a", "a/b"])
    assert.deepStrictEqual(TreeRows.ancestors("c.ts"), [])
  })
})
