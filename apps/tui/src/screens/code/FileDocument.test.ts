import { assert, describe, it } from "@effect/vitest"
import { Sha, Timestamp } from "@tongs/core/contract/Scalars"
import * as StyledLine from "../../text/StyledLine.ts"
import * as FileDocument from "./FileDocument.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

const at = { owner: "octo", repo: "hello", ref: "main" }
const sha = Sha.make("a".repeat(40))

const entry = {
  type: "file",
  size: 0,
  name: "a.ts",
  path: "src/a.ts",
  sha,
  url: "",
  git_url: null,
  html_url: null,
  download_url: null,
  _links: { self: "", git: null, html: null }
} as const // literal types

const now = Date.parse("2026-01-10T00:00:00Z")
const range = (from: number, to: number, author = "Mona Lisa") => ({
  from,
  to,
  commit: sha,
  author,
  date: Timestamp.make("2026-01-02T00:00:00Z"),
  summary: "Change"
})

const shown = (file: Partial<FileDocument.File>, columns = 120, start: FileDocument.Start = {}) => {
  const document = FileDocument.make({ entry, content: "one\n\ttwo\nthree\n", ...file }, at, { start })
  const layout = document.layout(columns)
  const lines = Array.from({ length: layout.length }, (_, index) => {
    const { gutter = [], line } = layout.lineAt(index, now)
    return StyledLine.text([...gutter, ...line])
  })
  const margins = (width: number) =>
    Array.from({ length: layout.length }, (_, index) =>
      StyledLine.text(StyledLine.fit(layout.lineAt(index, now).margin?.(width) ?? [], width)).trimEnd()
    )
  return { document, layout, lines, margins }
}

describe("FileDocument", () => {
  it("numbers the lines, and copies them without changes", () => {
    const { layout, lines } = shown({})
    assert.deepStrictEqual(lines, ["1 one", "2     two", "3 three"])
    assert.strictEqual(layout.lineAt(1, 0).copy, "\ttwo")
    assert.strictEqual(layout.textAt?.(1), "\ttwo")
  })

  it("has the commit, author and age of each range in the margin, and opens the commit at the file", () => {
    const { document, layout, lines, margins } = shown({ blame: [range(2, 2), range(1, 1, "Evil \u001b[2J")] })
    const [first, second, third] = margins(document.marginColumns ?? 0)
    assert.match(first ?? "", /^aaaaaaa Evil ␛\[2J +8d$/)
    assert.match(second ?? "", /^aaaaaaa Mona Lisa +8d$/)
    assert.strictEqual(third, "")
    assert.deepStrictEqual(margins(14)[1], "aaaaaaa     8d")
    assert.strictEqual(lines[0], "1 one")
    assert.deepStrictEqual(layout.lineAt(1, 0).route, RevisionArguments.commit(at, sha, "src/a.ts"))
    assert.isUndefined(layout.lineAt(2, 0).route)
  })

  it("says that lines are uncommitted, or that their last commits are not read yet", () => {
    const { margins } = shown({ blame: [range(1, 2)], snapshot: sha, isBlameIncomplete: true })
    assert.deepStrictEqual(margins(25), ["uncommitted", "", "not read yet"])
    assert.isUndefined(shown({}).document.marginColumns)
  })

  it("knows the names of each line, of a file in a repository that is no prose", () => {
    const { layout } = shown({ revision: at }, 80, { line: 2, column: 1 })
    const names = layout.lineAt(1, 0).names
    assert.deepStrictEqual(names?.names(), [{ text: "two", start: 1, end: 4 }])
    assert.strictEqual(names?.line, 2)
    assert.strictEqual(names?.initialColumn, 1)
    assert.isUndefined(layout.lineAt(0, 0).names?.initialColumn)
    assert.isUndefined(shown({}).layout.lineAt(1, 0).names)
    const prose = shown({ revision: at, entry: { ...entry, path: "README.md" } })
    assert.deepStrictEqual(prose.layout.lineAt(0, 0).names?.names(), [])
  })

  it("starts at a line, or at a text", () => {
    assert.strictEqual(shown({}, 80, { line: 2 }).layout.initialLine, 1)
    assert.strictEqual(shown({}, 80, { line: 99 }).layout.initialLine, 2)
    assert.strictEqual(shown({}, 80, { find: "three  " }).layout.initialLine, 2)
    assert.strictEqual(shown({}, 80, { find: "nowhere" }).layout.initialLine, 0)
  })

  it("lists the names that the file defines", () => {
    const { layout } = shown({
      symbols: [
        { name: "A", kind: "class", line: 1 },
        { name: "b\u0007", kind: "method", line: 2, scope: "A" },
        { name: "outside", kind: "function", line: 900 }
      ]
    })
    assert.deepStrictEqual(
      layout.sections.map(({ firstLine, label }) => [firstLine, StyledLine.text(label)]),
      [
        [0, "A  class"],
        [1, "  b␇  method"]
      ]
    )
  })
})
