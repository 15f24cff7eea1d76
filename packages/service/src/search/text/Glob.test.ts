import { assert, it } from "@effect/vitest"
import * as Glob from "./Glob.ts"

it.each([
  ["src/*.ts", ["src/a.ts", "SRC/B.TS"], ["src/x/a.ts", "src/a.tsx", "a.ts"]],
  ["**/*.ts", ["a.ts", "x/y/a.ts"], ["a.tsx"]],
  ["src/**", ["src/a", "src/x/y"], ["src", "a/src/b"]],
  ["a?c.{md,txt}", ["abc.md", "axc.txt"], ["ac.md", "abc.js", "a/c.md"]],
  ["{*.c,lib/*.h}", ["a.c", "lib/b.h"], ["b.h", "lib/a.c"]],
  ["*/**/*{a,?c}*", ["x/a", "x/y/bc.ts", "x/\n/a"], ["a", "x/c"]],
  ["a.b(c)+[d]", ["a.b(c)+[d]"], ["axb(c)+[d]"]]
])("%s matches whole paths", (glob, matching, others) => {
  const matches = Glob.make(glob)
  for (const path of matching) assert.isTrue(matches(path), path)
  for (const path of others) assert.isFalse(matches(path), path)
})

it("matches as the regular expression does", () => {
  let seed = 1
  const random = (count: number) => (seed = (seed * 48_271) % 2_147_483_647) % count
  const text = (parts: ReadonlyArray<string>) =>
    Array.from({ length: random(9) }, () => parts[random(parts.length)]).join("")
  for (let attempt = 0; attempt < 5_000; attempt++) {
    const glob = text(["a", "B", "/", "*", "**", "**/", "?", "{a,b*,}", "{**/a,?}", "{", "\u{1f600}"])
    const path = text(["A", "b", "/", "\u{1f600}", "a/b", "\n"])
    const expected = new RegExp(Glob.source(glob), "isu").test(path)
    assert.strictEqual(Glob.make(glob)(path), expected, JSON.stringify({ glob, path }))
  }
})

it.each(["*?".repeat(30) + "b", "**/".repeat(30) + "b", "*a".repeat(60) + "b", "{**a,*a*}".repeat(60) + "b"])(
  "a path that takes a regular expression years: %s",
  (glob) => {
    assert.isFalse(Glob.make(glob)("a/".repeat(200) + "a".repeat(200)))
    assert.isFalse(Glob.make(glob)("a".repeat(200)))
  }
)

it("a long path that takes a regular expression long", () => {
  assert.isFalse(Glob.make("**a**b")("a".repeat(500_000)))
})
