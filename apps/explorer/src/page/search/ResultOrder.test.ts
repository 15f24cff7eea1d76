import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { orderResults } from "./ResultOrder.ts"
import type { FileResult } from "./SearchResults.ts"
import { fileResult } from "./SearchResults.test-support.ts"

const names = (files: ReadonlyArray<FileResult>) => files.map(({ path, repo }) => `${repo}/${path}`)

const a = fileResult("a", { rank: 1, matchCount: 9 })
const b = fileResult("b", { rank: 3, matchCount: 1 })
const other = fileResult("c", { repo: "other", rank: 2, matchCount: 5 })

describe("arrange", () => {
  it("keeps a repository together, the best first", () => {
    assert.deepStrictEqual(names(orderResults([a, other, b], undefined).files), ["hello/b", "hello/a", "other/c"])
    assert.deepStrictEqual(names(orderResults([a, other], undefined).files), ["other/c", "hello/a"])
  })

  it("orders by path, by repository and by matches", () => {
    assert.deepStrictEqual(names(orderResults([b, other, a], "path").files), ["hello/a", "hello/b", "other/c"])
    assert.deepStrictEqual(names(orderResults([other, a, b], "repository").files), ["hello/b", "hello/a", "other/c"])
    assert.deepStrictEqual(names(orderResults([other, b, a], "matches").files), ["hello/a", "hello/b", "other/c"])
  })

  it("does not move what is settled, and says what would be before it", () => {
    const shown = orderResults([a], undefined).files
    const { above, files } = orderResults([a, other, b], undefined, shown)
    assert.deepStrictEqual(names(files), ["hello/a", "hello/b", "other/c"])
    assert.strictEqual(above, 1)
  })

  it("lets wait what belongs to a repository further up", () => {
    const shown = [b, other]
    const { above, files } = orderResults([a, b, other], undefined, shown)
    assert.deepStrictEqual(names(files), ["hello/b", "other/c"])
    assert.strictEqual(above, 1)
  })

  it("forgets what is settled when it is gone", () => {
    assert.deepStrictEqual(orderResults([b], undefined, [a]), { files: [b], above: 0 })
  })

  const File = Schema.Struct({
    path: Schema.Literals(["a", "b", "c", "d", "e"]),
    repo: Schema.Literals(["x", "y", "z"]),
    rank: Schema.Int
  })

  it.prop(
    "what is settled stays, nothing comes twice, a repository stays together",
    [Schema.Array(File), Schema.Array(File), Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 }))],
    ([early, late, seen]) => {
      const unique = (files: ReadonlyArray<typeof File.Type>) =>
        [...new Map(files.map((file) => [`${file.repo}/${file.path}`, file])).values()].map(({ path, ...rest }) =>
          fileResult(path, rest)
        )
      const all = unique([...late, ...early])
      const settled = orderResults(unique(early), undefined).files.slice(0, seen)
      const { above, files } = orderResults(all, undefined, settled)
      assert.deepStrictEqual(files.slice(0, settled.length), settled)
      assert.strictEqual(new Set(names(files)).size, files.length)
      const repositories = files.map(({ repo }) => repo).filter((repo, at, all) => repo !== all[at - 1])
      assert.strictEqual(new Set(repositories).size, repositories.length)
      assert.isAtMost(all.length - files.length, above)
    }
  )
})
