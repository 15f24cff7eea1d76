import { assert, it } from "@effect/vitest"
import * as PathText from "./PathText.ts"

it("returns the last name of a path", () => {
  assert.deepStrictEqual(["", "a", "a/b.ts", "/a", "a/", "a//b c"].map(PathText.nameOf), [
    "",
    "a",
    "b.ts",
    "a",
    "",
    "b c"
  ])
})
