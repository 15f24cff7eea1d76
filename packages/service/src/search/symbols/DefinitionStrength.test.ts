import { assert, describe, it } from "@effect/vitest"
import * as DefinitionStrength from "./DefinitionStrength.ts"
import { symbolsOf } from "./Symbols.ts"

/** The strength of the last definition in a text. */
const strength = (path: string, text: string): number => {
  const symbol = symbolsOf(path, text).at(-1)
  assert.isDefined(symbol)
  const start =
    text
      .split("\n")
      .slice(0, symbol.line - 1)
      .join("\n").length + (symbol.line > 1 ? 1 : 0)
  const end = text.indexOf("\n", start)
  return DefinitionStrength.strengthOf(path, text, { start, end: end === -1 ? text.length : end }, symbol)
}

describe("strengthOf", () => {
  it.each([
    [
      "a body and an empty one",
      "a.c",
      "int f(int a)\n{\n\tg(a);\n}",
      "a.h",
      "static inline int f(int a)\n{\n\treturn 0;\n}"
    ],
    ["a macro with a body and a new name", "a.h", "#define f(a) ({ g(a); h(a); })", "a.h", "#define f(a) g(a)"],
    ["external and static", "a.c", "int f(void)\n{\n\tg();\n}", "a.c", "static int f(void)\n{\n\tg();\n}"],
    ["a function and its type", "a.js", "export function f() {", "a.d.ts", "export function f(): void"],
    ["exported later and not exported", "a.js", "function f() {\n}\nexport { f }", "a.js", "function f() {\n}"],
    ["a function and an imported value", "a.js", "exports.f = 1\nfunction f() {", "a.js", 'const f = require("f")'],
    ["public and private", "a.rs", "pub struct S {", "a.rs", "pub(crate) struct S {"],
    ["a module and its declaration", "a.rs", "pub mod m {", "a.rs", "pub mod m;"],
    ["a definition and a heading", "a.py", "class A:", "a.md", "# A"]
  ])("compares %s", (_, path, stronger, otherPath, weaker) => {
    assert.isAbove(strength(path, stronger), strength(otherPath, weaker))
  })
})
