import { assert, describe, it } from "@effect/vitest"
import * as Glob from "./Glob.ts"

const matches = (glob: string, dialect: Glob.Dialect, path: string): boolean =>
  Glob.compile(glob, dialect)?.(path) ?? false

const cases: Readonly<
  Record<
    "ripgrep" | "search" | "brackets" | "fnmatch",
    ReadonlyArray<readonly [glob: string, matching: ReadonlyArray<string>, others: ReadonlyArray<string>]>
  >
> = {
  ripgrep: [
    ["a/**", ["a/b/c"], ["a"]],
    ["**/b", ["b", "a/x/b"], ["ab"]],
    ["a/**/b", ["a/b", "a/x/y/b"], ["ab"]],
    ["a**b", ["ab", "axb"], ["a/b"]],
    ["***/b", ["b", "a/b"], []],
    ["[a-c]?", ["bx"], ["dx", "b/"]],
    ["[!a-c]", ["d"], ["b", "/"]],
    ["[]a]", ["]", "a"], ["[]a]"]],
    ["[a&b]", ["&"], ["c"]],
    ["\\*", ["*"], ["a", "\\a"]],
    ["a\\{b,c\\}", ["a{b,c}"], ["ab"]],
    ["a/{b*,{**/c,d}}/e", ["a/bb/e", "a/x/c/e", "a/d/e"], ["a/x/d/e"]]
  ],
  search: [
    ["src/*.ts", ["src/a.ts", "SRC/B.TS"], ["src/x/a.ts", "src/a.tsx", "a.ts"]],
    ["**/*.ts", ["a.ts", "x/y/a.ts"], ["a.tsx"]],
    ["src/**", ["src/a", "src/x/y"], ["src", "a/src/b"]],
    ["a**b", ["a/b", "ab"], ["a"]],
    ["a?c.{md,txt}", ["abc.md", "axc.txt"], ["ac.md", "abc.js", "a/c.md"]],
    ["{*.c,lib/*.h}", ["a.c", "lib/b.h"], ["b.h", "lib/a.c"]],
    ["*/**/*{a,?c}*", ["x/a", "x/y/bc.ts", "x/\n/a"], ["a", "x/c"]],
    ["a.b(c)+[d]\\", ["a.b(c)+[d]\\"], ["axb(c)+[d]\\"]]
  ],
  brackets: [
    ["src/**/*.ts", ["src/a.ts", "src/x/y/a.ts"], ["a.ts", "SRC/a.ts"]],
    ["**/test/**", ["test/a", "x/test/y/z"], ["tests/a"]],
    ["{a,b{c,d}}.ts", ["a.ts", "bd.ts"], ["b.ts"]],
    ["[id].ts", ["[id].ts"], ["i.ts"]],
    ["$&{$&,b}", ["$&$&"], ["$&a"]]
  ],
  fnmatch: [
    ["a/**/*", ["a/b", "a/b/c"], ["a"]],
    ["a/**", ["a/b"], ["a/b/c"]],
    ["a**/b", ["ax/b"], ["a/x/b"]],
    ["{a,b}", ["{a,b}"], ["a"]],
    ["[^a]\\[", ["b["], ["a[", "/["]]
  ]
}

describe("Glob", () => {
  describe.each([
    { name: "ripgrep", dialect: Glob.ripgrep },
    { name: "search", dialect: Glob.search },
    { name: "brackets", dialect: Glob.brackets },
    { name: "fnmatch", dialect: Glob.fnmatch }
  ] as const)("$name", ({ dialect, name }) => {
    it.each(cases[name])("%s", (glob, matching, others) => {
      for (const path of matching) assert.isTrue(matches(glob, dialect, path), path)
      for (const path of others) assert.isFalse(matches(glob, dialect, path), path)
    })
  })

  it.each(["{a", "a[", "[]", "[!]", "[c-a]", "a\\", "x".repeat(4097)])("rejects %s", (glob) => {
    assert.isUndefined(Glob.compile(glob, Glob.ripgrep))
  })

  it("lets the last glob that matches decide", () => {
    const matches = Glob.compileOrdered(["src/**", "!src/*.md", "src/a.md"], Glob.fnmatch)
    const paths = ["src/a.ts", "src/b.md", "src/a.md", "a.ts"]
    assert.deepStrictEqual(paths.map(matches), [true, false, true, false])
  })

  it("matches long paths as short ones", () => {
    let seed = 1
    const random = (count: number) => (seed = (seed * 48_271) % 2_147_483_647) % count
    const text = (parts: ReadonlyArray<string>) =>
      Array.from({ length: random(9) }, () => parts[random(parts.length)]).join("")
    const folders = "0/".repeat(80)
    const dialects = [Glob.ripgrep, Glob.search, Glob.brackets, Glob.fnmatch]
    for (let attempt = 0; attempt < 8_000; attempt++) {
      const dialect = dialects[attempt % 4] ?? Glob.search
      const glob = text(["a", "B", "/", "*", "**", "**/", "?", "{a,b*,}", "{**/a,?}", "[aB]", "[!a]", "\u{1f600}", "ẞ"])
      const path = text(["A", "b", "/", "\u{1f600}", "a/b", "\n", "ß"])
      assert.strictEqual(
        matches(folders + glob, dialect, folders + path),
        matches(`/${glob}`, dialect, `/${path}`),
        JSON.stringify({ dialect, glob, path })
      )
    }
  })

  it.each([
    "*?".repeat(30) + "b",
    "**/".repeat(30) + "b",
    "*a".repeat(60) + "b",
    "{**a,*a*}".repeat(60) + "b",
    "{a,aa}".repeat(60) + "b",
    "{a,}".repeat(60) + "b"
  ])("a path that takes a regular expression years: %s", (glob) => {
    for (const path of ["a/".repeat(200) + "a".repeat(200), "a".repeat(200), "a".repeat(100)])
      for (const dialect of [Glob.ripgrep, Glob.search, Glob.brackets]) assert.isFalse(matches(glob, dialect, path))
  })

  it.each([
    ["**a**b", "a".repeat(500_000)],
    ["*?".repeat(2_047) + "b", "a".repeat(4_096)],
    ["{,a}".repeat(1_024), `${"a".repeat(4_095)}b`]
  ])("takes time in proportion to the lengths: %s", (glob, path) => {
    assert.isFalse(matches(glob, Glob.search, path))
  })
})
