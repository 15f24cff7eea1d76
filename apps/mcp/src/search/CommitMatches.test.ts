import { assert, it } from "@effect/vitest"
import type { CommitHit } from "@tongs/core/contract/groups/CodeSearch"
import { ObjectId } from "@tongs/core/contract/Scalars"
import * as CommitMatches from "./CommitMatches.ts"

const person = { name: "Ann", email: "ann@example.org", date: "2024-01-31T12:00:00Z" }
const commit: CommitHit = {
  _tag: "Commit",
  owner: "octo",
  repo: "hello",
  sha: ObjectId.make("0123456789abcdef0123456789abcdef01234567"),
  author: person,
  committer: person,
  message: "Fix it\n\nThe leak.\nOther",
  in_message: [[12, 16]],
  files: [
    {
      path: "a.c",
      lines: [
        { change: "removed", number: 9, text: "\tfree(old);", matches: [[1, 5]] },
        { change: "added", number: 10, text: `${"x".repeat(500)}free`, matches: [[500, 504]] }
      ]
    },
    { path: "b.c", lines: [] }
  ]
}

it("prints a commit with its matching lines", () => {
  const { text } = CommitMatches.print(commit, { hasRepository: true })
  assert.deepStrictEqual(text.split("\n"), [
    "octo/hello 0123456 2024-01-31 Ann: Fix it",
    "  The leak.",
    "  a.c",
    "  -9\tfree(old);",
    `  +10\t…${"x".repeat(236)}free`,
    "  b.c"
  ])
})

it("bounds the lines of a commit", () => {
  const lines = Array.from({ length: 20 }, (_, at) => ({ change: "added", number: at, text: "free", matches: [] }))
  const { text } = CommitMatches.print({ ...commit, files: [{ path: "a", lines }] }, { hasRepository: false })
  assert.isTrue(text.endsWith("\n  (12 more lines)"))
  assert.strictEqual(text.split("\n").length, 12)
})
