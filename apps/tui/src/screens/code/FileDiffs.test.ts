import { assert, describe, it } from "@effect/vitest"
import type { FileChange } from "@tongs/core/contract/groups/Commits"
import * as StyledLine from "../../text/StyledLine.ts"
import * as FileDiffs from "./FileDiffs.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

const at = { owner: "octo", repo: "hello" }

const change = (filename: string, patch?: string, rest: Partial<FileChange> = {}): FileChange => ({
  sha: null,
  filename,
  status: "modified",
  additions: 1,
  deletions: 1,
  changes: 2,
  blob_url: null,
  raw_url: null,
  contents_url: "",
  ...(patch === undefined ? {} : { patch }),
  ...rest
})

const diffs = (files: ReadonlyArray<FileChange>, rest: Partial<FileDiffs.FileDiffs> = {}): FileDiffs.FileDiffs => ({
  files,
  head: { ...at, ref: "new" },
  base: { ...at, ref: "old" },
  fileRoute: (path) => RevisionArguments.commit(at, "new", path),
  highlighterOf: () => undefined,
  ...rest
})

const layoutOf = (files: ReadonlyArray<FileChange>, columns = 80, path?: string) =>
  FileDiffs.layout(diffs(files), [{ line: StyledLine.line("head") }], columns, path)

const lines = (layout: ReturnType<typeof layoutOf>) =>
  Array.from({ length: layout.length }, (_, index) => {
    const { gutter = [], line } = layout.lineAt(index, 0)
    return StyledLine.text([...gutter, ...line]).trimEnd()
  })

const PATCH = "@@ -3,3 +3,3 @@ function a() {\n one\n-two\n+zwei\n three\n"

