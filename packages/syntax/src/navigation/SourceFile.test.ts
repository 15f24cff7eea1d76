import { assert, describe, it } from "@effect/vitest"
import * as SourceFile from "./SourceFile.ts"

/** Parses a text in which `→` marks the use of a name, and `◆` the declarations that it sees. */
const read = async (path: string, marked: string) => {
  const declared: Array<number> = []
  let use = -1
  let text = ""
  for (const sign of marked) {
    if (sign === "→") use = text.length
    else if (sign === "◆") declared.push(text.length)
    else text += sign
  }
  const file = await SourceFile.parse(path, text, { isOver: () => false })
  if (file === undefined) throw new Error(`${path} was not parsed`)
  const name = /^[\w$]+/.exec(text.slice(use))?.[0] ?? ""
  const all = SourceFile.occurrences(file, name)
  return { file, all, declared, use: all.find(({ from }) => from === use) }
}

const sees = async (path: string, marked: string) => {
  const { all, declared, file, use } = await read(path, marked)
  if (use === undefined) throw new Error(`no name at the mark: ${marked}`)
  const found = SourceFile.declarationsOf(use, all, file).map(({ from }) => from)
  assert.deepStrictEqual(found, declared, marked)
}

const scopes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "a.ts": [
    "const x = 1; function f(◆x: string) { return →x }",
    "const ◆x = 1; function f({ x: y }: O) { return →x }",
    "function f({ x: ◆y = 3 }: O) { return () => →y }",
    "function f([◆a, ...rest]: A) { return →a + rest }",
    "for (const ◆i of all) { →i } const i = 2",
    "try {} catch (◆e) { →e }",
    "{ let x = 1 } let ◆x = 2; →x",
    "type T<◆A> = { x: →A }",
    "import { a as ◆b } from './a'; →b()",
    "import * as ◆N from './n'; →N.f()",
    "import ◆d from './d'; →d",
    "function ◆f(a: string): void; function ◆f(a: number): void; →f(1)",
    "const f = ◆x => →x",
    "class ◆A { m() { return new →A() } }",
    "interface A {\n  <◆T extends string>(a: →T): T\n}\n",
    "interface A {\n  b: X<T>\n  // c\n  <◆T>(a: →T): T\n}\n"
  ],
  "a.tsx": ["const a = f(<T extends B<C>>(x: T) => 1)\nconst ◆y = <b />\n→y"],
  "a.js": ["const { ◆a } = require('./b'); →a()", "function f() { if (1) { var ◆v = 1 } return →v }"],
  "a.py": [
    "x = 1\ndef f(◆x, *args):\n    return →x\n",
    "◆x = 1\ndef f():\n    return →x\n",
    "class A:\n    x = 1\n    def f(self):\n        return →x\n",
    "a = [◆i for i in z if →i]\n".replace("◆i for i", "i for ◆i"),
    "f = lambda ◆u, v=1: →u\n",
    "def f():\n    for a, (◆b, c) in z:\n        →b\n",
    "try:\n    pass\nexcept E as ◆err:\n    →err\n",
    "with open(p) as ◆fh:\n    →fh\n",
    "if (◆n := 3):\n    →n\n",
    "from m import a as ◆b\n→b()\n",
    "def outer():\n    ◆x = 1\n    def inner():\n        return →x\n"
  ],
  "a.go": [
    "package p\nfunc f() {\n\ta.b = false\n\tif c, ◆err := g(); →err != nil {}\n}\n",
    "package p\nfunc f() {\n\ta, ◆err := g()\n\tb, err := g()\n\t→err\n}\n",
    "package p\nfunc f() {\n\ta, err := g()\n\tif b, ◆err := g(); x {\n\t\t→err\n\t}\n}\n",
    "package p\nvar x = 1\nfunc f(◆x int) int { return →x }\n",
    "package p\nfunc f() { ◆a, b := g(); _ = →a + b }\n",
    "package p\nfunc f() { if ◆v, ok := m[1]; ok { _ = →v } }\n",
    "package p\nfunc f() { x := 1; { ◆x := 2; _ = →x }; _ = x }\n",
    "package p\nfunc f() { ◆x := 1; { x := 2; _ = x }; _ = →x }\n",
    "package p\nfunc f() { for ◆i, v := range all { _ = →i; _ = v } }\n",
    "package p\nfunc (◆s *S) M() { →s.x() }\n",
    "package p\nfunc f() (◆err error) { →err = nil; return }\n",
    'package p\nimport ◆q "a/b"\nfunc f() { →q.X() }\n'
  ],
  "a.rs": [
    "fn f(◆x: u8) -> u8 { →x }",
    "fn f() { let x = 1; let ◆x = 2; →x; }",
    "fn f() { if let Some(◆q) = o { →q } }",
    "fn f() { match y { E::B(◆n) => →n, _ => 0 } }",
    "fn f() { let c = |◆u, v| →u + v; }",
    "fn f() { for ◆i in 0..3 { →i; } }",
    "use a::b as ◆c; fn f() { →c() }",
    "fn f() { let (◆a, mut b) = t; →a; }"
  ],
  "a.c": [
    "int x; int f(int ◆x) { return →x; }",
    "int ◆x; int f(int y) { return →x; }",
    "int f(void) { int x; { int ◆x = 2; return →x; } }",
    "int f(void) { for (int ◆i = 0; →i < 3; i++) {} }",
    "struct ◆foo { int a; }; int foo; struct →foo *p;",
    "struct foo { int a; }; int ◆foo; int g(void) { return →foo; }",
    "#define ◆MAX(a) a\nint f(void) { return →MAX(1); }",
    "enum e { ◆A, B }; int f(void) { return →A; }",
    "SYSCALL_DEFINE2(read, unsigned int, ◆fd, char *, buf)\n{\n\treturn f(→fd);\n}\n"
  ],
  "a.cpp": [
    "int f(const T& ◆x) { return →x.y; }",
    "int f() { auto l = [&](int ◆w) { return →w; }; }",
    "int f() { for (auto& ◆i : v) { →i.m(); } }",
    "class ◆A {}; int f() { →A a; }"
  ],
  "A.java": [
    "class A { int x; void m(int ◆x) { f(→x); } }",
    "class A { void m() { for (int ◆i = 0; →i < 3; i++) {} } }",
    "class A { void m() { F g = (◆a, b) -> →a; } }",
    "class A { void m() { try {} catch (E ◆e) { →e.p(); } } }",
    "class A { void m() { if (o instanceof Foo ◆foo) { →foo.m(); } } }",
    "class ◆A { →A make() { return null; } }"
  ]
}

