import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as FuzzyMatch from "./FuzzyMatch.ts"

/** The paths that match, the best first. */
const best = (query: string, ...paths: ReadonlyArray<string>) =>
  paths
    .flatMap((path) => {
      const score = FuzzyMatch.score(FuzzyMatch.words(query), path)
      return score === undefined ? [] : [{ path, score }]
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ path }) => path)

const marked = (query: string, path: string) =>
  FuzzyMatch.ranges(FuzzyMatch.words(query), path).map(([start, end]) => path.slice(start, end))

describe("FuzzyMatch", () => {
  it("prefers names, then starts of words, then letters", () => {
    const paths = ["mm/slab_common.c", "include/slab/api.h", "lib/slab.c", "slab", "src/some/lab.c", "mm/myslab.c"]
    assert.deepStrictEqual(best("slab", ...paths), [
      "slab",
      "lib/slab.c",
      "mm/slab_common.c",
      "mm/myslab.c",
      "include/slab/api.h",
      "src/some/lab.c"
    ])
    assert.deepStrictEqual(best("idxts", "src/index.ts", "src/in/d/x.css"), ["src/index.ts"])
  })

  it("takes words in any order, and ignores case", () => {
    assert.deepStrictEqual(best("Slub MM", "mm/slub.c", "mm/slab.c"), ["mm/slub.c"])
    assert.deepStrictEqual(best("readme", "README.md"), ["README.md"])
    assert.deepStrictEqual(best("net/ipv4 tcp.c", "net/ipv4/tcp.c", "net/ipv6/tcp.c"), ["net/ipv4/tcp.c"])
    assert.deepStrictEqual(best("zzz", "README.md"), [])
  })

  it("marks the matching characters", () => {
    assert.deepStrictEqual(marked("slab mm", "mm/slab.c"), ["mm", "slab"])
    assert.deepStrictEqual(marked("idxts", "src/index.ts"), ["i", "d", "x", "ts"])
    assert.deepStrictEqual(marked("", "a"), [])
  })

  it.prop("gives ranges inside the path exactly if it has a score", [Schema.String, Schema.String], ([query, path]) => {
    const words = FuzzyMatch.words(query)
    let end = -1
    for (const [from, to] of FuzzyMatch.score(words, path) === undefined ? [] : FuzzyMatch.ranges(words, path)) {
      assert.isTrue(from > end && to > from && to <= path.length)
      end = to
    }
  })
})
