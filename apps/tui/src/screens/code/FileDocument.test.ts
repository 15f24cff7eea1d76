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
  const layout = FileDocument.make({ entry, content: "one\n\ttwo\nthree\n", ...file }, at, start).layout(columns)
  const lines = Array.from({ length: layout.length }, (_, index) => {
    const { gutter = [], line } = layout.lineAt(index, now)
    return StyledLine.text([...gutter, ...line])
  })
  return { layout, lines }
}

describe("FileDocument", () => {
  it("numbers the lines, and copies them without changes", () => {
    const { layout, lines } = shown({})
    assert.deepStrictEqual(lines, ["1 one", "2     two", "3 three"])
    assert.strictEqual(layout.lineAt(1, 0).copy, "\ttwo")
    assert.strictEqual(layout.textAt?.(1), "\ttwo")
  })

  it("shows the commit, author and age of each range beside a wide file, and opens the commit at the file", () => {
    const { layout, lines } = shown({ blame: [range(2, 3), range(1, 1, "Evil \u001b[2J")] })
    assert.match(lines[0] ?? "", /^aaaaaaa Evil ␛\[2J +8d │1 one$/)
    assert.match(lines[1] ?? "", /^aaaaaaa Mona Lisa +8d │2 +two$/)
    assert.match(lines[2] ?? "", /^ +│3 three$/)
    assert.deepStrictEqual(layout.lineAt(2, 0).route, RevisionArguments.commit(at, sha, "src/a.ts"))
  })

  it("hides the commits on a narrow screen, but still opens them", () => {
    const { layout, lines } = shown({ blame: [range(1, 2)] }, 78)
    assert.strictEqual(lines[0], "1 one")
    assert.deepStrictEqual(layout.lineAt(1, 0).route, RevisionArguments.commit(at, sha, "src/a.ts"))
    assert.isUndefined(layout.lineAt(2, 0).route)
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
