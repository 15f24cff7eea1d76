import { assert, it } from "@effect/vitest"
import * as Suggestions from "./Suggestions.ts"

const names = ["repositories", "branches", "git-refs", "grep", "search", "auth", "users", "limits"]

for (const [word, expected] of [
  ["repo", ["repositories"]],
  ["repos", ["repositories"]],
  ["repository", ["repositories"]],
  ["branch", ["branches"]],
  ["brnches", ["branches"]],
  ["user", ["users"]],
  ["serach", ["search"]],
  ["limit", ["limits"]],
  ["zzz", []],
  ["x", []]
] as const) {
  it(`suggests ${expected.join(", ") || "nothing"} for ${word}`, () =>
    assert.deepStrictEqual(Suggestions.of(word, names), [...expected]))
}
