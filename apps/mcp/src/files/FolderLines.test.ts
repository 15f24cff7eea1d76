import { assert, describe, it } from "@effect/vitest"
import type { Entry } from "./FileTree.ts"
import * as FolderLines from "./FolderLines.ts"

const file = (path: string): Entry => ({ path, kind: "file" })
const folder = (path: string): Entry => ({ path, kind: "folder" })

const entries: ReadonlyArray<Entry> = [
  file("a b.txt"),
  { path: "link", kind: "link" },
  { path: "module", kind: "submodule" },
  folder("src"),
  folder("src/deep"),
  folder("src/deep/er"),
  file("src/deep/er/x.ts"),
  file("src/deep/y.ts"),
  file("src/z.ts")
]

const tree = { id: "1", entries, unread: new Set<string>() }

const lines = (view: FolderLines.View, unread = tree.unread) =>
  FolderLines.print({ ...tree, unread }, view).map(({ text }) => text)

describe("FolderLines", () => {
  it("prints one line per folder", () => {
    assert.deepStrictEqual(lines({ folder: "", depth: Infinity }), [
      '/: "a b.txt" link@ module/(submodule)',
      "src/: z.ts",
      "src/deep/: y.ts",
      "src/deep/er/: x.ts"
    ])
  })

  it("keeps the path of a folder on one line", () => {
    const entries = [folder("a\nb"), file("a\nb/c")]
    const printed = FolderLines.print({ ...tree, entries }, { folder: "", depth: Infinity })
    assert.deepStrictEqual(
      printed.map(({ text }) => text),
      ['"a\\nb/": c']
    )
  })

  it("prints deeper folders with their number of files", () => {
    assert.deepStrictEqual(lines({ folder: "", depth: 1 }), ['/: "a b.txt" link@ module/(submodule) src/(3)'])
    assert.deepStrictEqual(lines({ folder: "src", depth: 2 }), ["src/: z.ts", "src/deep/: y.ts er/(1)"])
    assert.deepStrictEqual(FolderLines.print(tree, { folder: "src", depth: 1 }), [
      { text: "src/: z.ts deep/(2)", data: { folder: "src/", names: ["z.ts", { name: "deep/", files: "2" }] } }
    ])
  })

  it("marks folders that were not read", () => {
    assert.deepStrictEqual(lines({ folder: "src", depth: Infinity }, new Set(["src/deep/er"])).slice(1), [
      "src/deep/: y.ts er/(?)",
      "src/deep/er/: x.ts"
    ])
  })

  it("prints the entries that match, relative to the folder", () => {
    const filter = (path: string) => path.endsWith("er") || path.endsWith("y.ts")
    assert.deepStrictEqual(lines({ folder: "src", depth: Infinity, filter }), ["src/deep/: y.ts er/(1)"])
  })

  it("breaks lines with many names", () => {
    const many = { ...tree, entries: Array.from({ length: 90 }, (_, index) => file(`f${index}`)) }
    assert.deepStrictEqual(
      FolderLines.print(many, { folder: "", depth: 1 }).map(({ text }) => text.split(" ").length),
      [41, 41, 11]
    )
  })
})
