import { assert, describe, it } from "@effect/vitest"
import * as FilePatches from "./FilePatches.ts"

const file = (before: string, after: string, hunks: string) =>
  `diff --git a/x b/x\nindex 1..2 100644\n--- ${before}\n+++ ${after}\n${hunks}`

describe("FilePatches", () => {
  it("decodes quoted names and removes the tab after names with spaces", () => {
    const diff =
      file('"a/\\303\\274\\t\\"\\n"', '"b/\\303\\274\\t\\"\\n"', "@@ -1 +1 @@\n-a\n+b\n") +
      file("a/a b\t", "b/a b\t", "@@ -1 +1 @@\n-c\n+d\n")
    const patches = FilePatches.parse(Buffer.from(diff), true)
    assert.deepStrictEqual(
      [...patches],
      [
        ['ü\t"\n', "@@ -1 +1 @@\n-a\n+b"],
        ["a b", "@@ -1 +1 @@\n-c\n+d"]
      ]
    )
  })

  it("names a removed file by its old path, and joins the patches of a changed type", () => {
    const diff = file("a/x", "/dev/null", "@@ -1 +0,0 @@\n-a\n") + file("/dev/null", "b/x", "@@ -0,0 +1 @@\n+b\n")
    assert.deepStrictEqual(
      [...FilePatches.parse(Buffer.from(diff), true)],
      [["x", "@@ -1 +0,0 @@\n-a\n@@ -0,0 +1 @@\n+b"]]
    )
  })

  it("drops the last patch of a diff that was cut off, and files without hunks", () => {
    const diff =
      "diff --git a/b b/b\nBinary files a/b and b/b differ\n" +
      file("a/x", "b/x", "@@ -1 +1 @@\n-a\n+b\n") +
      file("a/y", "b/y", "@@ -1 +1 @@\n-a")
    assert.deepStrictEqual([...FilePatches.parse(Buffer.from(diff), false).keys()], ["x"])
  })

  it("does not take a changed line for a header", () => {
    const diff = file("a/x", "b/x", "@@ -1,2 +1,2 @@\n--- a/y\n+++ b/y\n+diff --git a/z b/z\n")
    assert.deepStrictEqual([...FilePatches.parse(Buffer.from(diff), true).keys()], ["x"])
  })

  it("gives both paths of renamed files, also without hunks", () => {
    const diff =
      "diff --git a/x b/y z\nsimilarity index 100%\nrename from x\nrename to y z\n" +
      'diff --git a/x b/x\nsimilarity index 90%\nrename from x\nrename to x\n--- a/x\n+++ "b/\\303\\274"\n@@ -1 +1 @@\n-a\n+b\n'
    assert.deepStrictEqual(FilePatches.files(Buffer.from(diff), true), [
      { path: "y z", previousPath: "x", patch: "" },
      { path: "ü", previousPath: "x", patch: "@@ -1 +1 @@\n-a\n+b" }
    ])
  })
})
