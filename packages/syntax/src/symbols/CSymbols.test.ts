import { assert, describe, it } from "@effect/vitest"
import * as CSymbols from "./CSymbols.ts"

const limits = { symbols: 1_000, timeout: 10_000 }

/** Symbols as `line:column-endLine kind name scope`. */
const symbolsOf = (...lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  CSymbols.symbolsOf(lines.join("\n"), limits).map(({ column, endLine, isDeclaration, kind, line, name, scope }) =>
    [
      `${line}:${column}-${endLine}`,
      kind,
      name,
      ...((scope ?? []).length === 0 ? [] : [`in ${scope}`]),
      ...(isDeclaration ? ["declared"] : [])
    ].join(" ")
  )

const names = (...lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  CSymbols.symbolsOf(lines.join("\n"), limits).map(({ kind, name }) => `${kind} ${name}`)

describe("CSymbols", () => {
  it("finds functions behind attributes of the kernel", () => {
    assert.deepStrictEqual(
      symbolsOf(
        "static int __init foo_init(void)",
        "{",
        "\treturn 0;",
        "}",
        "static __always_inline __must_check void *kmalloc(size_t size, gfp_t flags) __attribute__((x))",
        "{ }",
        "static int __printf(2, 3) show(const char *fmt, ...);",
        "EXPORT_API(int) later(void) { }"
      ),
      ["1:18-4 function foo_init", "5:42-6 function kmalloc", "7:26-7 function show declared", "8:16-8 function later"]
    )
  })

  it("gives system calls and events the names that other files use", () => {
    assert.deepStrictEqual(
      names(
        "SYSCALL_DEFINE3(read, unsigned int, fd, char __user *, buf, size_t, count)",
        "{",
        "\treturn ksys_read(fd, buf, count);",
        "}",
        "TRACE_EVENT(sched_switch, TP_PROTO(int x), TP_ARGS(x));",
        "static DEFINE_PER_CPU(struct rq *, runqueues);",
        "static DEFINE_MUTEX(lock);"
      ),
      ["function sys_read", "function trace_sched_switch", "variable runqueues", "variable lock"]
    )
  })

  it("takes no call of a macro for a symbol", () => {
    assert.deepStrictEqual(
      names(
        "EXPORT_SYMBOL_GPL(kmalloc);",
        "module_init(foo_init);",
        'MODULE_LICENSE("GPL");',
        "PAGEFLAG(Uptodate, uptodate, PF_NO_TAIL)",
        "int after(void) { FOR_EACH(x) { call(x); } return if_true(1); }",
        "TEST_F(Suite, Case) { int local; }"
      ),
      ["function after"]
    )
  })

  it("finds fields, enumerators and types with their scope", () => {
    assert.deepStrictEqual(
      symbolsOf(
        "struct point {",
        "\tint x, *y;",
        "\tvoid (*move)(struct point *, int);",
        "\tstruct { unsigned a:3; } inner;",
        "\tu8 data[8] __aligned(4);",
        "} __packed;",
        "typedef struct { int z; } other_t;",
        "enum color { RED, GREEN = 1 << 2, };",
        "typedef unsigned int (*callback_t)(void *);"
      ),
      [
        "1:7-6 struct point",
        "2:5-2 field x in point",
        "2:9-2 field y in point",
        "3:8-3 field move in point",
        "4:19-4 field a in point",
        "4:26-4 field inner in point",
        "5:4-5 field data in point",
        "7:21-7 field z in other_t",
        "7:26-7 type other_t",
        "8:5-8 enum color",
        "8:13-8 enum_member RED in color",
        "8:18-8 enum_member GREEN in color",
        "9:23-9 type callback_t"
      ]
    )
  })

  it("finds macros, also in functions and over several lines", () => {
    assert.deepStrictEqual(
      symbolsOf(
        "#define ONE 1",
        "# define TWO(x) \\",
        "\tdo { x; } while (0)",
        "void f(void) {",
        "#define IN_F 3",
        "}"
      ),
      ["1:8-1 macro ONE", "2:9-3 macro TWO", "4:5-6 function f", "5:8-5 macro IN_F"]
    )
  })

  it("reads both branches of a condition from the same state", () => {
    assert.deepStrictEqual(
      names(
        "#ifdef CONFIG_X",
        "static int probe(struct a *x) {",
        "#else",
        "static int probe(struct b *x) {",
        "#endif",
        "#ifdef A",
        "\tif (x) {",
        "#else",
        "\tif (!x) {",
        "#endif",
        "\t}",
        "}",
        "#if 0",
        "int never(void) { {",
        "#endif",
        "int next(void) { }"
      ),
      ["function probe", "function next"]
    )
  })

  it("goes on after braces that do not match", () => {
    assert.deepStrictEqual(names("void f(void)", "{", "\tBEGIN {", "}", "", "void g(void)", "{", "}"), [
      "function f",
      "function g"
    ])
  })

  it("tells variables from their values and from declarations", () => {
    assert.deepStrictEqual(
      symbolsOf(
        "int a = f(1), *b, c[3];",
        "extern struct class input_class;",
        "static const struct ops table[] = {",
        "\t{ .open = x },",
        "};",
        "int proto(int a);"
      ),
      [
        "1:4-1 variable a",
        "1:15-1 variable b",
        "1:18-1 variable c",
        "2:20-2 variable input_class declared",
        "3:24-5 variable table",
        "6:4-6 function proto declared"
      ]
    )
  })

  it("finds members of C++ classes", () => {
    assert.deepStrictEqual(
      symbolsOf(
        "namespace a {",
        "template <typename T> class EXPORT Foo final : public Bar<T> {",
        " public:",
        "  explicit Foo(int x) : x_(x), v_{1} { call(); }",
        "  ~Foo() override = default;",
        "  bool operator==(const Foo& o) const { return true; }",
        "  std::vector<std::pair<int, T>> items_;",
        "  enum class Color : int { Red };",
        "  using Ptr = Foo*;",
        "};",
        "void Foo::bar(int x) const noexcept { }",
        "std::unique_ptr<Foo> make();",
        "}"
      ),
      [
        "1:10-13 module a",
        "2:35-10 class Foo in a",
        "4:11-4 method Foo in Foo",
        "5:2-5 method ~Foo in Foo",
        "6:7-6 method operator== in Foo",
        "7:33-7 field items_ in Foo",
        "8:13-8 enum Color in Foo",
        "8:27-8 enum_member Red in Color",
        "9:8-9 type Ptr in Foo",
        "11:10-11 method bar in Foo",
        "12:21-12 function make in a declared"
      ]
    )
  })

  it("stops at the limits in hostile text", () => {
    const size = 20_000
    const parts = [
      "{",
      "(",
      "[",
      "a<",
      "#if 1\n",
      "#if 0\n",
      "#else\n",
      "struct a {",
      "enum{",
      "a,",
      "a b{}",
      "/*",
      "'",
      'R"(',
      "}",
      "f(x"
    ]
    for (const part of parts) {
      assert.isAtMost(CSymbols.symbolsOf(part.repeat(size), limits).length, limits.symbols, part)
    }
    assert.lengthOf(CSymbols.symbolsOf("int a;\n".repeat(size), { symbols: 10, timeout: 10_000 }), 10)
    assert.isBelow(CSymbols.symbolsOf("int a;\n".repeat(size), { symbols: size, timeout: -1 }).length, size)
  })
})
