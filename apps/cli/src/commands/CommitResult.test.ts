import { assert, describe, it } from "@effect/vitest"
import type { CommitHit } from "@tongs/core/contract/groups/CodeSearch"
import { ObjectId } from "@tongs/core/contract/Scalars"
import * as Terminal from "@tongs/core/text/Terminal"
import * as CommitResult from "./CommitResult.ts"

const style = (name: string) => (text: string) => (text === "" ? "" : `<${name}>${text}</${name}>`)
const paint = { bold: style("b"), dim: style("d"), match: style("m"), good: style("g"), bad: style("e") }
const bare = { bold: String, dim: String, match: String, good: String, bad: String }

const person = { name: "Ann\u202e Lee", email: "ann@example.org", date: "2024-01-31T12:00:00Z" }
const commit: CommitHit = {
  _tag: "Commit",
  owner: "octo",
  repo: "hello",
  sha: ObjectId.make("0123456789abcdef0123456789abcdef01234567"),
  author: person,
  committer: person,
  message: "Fix a leak\n\nIt leaks.\nOther",
  in_message: [
    [6, 10],
    [15, 19]
  ],
  files: []
}
const diff: CommitHit = {
  ...commit,
  in_message: [],
  files: [
    {
      path: "src/a.c",
      lines: [
        { change: "removed", number: 9, text: "\tfree(old);", matches: [[1, 5]] },
        { change: "added", number: 10, text: "free(new);", matches: [[0, 4]] }
      ]
    }
  ]
}

describe("formatForTerminal", () => {
  it("shows the commit, and the lines of the message with matches", () => {
    assert.deepStrictEqual(CommitResult.formatForTerminal(commit, paint, 80), [
      "<b>0123456</b>  <d>2024-01-31  Ann<U+202E> Lee</d>  Fix a <m>leak</m>",
      "<d>  octo/hello</d>",
      "  It <m>leak</m>s."
    ])
  })

  it("shows the added and removed lines by file", () => {
    assert.deepStrictEqual(CommitResult.formatForTerminal(diff, paint, 80).slice(2), [
      "  src/a.c",
      "<e>   9 - </e>    <m>free</m>(old);",
      "<g>  10 + </g><m>free</m>(new);"
    ])
  })

  it("fits into the terminal", () => {
    const wide = { ...diff, message: "世".repeat(200), files: [{ path: "x".repeat(200), lines: [] }] }
    for (const line of CommitResult.formatForTerminal(wide, bare, 60)) assert.isAtMost(Terminal.width(line), 60)
  })
})

describe("formatForPipe", () => {
  it("prints a record for each changed line, or for a commit without any", () => {
    assert.deepStrictEqual(CommitResult.formatForPipe(diff, bare), [
      "octo/hello:0123456789abcdef0123456789abcdef01234567:src/a.c:-9:    free(old);",
      "octo/hello:0123456789abcdef0123456789abcdef01234567:src/a.c:+10:free(new);"
    ])
    assert.deepStrictEqual(CommitResult.formatForPipe(commit, bare), [
      "octo/hello:0123456789abcdef0123456789abcdef01234567:2024-01-31:Ann<U+202E> Lee:Fix a leak"
    ])
  })
})
