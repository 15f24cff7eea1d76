import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as PathGlob from "./PathGlob.ts"

const matches = (pattern: string, path: string) => Result.getOrThrow(PathGlob.compile(pattern))(path)

describe("PathGlob", () => {
  it("matches paths", () => {
    const cases: ReadonlyArray<readonly [pattern: string, yes: ReadonlyArray<string>, no: ReadonlyArray<string>]> = [
      ["*.ts", ["a.ts", "src/deep/a.ts"], ["a.tsx", "a.ts/b"]],
      ["src/*.ts", ["src/a.ts"], ["src/deep/a.ts", "lib/src/a.ts"]],
      ["src/**/*.ts", ["src/a.ts", "src/x/y/a.ts"], ["a.ts"]],
      ["**/test/**", ["test/a", "x/test/y/z"], ["tests/a"]],
      ["/a?.{js,ts}", ["ab.js", "ab.ts"], ["a.js", "x/ab.js"]],
      ["docs/", ["docs/a", "docs/x/y"], ["a/docs"]],
      ["{a,b{c,d}}.ts", ["a.ts", "bd.ts"], ["b.ts"]],
      ["[id].ts", ["pages/[id].ts"], ["i.ts"]],
      ["a*b*c", ["abc", "axxbbxc"], ["acb"]],
      ["{a", ["{a"], ["a"]],
      ["$&{$&,b}", ["$&$&"], ["$&a"]]
    ]
    for (const [pattern, yes, no] of cases) {
      for (const path of yes) assert.isTrue(matches(pattern, path), `${pattern} ${path}`)
      for (const path of no) assert.isFalse(matches(pattern, path), `${pattern} ${path}`)
    }
  })

  it("takes no exponential time", () => {
    assert.isFalse(matches(`${"*a".repeat(200)}b`, "a".repeat(4_000)))
    assert.isFalse(matches(`${"**/a/".repeat(90)}b`, "a/".repeat(1_000)))
  })

  it("compares long patterns with many paths", () => {
    const matchesAny = Result.getOrThrow(PathGlob.compile(`${"{a,b}".repeat(6)}${"*a".repeat(230)}`))
    for (let index = 0; index < 100_000; index++) assert.isFalse(matchesAny(`folder/file${index}.txt`))
  })

  it("refuses patterns that stand for many others, and long ones", () => {
    for (const pattern of ["{a,b}".repeat(20), "x".repeat(501), ""])
      assert.isTrue(Result.isFailure(PathGlob.compile(pattern)), pattern)
  })
})
