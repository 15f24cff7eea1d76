import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as YamlText from "./YamlText.ts"

const parse = (text: string) => YamlText.parse(Buffer.from(text))

it.effect("reads one document of YAML 1.2", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* parse("on: [push]\na: &x {b: 1}\nc: *x\n"), {
      on: ["push"],
      a: { b: 1 },
      c: { b: 1 }
    })
    assert.isUndefined(yield* parse(""))
    assert.isUndefined(yield* parse("on: [push\n\t- : :"))
    assert.isUndefined(yield* parse("a: 1\n---\nb: 2\n"))
  })
)

it.effect("refuses texts that are too large, too deep, or full of aliases", () =>
  Effect.gen(function* () {
    assert.isUndefined(yield* parse(`a: ${"x".repeat(YamlText.MAX_SIZE)}`))
    for (const deep of ["[".repeat(100_000), "- ".repeat(100_000), "{a: ".repeat(50_000)])
      assert.isUndefined(yield* parse(deep))
    const bomb = Array.from({ length: 20 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`).join("\n")
    assert.isUndefined(yield* parse(`a0: &a0 [x]\n${bomb}\n`))
  })
)
