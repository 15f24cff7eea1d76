import { assert, describe, it } from "@effect/vitest"
import * as QueryLanguage from "./QueryLanguage.ts"

describe("QueryLanguage", () => {
  it("corrects all problems of a query that have a correction", () => {
    for (const [q, corrected] of [
      ["repo:octo/ hit", "user:octo hit"],
      ["is:public hit license:mit", "hit"],
      ["repo:octo/ is:x hit", "user:octo hit"]
    ] as const) {
      assert.strictEqual(QueryLanguage.correction(q, true), corrected)
      assert.isTrue(QueryLanguage.canRun(corrected, true))
    }
    assert.strictEqual(QueryLanguage.correction("lang:go hit", false), "language:go hit")
  })

  it("gives no correction for valid queries, nor if a problem has none", () => {
    for (const q of ["", "hit", "is:public", '"hit', "(hit is:x"]) {
      assert.isUndefined(QueryLanguage.correction(q, true), q)
    }
  })

  it("gives the kind of results, and whether a query names revisions", () => {
    assert.deepStrictEqual(
      ["hit", "hit type:commit", "hit type:diff", "type:"].map((q) => QueryLanguage.kindOf(q, true)),
      ["file", "commit", "diff", "file"]
    )
    assert.strictEqual(QueryLanguage.kindOf("hit type:commit", false), "file")
    assert.isTrue(QueryLanguage.hasRevisions("hit rev:v1", true))
    assert.isFalse(QueryLanguage.hasRevisions("hit", true))
  })

  it("searches work trees unless the query names revisions or asks for commits, or there are too many", () => {
    assert.isUndefined(QueryLanguage.sourceOf("hit", 0))
    assert.strictEqual(QueryLanguage.sourceOf("hit", 16), "work_trees")
    assert.isUndefined(QueryLanguage.sourceOf("hit rev:v1", 1))
    assert.isUndefined(QueryLanguage.sourceOf("hit type:commit", 1))
    assert.strictEqual(QueryLanguage.sourceOf("hit -repo:o/r", 17), "too_many_work_trees")
    assert.strictEqual(QueryLanguage.sourceOf("hit (repo:o/r OR repo:o/s)", 17), "work_trees")
  })
})
