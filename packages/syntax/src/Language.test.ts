import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Language from "./Language.ts"

describe("Language", () => {
  it("is known by the file extension", () => {
    assert.strictEqual(Language.fromPath("src/a.mts"), "ts")
    assert.strictEqual(Language.fromPath("A.JSON"), "json")
    for (const path of ["LICENSE", "a.unknown", "", ".", "constructor", "a.constructor"])
      assert.isUndefined(Language.fromPath(path), path)
  })

  it("is known by the name of a code block", () => {
    assert.strictEqual(Language.fromName("TypeScript"), "ts")
    assert.strictEqual(Language.fromName("py"), "python")
    assert.strictEqual(Language.fromName("yaml"), "yaml")
    assert.isUndefined(Language.fromName("sh"))
  })

  it.effect("loads every grammar", () =>
    Effect.gen(function* () {
      assert.isUndefined(Language.loaded("css"))
      for (const extension of ["tsx", "jsx", "json", "c", "yml", "html", "css", "md", "py", "rs", "go", "java"]) {
        const language = Language.fromPath(`a.${extension}`) ?? "json"
        const highlighter = yield* Effect.promise(() => Language.load(language))
        const text = '# a\n"b": 1\nfn if <p>x</p> /* c */ .d { e: 2px }\n'
        assert.isNotEmpty(highlighter.highlight(text, { timeout: 60_000 }), extension)
        assert.strictEqual(Language.loaded(language), highlighter)
      }
    })
  )
})
