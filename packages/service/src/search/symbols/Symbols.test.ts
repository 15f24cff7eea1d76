import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as GrammarSymbols from "./GrammarSymbols.ts"
import * as Symbols from "./Symbols.ts"

/** Prints each symbol as `line kind name`, with the scope. */
const outline = (path: string, ...lines: ReadonlyArray<string>) =>
  Symbols.symbolsOf(path, lines.join("\n")).map(
    ({ kind, line, name, scope }) => `${line} ${kind} ${name}${scope === undefined ? "" : ` in ${scope}`}`
  )

describe("symbolsOf", () => {
  it("reads TypeScript and JavaScript", () => {
    assert.deepStrictEqual(
      outline(
        "a.ts",
        "export default abstract class A<T> extends B {",
        "  private async *m(",
        "    a: string) {",
        "    call(a)",
        "    if (a) {",
        "  }",
        "  get x() { return 1 }",
        "}",
        "export interface I {",
        "export type T = A",
        "declare module M {",
        "  export const inner = 1",
        "export const enum E {",
        "export async function f<T>() {",
        "  const local = 1",
        "const g = async (x) => x",
        "export const C: number = 1",
        "let v = 2",
        "exports.e = 1",
        "A.prototype.p = function () {",
        "type = 1",
        "// class No"
      ),
      [
        "1 class A",
        "2 method m in A",
        "7 method x in A",
        "9 interface I",
        "10 type T",
        "11 module M",
        "12 constant inner in M",
        "13 enum E",
        "14 function f",
        "16 function g",
        "17 constant C",
        "18 variable v",
        "19 function e",
        "20 function p"
      ]
    )
  })

  it("reads Python", () => {
    assert.deepStrictEqual(
      outline(
        "a.py",
        "MAX = 1",
        "x: int = 2",
        "class A(B):",
        "    async def m(self):",
        "        y = 1",
        "def f():",
        "x == 1"
      ),
      ["1 constant MAX", "2 variable x", "3 class A", "4 method m in A", "6 function f"]
    )
  })

  it("reads Go", () => {
    assert.deepStrictEqual(
      outline(
        "a.go",
        "func F(a int) {",
        "func (r *R) M() {",
        "type S struct {",
        "type I interface {",
        "type X int",
        "const C = 1",
        "var v int",
        "const (",
        "\tA = iota",
        "\tb // last",
        ")",
        "func G() {",
        "\tlocal = 1",
        "var (",
        "\tw, x int"
      ),
      [
        "1 function F",
        "2 method M",
        "3 struct S",
        "4 interface I",
        "5 type X",
        "6 constant C",
        "7 variable v",
        "9 constant A",
        "10 constant b",
        "12 function G",
        "15 variable w"
      ]
    )
  })

  it("reads Rust", () => {
    assert.deepStrictEqual(
      outline(
        "a.rs",
        "pub struct S<T> {",
        "impl<T> fmt::Display for S<T> {",
        "    pub(crate) async unsafe fn m(&self) {",
        "}",
        "pub trait T {",
        "enum E {",
        "macro_rules! mac {",
        "const N: u8 = 1;",
        "mod tests {"
      ),
      ["1 struct S", "3 method m in S", "5 interface T", "6 enum E", "7 macro mac", "8 constant N", "9 module tests"]
    )
  })

  it("reads declarations in C and C++", () => {
    assert.deepStrictEqual(
      outline(
        "a.c",
        "#define MAX(a) 1",
        "struct s {",
        "} __packed;",
        "typedef struct s s_t;",
        "typedef int (*fn)(int);",
        "static int declared(int a,",
        "\tint b);",
        "static __init int *defined(int a,",
        "\tint b)",
        "{",
        "\tcalled(a);",
        "}",
        "EXPORT_SYMBOL(defined);",
        "static inline void empty(void) { }",
        "static const struct ops table[] = { 1 };",
        "return_to(x);"
      ),
      [
        "1 macro MAX",
        "2 struct s",
        "4 type s_t",
        "5 type fn",
        "6 function declared",
        "8 function defined",
        "14 function empty",
        "15 variable table"
      ]
    )
    assert.deepStrictEqual(
      outline(
        "a.cc",
        "namespace n {",
        "template <class T> class EXPORT A : public B {",
        "  virtual int m() const {",
        "    f(x);",
        "  }",
        "};",
        "int A::q() { }",
        "A::~A() { }",
        "class Fwd;"
      ),
      ["1 module n", "2 class A in n", "3 method m in A", "7 method q in A", "8 method ~A in A"]
    )
  })

  it("reads Java, C#, Kotlin, Scala and Swift", () => {
    assert.deepStrictEqual(
      outline(
        "A.java",
        "public final class A<T> extends B {",
        "  private static final int MAX = 1;",
        "  public A(int a) {",
        "    super(a);",
        "    return call(a);",
        "  @Override public <T> List<T> m(",
        "      int a) {",
        "interface I {",
        "  void n();"
      ),
      ["1 class A", "2 constant MAX in A", "3 method A in A", "6 method m in A", "8 interface I", "9 method n in I"]
    )
    assert.deepStrictEqual(
      outline("a.cs", "namespace N.M", "public struct S {", "  internal async Task<int> M(int a) {"),
      ["1 module N.M", "2 struct S", "3 method M in S"]
    )
    assert.deepStrictEqual(
      outline("a.kt", "data class A(val x: Int)", "suspend fun <T> List<T>.f(a: T) = 1", "enum class E {"),
      ["1 class A", "2 function f", "3 enum E"]
    )
    assert.deepStrictEqual(outline("a.scala", "case class A(x: Int)", "object O {", "  def m(x: Int) = 1"), [
      "1 class A",
      "2 class O",
      "3 method m in O"
    ])
    assert.deepStrictEqual(outline("a.swift", "extension A {", "  public static func m(x: Int) {", "protocol P {"), [
      "2 method m in A",
      "3 interface P"
    ])
  })

  it("reads Ruby, PHP, shell, SQL and more", () => {
    assert.deepStrictEqual(outline("a.rb", "module M", "  class A < B", "    def self.ok?(x)", "    MAX = 1"), [
      "1 module M",
      "2 class A in M",
      "3 method ok? in A",
      "4 constant MAX in A"
    ])
    assert.deepStrictEqual(
      outline("a.php", "abstract class A {", "  public static function m() {", "define('X', 1);"),
      ["1 class A", "2 method m in A", "3 constant X"]
    )
    assert.deepStrictEqual(outline("a.sh", "f() {", "function g-h {"), ["1 function f", "2 function g-h"])
    assert.deepStrictEqual(outline("a.sql", 'create table if not exists "t" (', "CREATE OR REPLACE FUNCTION s.f("), [
      "1 struct t",
      "2 function f"
    ])
    assert.deepStrictEqual(outline("Makefile", "all: b", "x := 1"), ["1 function all"])
    assert.deepStrictEqual(outline("a.unknown", "class A"), [])
  })

  it("reads headings in Markdown, but not inside code blocks", () => {
    assert.deepStrictEqual(outline("a.md", "# One thing #", "```sh", "# no", "```", "## Two", "text"), [
      "1 module One thing",
      "5 module Two"
    ])
  })

  it("counts lines with any line ending, and limits the number of symbols", () => {
    assert.deepStrictEqual(outline("a.py", "\r", "def f():\r", "😀", "def g():"), ["2 function f", "4 function g"])
    assert.lengthOf(
      Symbols.symbolsOf("a.py", "def f():\n".repeat(GrammarSymbols.MAX_SYMBOLS + 1)),
      GrammarSymbols.MAX_SYMBOLS
    )
  })

  const Piece = Schema.Union([
    Schema.Literals([
      "class A",
      "def f():",
      "fn g(",
      "  ",
      "\n",
      "{",
      "static ",
      "impl X",
      "# H",
      "```",
      "func (",
      "int x("
    ]),
    Schema.String
  ])
  const Path = Schema.Literals(["a.ts", "a.py", "a.go", "a.rs", "a.c", "a.java", "a.md", "a.rb", "a.sql"])

  it.prop("reports each name on a line that contains it", [Path, Schema.Array(Piece)], ([path, pieces]) => {
    const text = pieces.join("")
    const lines = text.split("\n")
    for (const { line, name } of Symbols.symbolsOf(path, text)) {
      assert.isTrue(
        lines
          .slice(line - 1, line + 1)
          .join("\n")
          .includes(name)
      )
    }
  })
})
