import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as FileSelection from "./FileSelection.ts"
import * as GrepOptions from "./GrepOptions.ts"
import * as IgnoreGlob from "./IgnoreGlob.ts"

const paths = ["a.ts", "b.js", "src/a.ts", "src/x/b.md", ".env", ".github/ci.yml", "dist/out.js", "Makefile"]

const selected = (
  settings: Partial<GrepOptions.Draft>,
  options: { readonly from?: string; readonly ignored?: string; readonly globPrefix?: string } = {}
) => {
  const admits = Result.getOrThrow(FileSelection.make({ ...GrepOptions.initial(), ...settings }))
  const ignore = options.ignored === undefined ? undefined : IgnoreGlob.ofFile(options.ignored)
  const place = { from: options.from ?? "", globPrefix: options.globPrefix ?? "", ignoreFiles: ignore?.match }
  return paths.filter((path) => admits({ ...place, path })).join(" ")
}

const globs = (...all: ReadonlyArray<string>) => ({ globs: all.map((glob) => ({ glob, ignoreCase: false })) })

describe("FileSelection", () => {
  it("skips hidden and ignored files, unless a flag or PATH includes them", () => {
    assert.strictEqual(selected({}, { ignored: "dist/\n*.md" }), "a.ts b.js src/a.ts Makefile")
    assert.strictEqual(selected({ hidden: true }, { ignored: "*\n!.env" }), ".env")
    assert.strictEqual(selected({}, { ignored: "!.env" }).includes(".env"), true)
    assert.include(selected({ noIgnore: true }, { ignored: "dist" }), "dist/out.js")
    assert.include(selected({}, { from: ".github" }), ".github/ci.yml")
    assert.include(selected({}, { from: ".env" }), ".env")
  })

  it("applies globs in their order, relative to the working directory", () => {
    assert.strictEqual(selected(globs("*.ts")), "a.ts src/a.ts")
    assert.strictEqual(selected(globs("*.ts", "!src")), "a.ts")
    assert.strictEqual(selected(globs("!*.ts", "a.ts")), "a.ts src/a.ts")
    assert.strictEqual(selected(globs("/*.{ts,js}")), "a.ts b.js")
    assert.strictEqual(selected(globs("x/**"), { globPrefix: "src" }), "src/x/b.md")
    assert.strictEqual(selected(globs(".env")), ".env")
  })

  it("knows ripgrep's types", () => {
    assert.strictEqual(selected({ types: ["ts", "make"] }), "a.ts src/a.ts Makefile")
    assert.strictEqual(selected({ typesNot: ["ts", "js", "md"] }), "Makefile")
    const unknown = FileSelection.make({ ...GrepOptions.initial(), types: ["zork"] })
    assert.isTrue(Result.isFailure(unknown))
  })

  it.each([
    ["*.c", "a/b.c", true],
    ["/a", "x/a", false],
    ["a/**", "a/b/c", true],
    ["**/b", "a/x/b", true],
    ["a/**/b", "a/b", true],
    ["[a-c]?", "bx", true],
    ["[!a-c]", "b", false],
    ["\\*", "*", true],
    ["a/*", "a/b/c", false]
  ])("glob %s on %s", (glob, path, expected) => {
    assert.strictEqual(IgnoreGlob.ofFile(glob).match(path, false) === "ignore", expected)
  })

  it("reads long globs and paths as it reads short ones", () => {
    const globs = [
      "*.c",
      "/a",
      "a/**",
      "**/b",
      "a/**/b",
      "[a-c]?",
      "[!a-c]",
      "\\*",
      "a/*",
      "{a,b*}/c",
      "x{,y}z",
      "a**b",
      "?"
    ]
    const paths = [
      "a",
      "b",
      "c",
      "bx",
      "*",
      "a/b",
      "a/b/c",
      "a/x/b",
      "x/a",
      "a/b.c",
      "bb/c",
      "xz",
      "xyz",
      "ab",
      "a/xb",
      "😀"
    ]
    for (const glob of globs) {
      for (const path of paths) {
        const long = `${"d/".repeat(80)}${path}`
        const longGlob = `${"d/".repeat(80)}${glob.replace(/^\//, "")}`
        const anchored = `/${glob.replace(/^\//, "")}`
        const short = IgnoreGlob.ofFile(anchored).match(path, false)
        assert.strictEqual(IgnoreGlob.ofFile(longGlob).match(long, false), short, `${glob} on ${path}`)
      }
    }
  })

  it("matches a glob of many stars in bounded time", () => {
    const { match } = IgnoreGlob.ofFile(`${"*a".repeat(40)}b\n${"**/a/".repeat(40)}b\n`)
    assert.isUndefined(match("a".repeat(200), false))
    assert.isUndefined(match("a/".repeat(200), false))
    assert.strictEqual(match(`${"a".repeat(200)}b`, false), "ignore")
  })
})
