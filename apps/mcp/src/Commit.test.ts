import { assert, describe, it } from "@effect/vitest"
import * as Commit from "./Commit.ts"

describe("the note of a commit", () => {
  it("says that a path has no changes only if the forge listed every file", () => {
    assert.deepStrictEqual(Commit.note("docs", 0, 299), { note: "It changed nothing there." })
    assert.match(Commit.note("docs", 0, 300).note ?? "", /only the first 300 files/)
  })

  it("says that files can be missing, with and without a path", () => {
    for (const path of ["", "docs"]) assert.match(Commit.note(path, 7, 300).note ?? "", /may have changed more/)
    assert.deepStrictEqual(Commit.note("docs", 7, 299), {})
    assert.deepStrictEqual(Commit.note("", 0, 0), {})
  })
})