describe("declarationsOf", () => {
  for (const [path, texts] of Object.entries(scopes)) {
    for (const [at, marked] of texts.entries()) it(`${path}: scope ${at + 1}`, () => sees(path, marked))
  }
})

describe("occurrences", () => {
  const languages: Readonly<Record<string, string>> = {
    "a.ts": "// name\nconst s = 'name' + `name ${name}`; /* name */ const r = /name/",
    "a.py": '# name\ns = "name" + name\n"""name"""\n',
    "a.go": 'package p\n// name\nvar s = "name" + name + `name`\n',
    "a.rs": '// name\nfn f() { g("name", name); }',
    "a.c": '// name\n#define M(a) (a + name /* name */ + "name")\nchar *s = "name";',
    "A.java": 'class A { /** name */ String s = "name" + name; }'
  }
  for (const [path, text] of Object.entries(languages)) {
    it(`${path}: leaves out comments and strings`, async () => {
      const file = await SourceFile.parse(path, text, { isOver: () => false })
      assert.strictEqual(file === undefined ? -1 : SourceFile.occurrences(file, "name").length, 1)
    })
  }

  it("knows members, calls, keys and types", async () => {
    const text = "const n = 1; a.n; b.n(); c({ n: 2 }); type T = n; n(); new n()"
    const file = await SourceFile.parse("a.ts", text, { isOver: () => false })
    const found =
      file === undefined
        ? []
        : SourceFile.occurrences(file, "n").map(({ isCall, role }) => `${role}${isCall ? "()" : ""}`)
    assert.deepStrictEqual(found, ["declaration", "member", "member()", "key", "type", "call()", "call()"])
  })
})

describe("typeOf", () => {
  const texts: Readonly<Record<string, ReadonlyArray<readonly [string, string | undefined]>>> = {
    "a.ts": [
      ["function f(a: Foo<B>) { a.→m() }", "Foo"],
      ["const a = new Foo(); a.→m()", "Foo"],
      ["class Foo { m() { this.→x } }", "Foo"],
      ["function f(a: Foo[]) { a.→m() }", undefined],
      ["class A { b: Foo; m() { this.b.→x } }", "Foo"]
    ],
    "a.py": [
      ["def f(a: Foo):\n    a.→m()\n", "Foo"],
      ["a = Foo(1)\na.→m()\n", "Foo"],
      ["class Foo:\n    def f(self):\n        self.→m()\n", "Foo"]
    ],
    "a.go": [
      ["package p\nfunc (s *Foo) M() { s.→m() }", "Foo"],
      ["package p\nfunc f() { a := &Foo{}; a.→m() }", "Foo"],
      ["package p\nfunc f(a pkg.Foo) { a.→m() }", "Foo"],
      ["package p\nfunc f() { a := NewFoo(1); a.→m() }", "Foo"]
    ],
    "a.rs": [
      ["fn f(a: &mut Foo) { a.→m() }", "Foo"],
      ["fn f() { let a = Foo::new(); a.→m() }", "Foo"],
      ["impl T for Foo { fn f(&self) { self.→m() } }", "Foo"]
    ],
    "a.c": [["int f(struct foo *a) { return a->→m; }", "foo"]],
    "a.cpp": [
      ["int Foo::f() { return this->→m(); }", "Foo"],
      ["int f() { auto a = new Foo(1); a->→m(); }", "Foo"]
    ],
    "A.java": [
      ["class A { void f(Foo a) { a.→m(); } }", "Foo"],
      ["class A { void f() { var a = new Foo(); a.→m(); } }", "Foo"],
      ["class Foo { void f() { this.→m(); } }", "Foo"]
    ]
  }
  for (const [path, cases] of Object.entries(texts)) {
    it(`${path}: the written type before a dot`, async () => {
      for (const [marked, type] of cases) {
        const { file, use } = await read(path, marked)
        assert.strictEqual(
          use?.receiver === undefined ? "no receiver" : SourceFile.typeOf(file, use.receiver),
          type,
          marked
        )
      }
    })
  }
})

