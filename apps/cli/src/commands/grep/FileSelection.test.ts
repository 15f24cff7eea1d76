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
})
