import { assert, describe, it } from "@effect/vitest"
import * as CommitTool from "./CommitTool.ts"

describe("the note of a commit", () => {
  it("says that a path has no changes only if the forge listed every file", () => {
    assert.deepStrictEqual(CommitTool.missingFilesNote("docs", 0, 299), {
      note: "The commit has no changes in this path."
    })
    assert.match(CommitTool.missingFilesNote("docs", 0, 300).note ?? "", /only the first 300 files/)
  })

  it("says that files can be missing, with and without a path", () => {
    for (const path of ["", "docs"])
      assert.match(CommitTool.missingFilesNote(path, 7, 300).note ?? "", /may have changed more/)
    assert.deepStrictEqual(CommitTool.missingFilesNote("docs", 7, 299), {})
    assert.deepStrictEqual(CommitTool.missingFilesNote("", 0, 0), {})
  })
})