describe("imports", () => {
  const shown = async (path: string, text: string) => {
    const file = await SourceFile.parse(path, text, { isOver: () => false })
    return (file === undefined ? [] : SourceFile.imports(file)).map(
      ({ exported, imported, local, target }) =>
        `${target}:${imported ?? "all"}:${local ?? "-"}${exported === undefined ? "" : `:${exported}`}`
    )
  }

  it("of TypeScript", async () => {
    const text =
      'import d, { a as b, type T } from "./x"\nimport * as N from "n"\nexport { q as r } from "./z"\nexport * from "./w"\nexport * as W from "./v"\nexport { b as c }\nconst { e, f: g } = require("./h")\nexport default b\n'
    assert.deepStrictEqual(await shown("a.ts", text), [
      "./x:default:d",
      "./x:a:b",
      "./x:T:T",
      "n:*:N",
      "./z:q:-:r",
      "./w:all:-:*",
      "./v:*:-:W",
      ":b:b:c",
      "./h:e:e",
      "./h:f:g",
      ":b:b:default"
    ])
  })

  it("of TypeScript, with names marked as types", async () => {
    const text = 'export { a, type B, type C as D, type as E, F } from "./x"\nexport type { G } from "./y"\n'
    assert.deepStrictEqual(await shown("a.ts", text), [
      "./x:a:-:a",
      "./x:B:-:B",
      "./x:C:-:D",
      "./x:type:-:E",
      "./x:F:-:F",
      "./y:G:-:G"
    ])
  })

  it("of other languages", async () => {
    assert.deepStrictEqual(
      await shown("a.py", "import a.b, c as d\nfrom .m import (x as y,  # note\n  z)\nfrom q import *\n"),
      ["a.b:*:a.b", "c:*:d:d", ".m:x:y:y", ".m:z:z:z", "q:all:-:*"]
    )
    assert.deepStrictEqual(await shown("a.go", 'package p\nimport (\n "fmt"\n x "a/b"\n . "c"\n "g/yaml/v3"\n)\n'), [
      "fmt:*:fmt",
      "a/b:*:x",
      "c:all:-",
      "g/yaml/v3:*:yaml"
    ])
    assert.deepStrictEqual(await shown("a.rs", "use std::io::{self, Read as R, *};\npub use crate::a::b;\nmod m;\n"), [
      "std:io:io:io",
      "std::io:Read:R:R",
      "std::io:all:-:*",
      "crate::a:b:b:b",
      "self::m:*:m:m"
    ])
    assert.deepStrictEqual(await shown("A.java", "import a.b.C; import static x.Y.z; import q.*; class A {}"), [
      "a.b.C:C:C",
      "x.Y:z:z",
      "q:all:-"
    ])
    assert.deepStrictEqual(await shown("a.c", '#include <linux/slab.h>\n# include "x.h"\n'), [
      "linux/slab.h:all:-:*",
      "./x.h:all:-:*"
    ])
  })
})

describe("hostile files", () => {
  const texts: Readonly<Record<string, string>> = {
    "nested.ts": `${"(".repeat(200_000)}x${")".repeat(200_000)}`,
    "members.ts": `x${".x".repeat(50_000)}`,
    "nested.c": `${"{".repeat(100_000)} x; ${"}".repeat(100_000)}`,
    "nested.py": `x = ${"[".repeat(50_000)}x${"]".repeat(50_000)}\n`,
    "use.rs": `use ${"a::{".repeat(5_000)}x${"}".repeat(5_000)};`,
    "words.go": `package p\nvar x = 1\n${"// x\nvar _ = x\n".repeat(20_000)}`,
    "text.java": "x ".repeat(100_000)
  }
  for (const [path, text] of Object.entries(texts)) {
    it(`${path}: ends, with at most 20,000 names`, async () => {
      const end = performance.now() + 300
      const file = await SourceFile.parse(path, text, { isOver: () => performance.now() > end })
      if (file === undefined) throw new Error("not parsed")
      const all = SourceFile.occurrences(file, "x")
      assert.isAtMost(all.length, 20_000)
      const last = all.at(-1)
      if (last !== undefined) SourceFile.declarationsOf(last, all, file)
      if (last?.receiver !== undefined) SourceFile.typeOf(file, last.receiver)
      SourceFile.imports(file)
    })
  }

  it("does not parse a too large file", async () => {
    assert.isUndefined(await SourceFile.parse("a.ts", " ".repeat(SourceFile.MAX_LENGTH + 1), { isOver: () => false }))
  })
})