describe("FileDiffs", () => {
  it("lists the files, and then their diffs", () => {
    const layout = layoutOf([change("src/a.ts", PATCH), change("src/b.ts", PATCH, { status: "added" })])
    assert.deepStrictEqual(
      lines(layout).map((line) => line.replace(/ ─+$/, "")),
      [
        "head",
        "",
        "M src/a.ts  +1 -1  +-",
        "A src/b.ts  +1 -1  +-",
        "",
        "M src/a.ts  +1 -1",
        "      @@ -3,3 +3,3 @@ function a() {",
        " 3  3  one",
        " 4    -two",
        "    4 +zwei",
        " 5  5  three",
        "",
        "A src/b.ts  +1 -1",
        "      @@ -3,3 +3,3 @@ function a() {",
        " 3  3  one",
        " 4    -two",
        "    4 +zwei",
        " 5  5  three"
      ]
    )
    assert.deepStrictEqual(
      layout.sections.map(({ firstLine, title }) => [firstLine, title]),
      [
        [5, "src/a.ts"],
        [12, "src/b.ts"]
      ]
    )
    assert.strictEqual(layout.textAt?.(8), "two")
    assert.strictEqual(layout.textAt?.(5), "src/a.ts")
  })

  it("opens the line of the file, and a removed line before the change", () => {
    const layout = layoutOf([change("b.ts", PATCH, { previous_filename: "a.ts", status: "renamed" })])
    const routeOf = (text: string) =>
      layout.lineAt(
        lines(layout).findIndex((line) => line.includes(text)),
        0
      ).route
    assert.deepStrictEqual(routeOf("+zwei"), RevisionArguments.content({ ...at, ref: "new" }, "b.ts", { line: 4 }))
    assert.deepStrictEqual(routeOf("-two"), RevisionArguments.content({ ...at, ref: "old" }, "a.ts", { line: 4 }))
    assert.deepStrictEqual(routeOf("@@"), RevisionArguments.content({ ...at, ref: "new" }, "b.ts", { line: 3 }))
    assert.deepStrictEqual(routeOf("a.ts → b.ts"), RevisionArguments.content({ ...at, ref: "new" }, "b.ts"))
  })

  it("knows the names of a line: of the old revision if the line was removed, otherwise of the new one", () => {
    const file = change("b.ts", PATCH, { previous_filename: "a.ts", status: "renamed" })
    const layout = layoutOf([file])
    const namesOf = (text: string) =>
      layout.lineAt(
        lines(layout).findIndex((line) => line.includes(text)),
        0
      ).names
    const added = namesOf("+zwei")
    assert.deepStrictEqual(added?.text, { ...at, path: "b.ts", ref: "new" })
    assert.strictEqual(added?.line, 4)
    assert.deepStrictEqual(added?.names(), [{ text: "zwei", start: 0, end: 4 }])
    assert.deepStrictEqual(namesOf(" three")?.text, { ...at, path: "b.ts", ref: "new" })
    assert.deepStrictEqual(namesOf("-two")?.text, { ...at, path: "a.ts", ref: "old" })
    assert.strictEqual(namesOf("-two")?.line, 4)
    for (const text of ["@@", "a.ts → b.ts"]) assert.isUndefined(namesOf(text))
    const [name] = added?.names() ?? []
    assert.deepStrictEqual(name && added?.lineWith(name), [{ text: "zwei", role: "added", background: "name" }])
  })

  it("looks up the names of uncommitted lines in the snapshot, and shows them in the work tree", () => {
    const layout = FileDiffs.layout(diffs([change("a.ts", PATCH)], { head: at, snapshot: "snap" }), [], 80)
    const { shown, text } = layout.lineAt(5, 0).names ?? {}
    assert.deepStrictEqual(text, { ...at, path: "a.ts", ref: "snap" })
    assert.deepStrictEqual(shown, { ...at, ref: undefined })
  })

  it("knows no names of lines before the first commit, and of prose", () => {
    const files = [change("gone.ts", "@@ -1 +0,0 @@\n-one\n", { status: "removed" })]
    assert.isUndefined(FileDiffs.layout(diffs(files, { base: undefined }), [], 80).lineAt(3, 0).names)
    assert.deepStrictEqual(
      layoutOf([change("a.md", PATCH)])
        .lineAt(4, 0)
        .names?.names(),
      []
    )
  })

  it("opens a removed file before the change, and nothing if there was no commit before", () => {
    const files = [change("gone.ts", "@@ -1 +0,0 @@\n-one\n", { status: "removed" })]
    const line = (base: RevisionArguments.Revision | undefined) =>
      FileDiffs.layout(diffs(files, { base }), [], 80).lineAt(3, 0).route
    assert.deepStrictEqual(
      line({ ...at, ref: "old" }),
      RevisionArguments.content({ ...at, ref: "old" }, "gone.ts", { line: 1 })
    )
    assert.isUndefined(line(undefined))
  })

  it("copies the text of a line, and the path of a file", () => {
    const layout = layoutOf([change("src/a.ts", PATCH)])
    assert.deepStrictEqual(
      [2, 5, 6].map((line) => layout.lineAt(line, 0).copy),
      ["src/a.ts", "two", "zwei"]
    )
  })

  it("says why there is no diff", () => {
    const reasons = [
      change("a", undefined, { status: "renamed", previous_filename: "b", additions: 0, deletions: 0, changes: 0 }),
      change("c.png", undefined, { additions: 0, deletions: 0, changes: 0 }),
      change("d.json", undefined, { additions: 50_000, deletions: 0, changes: 50_000 })
    ].map((file) => lines(layoutOf([file])).at(-1))
    assert.deepStrictEqual(reasons, [
      "Renamed without changes",
      "No text changed: a binary file, an empty file, or another mode",
      "No diff of 50,000 lines: it is too large for the API"
    ])
  })

  it("starts at a file, and shortens long paths at their start", () => {
    const long = `${"folder/".repeat(30)}end.ts`
    const layout = layoutOf([change("a.ts", PATCH), change(long, PATCH)], 60, long)
    assert.strictEqual(layout.initialLine, layout.sections[1]?.firstLine)
    const label = StyledLine.text(layout.sections[1]?.labelAt?.(24) ?? [])
    assert.strictEqual(label, "M …r/folder/end.ts +1 -1")
    for (const line of lines(layout)) assert.isAtMost(line.length, 61)
  })

  it("formats only the lines that are read", () => {
    const text = `@@ -0,0 +1,100000 @@\n${"+line\n".repeat(100_000)}`
    const reads = { count: 0 }
    const files = Array.from({ length: 251 }, (_, index) => ({
      ...change(`file${index}.ts`),
      get patch() {
        reads.count++
        return index === 250 ? text : PATCH
      }
    }))
    const layout = layoutOf(files)
    const counted = reads.count
    assert.strictEqual(layout.sections.length, 251)
    assert.strictEqual(StyledLine.text(layout.lineAt(layout.length - 1, 0).line), "line")
    assert.isAtMost(reads.count - counted, 2)
  })

  it("escapes control characters in names and lines", () => {
    const evil = "\u001b[31mred\u0007\u202e"
    const layout = layoutOf([change(evil, `@@ -1 +1 @@ ${evil}\n-${evil}\n+${evil}x\n`), change("b", `+${evil}`)])
    const shown = [...lines(layout), ...layout.sections.map(({ label }) => StyledLine.text(label))].join("\n")
    for (const character of ["\u001b", "\u0007", "\u202e"]) assert.notInclude(shown, character)
  })
})
