import { assert, describe, it } from "@effect/vitest"
import * as Enclosing from "./Enclosing.ts"
import * as SourceFile from "./SourceFile.ts"

/** Texts with a name `here`, and the function around it. */
const cases: ReadonlyArray<readonly [string, string, string | undefined]> = [
  ["a.ts", "function f() { here }", "f"],
  ["a.ts", "const f = () => [1].map((x) => here)", "f"],
  ["a.ts", "class A { m() { return here } }", "A.m"],
  ["a.ts", "class A { x = here }", undefined],
  ["a.ts", "const a = { m() { return here } }", "a.m"],
  ["a.ts", "here", undefined],
  ["a.go", "package p\nfunc (a *A) F() { here() }\n", "A.F"],
  ["a.go", "package p\nfunc F() { go func() { here() }() }\n", "F"],
  ["a.py", "class A:\n    def f(self):\n        here\n", "A.f"],
  ["a.rs", "impl A { fn f(&self) { here } }", "A.f"],
  ["A.java", "class A { int f() { return here; } }", "A.f"],
  ["a.c", "static int *f(int a)\n{\n\treturn here;\n}\n", "f"]
]

describe("functionAround", () => {
  for (const [path, text, expected] of cases) {
    it(`${path}: ${text}`, async () => {
      const file = await SourceFile.parse(path, text, { isOver: () => false })
      const [one] = file === undefined ? [] : SourceFile.occurrences(file, "here")
      assert.isDefined(one)
      if (file !== undefined && one !== undefined)
        assert.strictEqual(Enclosing.functionAround(file, one.node), expected)
    })
  }
})
