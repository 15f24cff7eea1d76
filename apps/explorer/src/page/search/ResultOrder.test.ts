import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { orderResults } from "./ResultOrder.ts"
import type { FileResult } from "./SearchResults.ts"
import { fileResult } from "./SearchResults.test-support.ts"

const names = (files: ReadonlyArray<FileResult>) => files.map(({ path, repo }) => `${repo}/${path}`)

const a = fileResult("a", { rank: 1, matchCount: 9 })
const b = fileResult("b", { rank: 3, matchCount: 1 })
const other = fileResult("c", { repo: "other", rank: 2, matchCount: 5 })

describe("orderResults", () => {
  it("groups by repository, the best first", () => {
    assert.deepStrictEqual(names(orderResults([a, other, b], undefined).files), ["hello/b", "hello/a", "other/c"])
    assert.deepStrictEqual(names(orderResults([a, other], undefined).files), ["other/c", "hello/a"])
  })

  it("sorts by path, repository and matches", () => {
    assert.deepStrictEqual(names(orderResults([b, other, a], "path").files), ["hello/a", "hello/b", "other/c"])
    assert.deepStrictEqual(names(orderResults([other, a, b], "repository").files), ["hello/b", "hello/a", "other/c"])
    assert.deepStrictEqual(names(orderResults([other, b, a], "matches").files), ["hello/a", "hello/b", "other/c"])
  })

  it("keeps pinned files in place and counts misplaced ones", () => {
    const shown = orderResults([a], undefined).files
    const { misplaced, files } = orderResults([a, other, b], undefined, shown)
    assert.deepStrictEqual(names(files), ["hello/a", "hello/b", "other/c"])
    assert.strictEqual(misplaced, 1)
  })

  it("omits files of a pinned repository other than the last", () => {
    const shown = [b, other]
    const { misplaced, files } = orderResults([a, b, other], undefined, shown)
    assert.deepStrictEqual(names(files), ["hello/b", "other/c"])
    assert.strictEqual(misplaced, 1)
  })

  it("ignores pinned files that are gone", () => {
    assert.deepStrictEqual(orderResults([b], undefined, [a]), { files: [b], misplaced: 0 })
  })

  const File = Schema.Struct({
    path: Schema.Literals(["a", "b", "c", "d", "e"]),
    repo: Schema.Literals(["x", "y", "z"]),
    rank: Schema.Int
  })

  it.prop(
    "keeps pinned files in place, lists none twice, and keeps repositories together",
    [Schema.Array(File), Schema.Array(File), Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 }))],
    ([early, late, seen]) => {
      const unique = (files: ReadonlyArray<typeof File.Type>) =>
        [...new Map(files.map((file) => [`${file.repo}/${file.path}`, file])).values()].map(({ path, ...rest }) =>
          fileResult(path, rest)
        )
      const all = unique([...late, ...early])
      const pinned = orderResults(unique(early), undefined).files.slice(0, seen)
      const { misplaced, files } = orderResults(all, undefined, pinned)
      assert.deepStrictEqual(files.slice(0, pinned.length), pinned)
      assert.strictEqual(new Set(names(files)).size, files.length)
      const repositories = files.map(({ repo }) => repo).filter((repo, at, all) => repo !== all[at - 1])
      assert.strictEqual(new Set(repositories).size, repositories.length)
      assert.isAtMost(all.length - files.length, misplaced)
    }
  )
})
