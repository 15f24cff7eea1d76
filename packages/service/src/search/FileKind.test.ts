import { assert, describe, it } from "@effect/vitest"
import * as FileKind from "./FileKind.ts"

describe("FileKind", () => {
  it("lowers files that are rarely the searched ones", () => {
    for (const path of ["vendor/a/b.go", "deps/lua/lapi.c", "web/app.min.js"])
      assert.strictEqual(FileKind.pointsOf(path), FileKind.points.foreign, path)
    for (const path of ["a/b_test.go", "playground/a.ts", "src/test/java/A.java", "benches/b.rs", "t/helper/a.c"])
      assert.strictEqual(FileKind.pointsOf(path), FileKind.points.test, path)
    assert.strictEqual(FileKind.pointsOf("tools/lib/slab.c"), FileKind.points.tool)
  })

  it("keeps other files, also those of a Java package with such a name", () => {
    for (const path of ["src/a.ts", "src/build.ts", "src/main/java/org/samples/A.java", "lib/mock/agent.js"])
      assert.strictEqual(FileKind.pointsOf(path), 0, path)
  })
})
