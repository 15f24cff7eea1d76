import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Symbols from "./Symbols.ts"

const limits = { symbols: 1_000, timeout: 10_000 }

/** Finds symbols as `line:column-endLine kind name in scope`. */
const symbolsOf = (path: string, ...lines: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const find = await Symbols.load(path)
    return find?.(lines.join("\n"), limits)?.map(({ column, endLine, isDeclaration, kind, line, name, scope }) =>
      [
        `${line}:${column}-${endLine} ${kind} ${name}`,
        scope === undefined ? "" : ` in ${scope}`,
        isDeclaration ? " declared" : ""
      ].join("")
    )
  })

describe("Symbols", () => {
  it.effect("finds the symbols of TypeScript", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* symbolsOf(
          "a.ts",
          "import { x } from 'x'",
          "export const one = 1, { two, a: three } = one",
          "export const run = async () => {",
          "  const local = 1",
          "  const helper = () => 2",
          "}",
          "export default class Foo<T> extends Bar {",
          "  static readonly prop = 1",
          "  constructor(private readonly a: string, b: number) { this.late = b }",
          "  get value() { return one }",
          "}",
          "interface Shape { size: number; area(): number }",
          "type Alias = { field: string } | Other",
          'const enum Level { Low, High = "high" }',
          "namespace Outer { export function inner(): void {} }",
          "export function over(a: string): void",
          "export function over(a: unknown) {}",
          "declare function ambient(): void",
          "const table = { get() {}, value: 1 }"
        ),
        [
          "2:13-2 constant one",
          "2:24-2 constant two",
          "2:32-2 constant three",
          "3:13-6 function run",
          "5:8-5 function helper",
          "7:21-11 class Foo",
          "8:18-8 field prop in Foo",
          "9:2-9 method constructor in Foo",
          "9:31-9 field a in Foo",
          "9:60-9 field late in Foo",
          "10:6-10 method value in Foo",
          "12:10-12 interface Shape",
          "12:18-12 field size in Shape",
          "12:32-12 method area in Shape declared",
          "13:5-13 type Alias",
          "13:15-13 field field in Alias",
          "14:11-14 enum Level",
          "14:19-14 enum_member Low in Level",
          "14:24-14 enum_member High in Level",
          "15:10-15 module Outer",
          "15:34-15 function inner in Outer",
          "16:16-16 function over declared",
          "17:16-17 function over",
          "18:17-18 function ambient declared",
          "19:6-19 constant table",
          "19:16-19 method get in table"
        ]
      )
    })
  )

  it.effect("lists a field once that its class declares and its constructor sets", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* symbolsOf(
          "a.ts",
          "class A {",
          "  one = 1",
          "  #two",
          "  constructor() { this.one = 2; this.#two = 2; this.three = 3; this.three = 4; this.four = 4 }",
          "  four: number",
          "}",
          "class B { constructor() { this.one = 1 } }"
        ),
        [
          "1:6-6 class A",
          "2:2-2 field one in A",
          "3:2-3 field #two in A",
          "4:2-4 method constructor in A",
          "4:52-4 field three in A",
          "5:2-5 field four in A",
          "7:6-7 class B",
          "7:10-7 method constructor in B",
          "7:31-7 field one in B"
        ]
      )
    })
  )

  it.effect("finds the symbols of JavaScript", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* symbolsOf(
          "a.jsx",
          "function Old() {}",
          "Old.prototype.close = function () {}",
          "exports.open = () => <div />",
          "module.exports.limit = 1",
          "var late = function () {}"
        ),
        [
          "1:9-1 function Old",
          "2:14-2 method close in Old",
          "3:8-3 function open",
          "4:15-4 variable limit",
          "5:4-5 function late"
        ]
      )
    })
  )

  it.effect("finds the symbols of Python", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* symbolsOf(
          "a.py",
          "LIMIT: int = 1",
          "first = second = 2",
          "class Foo(Base):",
          "    attribute: str",
          "    def __init__(self, name):",
          "        self.name = name",
          "        self.name = None",
          "    @property",
          "    async def value(self):",
          "        def inner(): pass",
          "if True:",
          "    def late(): pass"
        ),
        [
          "1:0-1 constant LIMIT",
          "2:0-2 variable first",
          "3:6-10 class Foo",
          "4:4-4 field attribute in Foo",
          "5:8-7 method __init__ in Foo",
          "6:13-6 field name in Foo",
          "9:14-10 method value in Foo",
          "10:12-10 function inner in value",
          "12:8-12 function late"
        ]
      )
    })
  )

  it.effect("finds the symbols of Go", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* symbolsOf(
          "a.go",
          "package main",
          "const ( One = iota; Two )",
          "var a, _ int",
          "type S struct { F1, F2 int }",
          "type I interface { M(x int) error }",
          "type Fn func(int)",
          "func f[T any](a T) { var local int }",
          "func (s *S) Method() {}",
          "func (g Gen[T]) Other() {}"
        ),
        [
          "2:8-2 constant One",
          "2:20-2 constant Two",
          "3:4-3 variable a",
          "4:5-4 struct S",
          "4:16-4 field F1 in S",
          "4:20-4 field F2 in S",
          "5:5-5 interface I",
          "5:19-5 method M in I",
          "6:5-6 type Fn",
          "7:5-7 function f",
          "8:12-8 method Method in S",
          "9:16-9 method Other in Gen"
        ]
      )
    })
  )

  it.effect("finds the symbols of Rust", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* symbolsOf(
          "a.rs",
          "mod other;",
          "pub struct P { pub a: i32 }",
          "pub enum E { A, B { x: i32 } }",
          "trait T { const K: i32; fn f(&self); }",
          "impl<T> fmt::Display for P<T> { fn fmt(&self) {} }",
          "static mut S: i32 = 2;",
          "macro_rules! mac { () => {} }",
          "pub async unsafe fn free() {}"
        ),
        [
          "1:4-1 module other declared",
          "2:11-2 struct P",
          "2:19-2 field a in P",
          "3:9-3 enum E",
          "3:13-3 enum_member A in E",
          "3:16-3 enum_member B in E",
          "3:20-3 field x in B",
          "4:6-4 interface T",
          "4:16-4 constant K in T",
          "4:27-4 method f in T declared",
          "5:35-5 method fmt in P",
          "6:11-6 variable S",
          "7:13-7 macro mac",
          "8:20-8 function free"
        ]
      )
    })
  )

  it.effect("finds the symbols of Java", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* symbolsOf(
          "A.java",
          "public class A<T> {",
          "  private static final int K = 1, L = 2;",
          "  int[] data;",
          "  A(int x) { new Thread() { public void run() {} }; }",
          "  abstract <X> void m(int a) throws E;",
          "  enum Color { RED, BLUE(1) { void z() {} }; int f; }",
          "  interface I { void call(); }",
          "  record R(int x) {}",
          "}"
        ),
        [
          "1:13-9 class A",
          "2:27-2 constant K in A",
          "2:34-2 constant L in A",
          "3:8-3 field data in A",
          "4:2-4 method A in A",
          "5:20-5 method m in A declared",
          "6:7-6 enum Color in A",
          "6:15-6 enum_member RED in Color",
          "6:20-6 enum_member BLUE in Color",
          "6:35-6 method z in Color",
          "6:49-6 field f in Color",
          "7:12-7 interface I in A",
          "7:21-7 method call in I declared",
          "8:9-8 class R in A",
          "8:15-8 field x in R"
        ]
      )
    })
  )

  it.effect("has no grammar for other languages", () =>
    Effect.gen(function* () {
      assert.isTrue(Symbols.hasGrammar("a/b.mts"))
      assert.isFalse(Symbols.hasGrammar("Makefile"))
      assert.isUndefined(yield* symbolsOf("a.rb", "class A"))
    })
  )

  it.effect("stops at the limits in hostile text", () =>
    Effect.gen(function* () {
      const find = yield* Effect.promise(() => Symbols.load("a.ts"))
      for (const part of [
        "{",
        "(",
        "[",
        "class A {",
        "a.b.",
        "`${",
        "<T>",
        "function f() {",
        "/*",
        "x => ",
        "const {"
      ]) {
        const found = find?.(part.repeat(process.env["TONGS_LONG_TESTS"] === undefined ? 2_000 : 10_000), {
          symbols: 100,
          timeout: 5_000
        })
        assert.isAtMost(found?.length ?? 0, 100, part)
      }
      assert.isUndefined(find?.("let a = 1\n".repeat(10_000), { symbols: 100, timeout: -1 }))
    })
  )
})
