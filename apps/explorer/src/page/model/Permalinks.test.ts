import { assert, describe, it } from "@effect/vitest"
import * as Permalinks from "./Permalinks.ts"

describe("Permalinks", () => {
  it("points to the commit, without query and panels", () => {
    assert.deepStrictEqual(
      Permalinks.permalink(
        {
          _tag: "File",
          owner: "octo",
          repo: "hello",
          path: "a.ts",
          ref: "main",
          q: "x",
          blame: true,
          side: "history",
          lines: { first: 2, last: 3 }
        },
        "c0ffee"
      ),
      { _tag: "File", owner: "octo", repo: "hello", path: "a.ts", ref: "c0ffee", lines: { first: 2, last: 3 } }
    )
  })

  it("has no commit for an uncommitted file", () => {
    const file = { owner: "octo", repo: "hello", path: "a.ts", ref: "main", commit: "5a0", size: 1 } as const
    const content = { kind: "binary" } as const
    const workTree = { head: "c0ffee", changedFiles: 1, notes: [] }
    assert.strictEqual(Permalinks.commitOf({ ...file, content }), "5a0")
    assert.strictEqual(Permalinks.commitOf({ ...file, content, workTree }), "c0ffee")
    assert.isUndefined(Permalinks.commitOf({ ...file, content, workTree, status: "modified" }))
    assert.isUndefined(Permalinks.commitOf({ ...file, content, workTree: { ...workTree, head: null } }))
  })

  it("escapes file names", () => {
    assert.strictEqual(
      Permalinks.rawUrl({ owner: "octo", repo: "hello", path: "a #1 & b?.ts", ref: "main", commit: "c0ffee" }),
      "api/raw?owner=octo&repo=hello&path=a+%231+%26+b%3F.ts&ref=c0ffee"
    )
  })
})
