import { assert, describe, it } from "@effect/vitest"
import type { CommitHit } from "@tongs/core/contract/groups/CodeSearch"
import * as SearchResults from "./SearchResults.ts"

const commit = (sha: string, date: string, repo = "hello"): CommitHit => {
  const person = { name: "Ann", email: "ann@example.org", date }
  return {
    _tag: "Commit",
    owner: "octo",
    repo,
    sha,
    author: person,
    committer: person,
    message: "Fix",
    in_message: [],
    files: []
  }
}

describe("SearchResults", () => {
  it("adds older commits in the order of their dates, each once", () => {
    const page = (commits: ReadonlyArray<CommitHit>): SearchResults.SearchResults => ({
      ...SearchResults.empty,
      commits,
      total: { files: commits.length, matches: commits.length },
      took: 5,
      isDone: true
    })
    // The search of several repositories also found a commit that is older than the next page.
    const newer = page([commit("d", "2024-05-01T00:00:00Z"), commit("a", "2020-01-01T00:00:00Z", "other")])
    const older = page([commit("c", "2023-05-01T00:00:00Z"), commit("a", "2020-01-01T00:00:00Z", "other")])
    const { commits, facets, took, total } = SearchResults.withOlder(newer, older)
    assert.deepStrictEqual(
      commits?.map(({ sha }) => sha),
      ["d", "c", "a"]
    )
    assert.strictEqual(total.files, 3)
    assert.strictEqual(took, 10)
    assert.deepStrictEqual(facets?.repo, [
      { value: "octo/hello", count: 2 },
      { value: "octo/other", count: 1 }
    ])
  })
})
