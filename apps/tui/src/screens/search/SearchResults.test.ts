import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as CodeSearch from "@tongs/core/contract/groups/CodeSearch"
import * as StyledLine from "../../text/StyledLine.ts"
import * as SearchResults from "./SearchResults.ts"
import * as SearchTable from "./SearchTable.ts"

const decode = Schema.decodeUnknownSync(CodeSearch.SearchEvent)

const hit = (path: string, rank: number, repo = "hello") =>
  decode({
    _tag: "File",
    owner: "octo",
    repo,
    commit: "a".repeat(40),
    path,
    oid: "b".repeat(40),
    language: null,
    size: 10,
    rank,
    in_path: [[0, 3]],
    chunks: [
      {
        lines: [
          { number: 9, text: "  before", cut: 0, matches: [] },
          { number: 10, text: "    const needle = 1", cut: 0, matches: [[10, 16]], symbol: "constant" }
        ]
      },
      { lines: [{ number: 120, text: `${"x".repeat(200)}needle\u001b[2J`, cut: 0, matches: [[200, 206]] }] }
    ],
    match_count: 2,
    why: []
  })

const done = (incomplete: ReadonlyArray<string> = []) =>
  decode({
    _tag: "Done",
    files: 2,
    matches: 4,
    took: 12.5,
    incomplete,
    facets: { repo: [], language: [], path: [], symbol: [] },
    facets_complete: true,
    notes: []
  })

const rows = (results: SearchResults.Results, isOneRepository = false) => {
  const table = SearchTable.make("needle", results, isOneRepository)
  return Array.from({ length: table.rows.count }, (_, index) => table.rows.at(index))
}

const text = (row: ReturnType<typeof rows>[number]) => row?.cells(0).map(StyledLine.text).join(" ")

const commit = (message: string, date: string) =>
  decode({
    _tag: "Commit",
    owner: "octo",
    repo: "hello",
    sha: date.slice(0, 4).repeat(10),
    author: { name: "Ada", email: "ada@example.org", date },
    committer: { name: "Ada", email: "ada@example.org", date },
    message,
    in_message: [[message.indexOf("needle"), message.indexOf("needle") + 6]],
    files: [{ path: "src/a.ts", lines: [{ change: "added", number: 4, text: "const needle = 1", matches: [[6, 12]] }] }]
  })

describe("SearchResults", () => {
  it("shows commits with their matching lines, the newest first, and opens them", () => {
    const results = SearchResults.withEvents(SearchResults.empty, [
      commit("Thread\n\nthe needle\n", "2024-01-02T03:04:05Z"),
      commit("Add a needle", "2025-01-02T03:04:05Z"),
      done()
    ])
    const shown = rows(results, true)
    assert.deepStrictEqual(shown.map(text), [
      "2025202 Add a needle  Ada, 2025-01-02",
      "    src/a.ts",
      "        4 + const needle = 1",
      "2024202 Thread  Ada, 2024-01-02",
      "    the needle",
      "    src/a.ts",
      "        4 + const needle = 1"
    ])
    assert.deepStrictEqual(
      [shown[0]?.route, shown[2]?.route].map((route) => [route?.screen, route?.arguments["path"]]),
      [
        ["commits.get", undefined],
        ["commits.get", "src/a.ts"]
      ]
    )
    assert.match(SearchResults.summary(results), /2 commits/)
  })

  it("adds the duration of the searches that a search continues, and names commits at the limit", () => {
    const newer = SearchResults.withEvents(SearchResults.empty, [
      commit("Add a needle", "2025-01-02T03:04:05Z"),
      done(["deadline"])
    ])
    const older = SearchResults.withEvents(SearchResults.beforeOlder(newer), [
      commit("Thread the needle", "2024-01-02T03:04:05Z"),
      done(["limit"])
    ])
    assert.strictEqual(SearchResults.summary(older), "8 matches, 2 commits, 25 ms, only the newest commits are listed")
  })

  it("sorts files by rank while they arrive, and sums up", () => {
    const first = SearchResults.withEvents(SearchResults.empty, [hit("src/low.ts", 1)])
    assert.strictEqual(SearchResults.summary(first), "1 file so far")
    const all = SearchResults.withEvents(first, [hit("src/high.ts", 2, "other"), done(["deadline", "new reason"])])
    assert.deepStrictEqual(
      all.files.map(({ path }) => path),
      ["src/high.ts", "src/low.ts"]
    )
    assert.strictEqual(
      SearchResults.summary(all),
      "4 matches, 2 files, 2 repositories, 13 ms, the search stopped early, new reason"
    )
  })

  it("shows a row for each file, and rows for its lines", () => {
    const [file, context, match, long] = rows(
      SearchResults.withEvents(SearchResults.empty, [hit("src/a.ts", 1), done()])
    )
    assert.strictEqual(text(file), "src/a.ts  octo/hello  2 matches")
    // The lines without the common indentation.
    assert.strictEqual(text(context), "   9  before")
    assert.strictEqual(text(match), "  10    const needle = 1  constant")
    assert.isBelow(text(long)?.indexOf("needle") ?? Infinity, 60)
    assert.isFalse(text(long)?.includes("\u001b"))
    assert.deepStrictEqual(
      match?.cells(0).flatMap((line) => line.flatMap((span) => (span.role === "match" ? [span.text] : []))),
      ["needle"]
    )
    assert.deepStrictEqual(match?.route?.arguments, {
      owner: "octo",
      repo: "hello",
      path: "src/a.ts",
      line: 10,
      column: 10
    })
    // The file opens at the first match.
    assert.strictEqual(file?.route?.arguments.line, 10)
  })

  it("starts the details at the selected line", () => {
    const [, , match] = rows(SearchResults.withEvents(SearchResults.empty, [hit("src/a.ts", 1), done()]), true)
    const layout = match?.preview?.().layout(60)
    const line = layout?.lineAt(layout.initialLine, 0).line ?? []
    assert.include(StyledLine.text(line), "const needle")
  })
})
