import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { arrange } from "./Arrange.ts"
import type { Found } from "./Found.ts"
import { found } from "./Found.test-support.ts"

const names = (files: ReadonlyArray<Found>) => files.map(({ path, repo }) => `${repo}/${path}`)

const a = found("a", { rank: 1, matchCount: 9 })
const b = found("b", { rank: 3, matchCount: 1 })
const other = found("c", { repo: "other", rank: 2, matchCount: 5 })

describe("arrange", () => {
  it("keeps a repository together, the best first", () => {
    assert.deepStrictEqual(names(arrange([a, other, b], undefined).files), ["hello/b", "hello/a", "other/c"])
    assert.deepStrictEqual(names(arrange([a, other], undefined).files), ["other/c", "hello/a"])
  })

  it("orders by path, by repository and by matches", () => {
    assert.deepStrictEqual(names(arrange([b, other, a], "path").files), ["hello/a", "hello/b", "other/c"])
    assert.deepStrictEqual(names(arrange([other, a, b], "repository").files), ["hello/b", "hello/a", "other/c"])
    assert.deepStrictEqual(names(arrange([other, b, a], "matches").files), ["hello/a", "hello/b", "other/c"])
  })

  it("does not move what is settled, and says what would be before it", () => {
    const shown = arrange([a], undefined).files
    const { above, files } = arrange([a, other, b], undefined, shown)
    assert.deepStrictEqual(names(files), ["hello/a", "hello/b", "other/c"])
    assert.strictEqual(above, 1)
  })

  it("lets wait what belongs to a repository further up", () => {
    const shown = [b, other]
    const { above, files } = arrange([a, b, other], undefined, shown)
    assert.deepStrictEqual(names(files), ["hello/b", "other/c"])
    assert.strictEqual(above, 1)
  })

  it("forgets what is settled when it is gone", () => {
    assert.deepStrictEqual(arrange([b], undefined, [a]), { files: [b], above: 0 })
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
          found(path, rest)
        )
      const all = unique([...late, ...early])
      const settled = arrange(unique(early), undefined).files.slice(0, seen)
      const { above, files } = arrange(all, undefined, settled)
      assert.deepStrictEqual(files.slice(0, settled.length), settled)
      assert.strictEqual(new Set(names(files)).size, files.length)
      const repositories = files.map(({ repo }) => repo).filter((repo, at, all) => repo !== all[at - 1])
      assert.strictEqual(new Set(repositories).size, repositories.length)
      assert.isAtMost(all.length - files.length, above)
    }
  )
})
