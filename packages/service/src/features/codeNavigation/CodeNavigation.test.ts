import { assert, layer } from "@effect/vitest"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { commit, git } from "../../git/Fixture.test-support.ts"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

/** Each name has several definitions. Only scopes, imports and types lead to the right definition. */
const files = {
  "web/package.json": '{ "name": "@demo/web" }',
  "web/src/index.ts": 'export * from "./shapes.ts"\nexport { draw as paint } from "./draw.ts"\n',
  "web/src/shapes.ts":
    "/** A shape with an area. */\nexport class Shape {\n  size = 1\n  area(): number {\n    return this.size\n  }\n}\n",
  "web/src/draw.ts":
    'import { Shape } from "./shapes.ts"\n\n/**\n * Draws a shape.\n */\nexport const draw = (shape: Shape, size: number): string => {\n  // draw the area\n  return `${shape.area()} ${size} draw`\n}\n',
  "web/src/other.ts":
    "export class Circle {\n  area(): number {\n    return 3\n  }\n}\nexport const draw = (size: number) => size\nexport const size = 2\n",
  "web/src/app.ts":
    'import { paint, Shape } from "@demo/web"\nimport * as Other from "./other.ts"\n\nexport const app = () => {\n  const shape = new Shape()\n  return paint(shape, Other.size) + Other.draw(shape.area())\n}\n',
  "web/src/kind.ts": 'export type Kind<T = string> = T\nexport const kindOf = (): Kind => "a"\n',
  "web/src/kinds.ts": 'export { kindOf, type Kind } from "./kind.ts"\n',
  "web/src/useKind.ts": 'import { type Kind } from "./kinds.ts"\nexport const one: Kind = "b"\n',
  "web/src/Card.vue":
    '<script setup>\nimport { kindOf } from "./kind"\nconst shape = { area() {} }\nshape.area()\nkindOf()\n</script>\n',
  "web/src/tree.ts":
    "interface Base {\n  at: number\n}\nexport interface Leaf extends Base {\n  kind: Kinds.LEAF\n  label: string\n}\nexport interface Branch extends Base {\n  kind: Kinds.BRANCH\n  label: { word: string }\n  leaf: Leaf | undefined\n  items: Array<Leaf>\n}\nexport type Tree = Leaf | Branch\nexport type Walk = (branch: Branch, leaf: Leaf) => void\nexport enum Kinds {\n  LEAF,\n  BRANCH\n}\nexport const leafOf = (branch: Branch): Leaf | undefined => branch.leaf\n",
  "web/src/walk.ts": [
    'import { Kinds, type Leaf, type Branch, type Walk, leafOf } from "./tree.ts"',
    "export const run = (branch: Branch, other: any) => {",
    "  branch.leaf!.label",
    "  branch.label",
    "  for (const one of branch.items) one.label",
    "  branch.items.filter((one) => one.label)",
    "  branch.items.find(Boolean)?.label",
    "  const found = leafOf(branch) ?? (other as Leaf)",
    "  found.label",
    "  const { label } = branch.items[0]",
    "  const { leaf } = branch",
    "  leaf.label",
    "  branch.items.push({ kind: Kinds.LEAF, at: 1, label })",
    '  const made: Leaf = { kind: Kinds.LEAF, at: 2, label: "a" }',
    '  const wrong = { kind: Kinds.BRANCH, at: 2, label: "a" }',
    '  const more = { kind: Kinds.LEAF, at: 2, size: 1, label: "a" }',
    '  const item: Branch["items"][0] = { kind: Kinds.LEAF, at: 3, label: "a" }',
    "  ;(other as HTMLElement).label",
    "  return [made, wrong, more, item]",
    "}",
    "export const walk: Walk = (branch, leaf) => {",
    "  branch.label",
    "  leaf.label",
    "}",
    ""
  ].join("\n"),
  "web/src/hooks.ts":
    "export interface Hooks {\n  leave(): void\n}\nexport const make = () => {\n  const hooks: Hooks = {\n    leave() {}\n  }\n  return hooks\n}\nexport interface Other {\n  leave(): void\n}\nexport const stopped = run({\n  stop() {}\n})\nstopped.stop()\n",
  "web/src/useHooks.ts":
    'import type { Hooks, Other } from "./hooks.ts"\nexport const use = (hooks: Hooks, other: Other) => {\n  hooks.leave()\n  other.leave()\n}\n',
  "web/src/pair.ts":
    "export const pair = (options: { first: number }) => {\n  return { second: options.first }\n}\nexport const other = { first: 1, second: 2 }\n",
  "web/src/usePair.ts": 'import { pair } from "./pair.ts"\nconst made = pair({ first: 1 })\nmade.second\n',
  "web/src/elements.d.ts": "interface IntrinsicElements {\n  section: object\n}\nconst section = 1\n",
  "web/src/page.tsx": "export const page = () => <section>section</section>\n",
  "lib/store.py":
    'class Base:\n    def load(self):\n        """Reads from the disk."""\n        return 1\n\n\nclass Store(Base):\n    def load(self):\n        return super().load()\n\n\ndef load(path):\n    return path\n',
  "lib/__init__.py": "from .store import load as read\n",
  "main.py": "from lib import read\n\nprint(read(1))\n",
  "go/util/util.go": "package util\n\n// Max returns the larger number.\nfunc Max(a, b int) int {\n\treturn a\n}\n",
  "go/other/other.go": "package other\n\nfunc Max(a int) int {\n\treturn a\n}\n",
  "go/shape/shape.go":
    "package shape\n\ntype Base struct{ Name string }\n\ntype Shape struct {\n\tBase\n\tSize int\n}\n\nfunc New() (*Shape, error) { return nil, nil }\n\nfunc (s *Shape) Grow() []Shape { return nil }\n",
  "go/shape/other.go": "package shape\n\ntype Other struct{ Size, Name string }\n\nfunc (o Other) Grow() {}\n",
  "go/shape/use.go":
    "package shape\n\nfunc use(others map[string]*Other) {\n\tone, err := New()\n\tfor _, part := range one.Grow() {\n\t\tprintln(part.Size, part.Name)\n\t}\n\tothers[err.Error()].Grow()\n\t_ = []*Other{{Size: one.Name}}\n}\n",
  "go/main.go":
    'package main\n\nimport "example.com/demo/go/util"\n\nfunc main() {\n\tmax := util.Max(1, 2)\n\tprintln(max)\n}\n',
  "c/include/demo/list.h": "#define LIMIT 3\nint push(int a);\nstruct item { int a; };\n",
  "c/src/list.c": '#include "demo/list.h"\n\n/* Adds a number. */\nint push(int a)\n{\n\treturn a + LIMIT;\n}\n',
  "c/src/use.c":
    '#include "demo/list.h"\n\nstatic int other(struct item *item)\n{\n\treturn push(item->a) + LIMIT; /* push */\n}\n',
  "c/tools/push.c": "#define LIMIT 4\nstatic int push(int a)\n{\n\treturn a;\n}\n",
  "java/src/a/Shape.java":
    "package a;\n\npublic class Shape {\n  enum State { OPEN }\n  public int area() { return 1; }\n}\n",
  "java/src/b/Shape.java":
    "package b;\n\npublic class Shape {\n  enum State { OPEN }\n  public int area() { return 2; }\n}\n",
  "java/src/c/Main.java":
    "package c;\n\nimport b.Shape;\n\nclass Main {\n  int run(Shape shape) { return shape.area(); }\n  Object state = Shape.State.OPEN;\n}\n",
  "rust/src/lib.rs": "mod near;\nmod far;\nuse crate::far::Item;\n\nfn run(item: Item) -> u8 {\n    item.take()\n}\n",
  "rust/src/near.rs": "pub struct Item;\nimpl Item {\n    pub fn take(&self) -> u8 { 1 }\n}\n",
  "rust/src/far.rs": "pub struct Item;\nimpl Item {\n    pub fn take(&self) -> u8 { 2 }\n}\n"
}

/** A repository that imports packages of the other one. */
const client = {
  "a.ts": 'import { draw } from "@demo/web/draw"\nimport { Shape } from "@demo/web"\n\ndraw(new Shape(), 1)\n',
  "go.mod": "module example.com/client\n",
  "main.go": 'package main\n\nimport "example.com/shared/util"\n\nfunc main() {\n\tutil.Least(1, 2)\n}\n'
}

const shared = {
  "go.mod": "module example.com/shared\n",
  "util/least.go": "package util\n\nfunc Least(a, b int) int {\n\treturn a\n}\n",
  "other/least.go": "package other\n\nfunc Least(a int) int {\n\treturn a\n}\n"
}

/** Uses, each as the path, the text of the line, the name in it, and the place of the definition. */
const uses: ReadonlyArray<readonly [string, string, string, string]> = [
  ["web/src/app.ts", "  return paint(", "paint", "web/src/draw.ts:6"],
  ["web/src/app.ts", "  return paint(", "draw", "web/src/other.ts:6"],
  ["web/src/app.ts", "  return paint(", "area", "web/src/shapes.ts:4"],
  ["web/src/app.ts", "  return paint(", "shape", "web/src/app.ts:5"],
  ["web/src/app.ts", "  return paint(", "Other", "web/src/other.ts:1"],
  ["web/src/draw.ts", "  return `", "size", "web/src/draw.ts:6"],
  ["web/src/draw.ts", "  return `", "area", "web/src/shapes.ts:4"],
  ["web/src/shapes.ts", "    return this", "size", "web/src/shapes.ts:3"],
  ["lib/store.py", "        return super", "load", "lib/store.py:2"],
  ["main.py", "print(", "read", "lib/store.py:12"],
  ["go/main.go", "\tmax :=", "Max", "go/util/util.go:4"],
  ["go/main.go", "\tprintln", "max", "go/main.go:6"],
  ["go/shape/use.go", "\tfor _", "Grow", "go/shape/shape.go:12"],
  ["go/shape/use.go", "\t\tprintln", "Size", "go/shape/shape.go:7"],
  ["go/shape/use.go", "\t\tprintln", "Name", "go/shape/shape.go:3"],
  ["go/shape/use.go", "\tothers", "Grow", "go/shape/other.go:5"],
  ["go/shape/use.go", "\t_ = []", "Size", "go/shape/other.go:3"],
  ["web/src/pair.ts", "  return", "first", "web/src/pair.ts:1"],
  ["web/src/usePair.ts", "made", "second", "web/src/pair.ts:2"],
  ["web/src/usePair.ts", "const made", "first", "web/src/pair.ts:1"],
  ["web/src/page.tsx", "export", "section", "web/src/elements.d.ts:2"],
  ["c/src/use.c", "\treturn push", "push", "c/src/list.c:4"],
  ["c/src/use.c", "\treturn push", "LIMIT", "c/include/demo/list.h:1"],
  ["c/src/use.c", "\treturn push", "item", "c/src/use.c:3"],
  ["c/src/use.c", "static int", "item", "c/include/demo/list.h:3"],
  ["c/tools/push.c", "static int", "push", "c/tools/push.c:2"],
  ["java/src/c/Main.java", "  int run", "area", "java/src/b/Shape.java:5"],
  ["java/src/c/Main.java", "  Object state", "OPEN", "java/src/b/Shape.java:4"],
  ["java/src/c/Main.java", "  int run", "Shape", "java/src/b/Shape.java:3"],
  ["rust/src/lib.rs", "fn run", "Item", "rust/src/far.rs:1"],
  ["rust/src/lib.rs", "    item.take", "take", "rust/src/far.rs:3"]
]

const queryOf = (path: string, start: string, name: string): string => {
  const text = Object.entries(files).find(([own]) => own === path)?.[1] ?? ""
  const lines = text.split("\n")
  const line = lines.findIndex((one) => one.startsWith(start))
  const column = lines[line]?.search(new RegExp(`\\b${name}\\b`)) ?? -1
  assert.notStrictEqual(column, -1, `${path} ${name}`)
  return String(new URLSearchParams({ path, line: String(line + 1), column: String(column) }))
}

/** Each class is inside the preceding class. */
const deep = Object.fromEntries(
  Array.from({ length: 2 }, (_, at) => [`Deep${at}.java`, "class nested {".repeat(5_000)])
)

/** Versions of a repository. Version 1 has other lines, files and kinds of definitions. */
const older = {
  "src/shape.ts": "// Shapes.\n\nexport class Shape {\n  edges = 3\n}\n",
  "src/use.ts": 'import { Shape } from "./shape.ts"\nexport const old = new Shape().edges\n',
  "src/gone.ts": "export enum Color {\n  RED\n}\nexport const gone = () => Color.RED\n"
}
const newer = {
  "src/shape.ts": "export class Shape {\n  edges = 4\n}\n",
  "src/use.ts": 'import { Shape } from "./shape.ts"\n\nexport const young = new Shape().edges\n',
  "src/gone.ts": "export {}\n"
}

const prepare = (repos: string) => {
  Forge.repository(repos, "demo", files)
  Forge.repository(repos, "deep", deep)
  Forge.repository(repos, "client", client)
  Forge.repository(repos, "shared", shared)
  Forge.repository(repos, "versions", older)
  git(join(repos, "versions"), ["tag", "v1"])
  commit(join(repos, "versions"), newer, "second")
}

layer(Forge.layer(prepare))("code navigation", (it) => {
  it.effect("leads from an import of a package to the repository that has it", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const cases = [
        ["a.ts", 4, 0, "draw", "demo web/src/draw.ts:6"],
        ["a.ts", 4, 9, "Shape", "demo web/src/shapes.ts:2"],
        ["main.go", 6, 6, "Least", "shared util/least.go:3"]
      ] as const
      for (const [path, line, column, name, expected] of cases) {
        const { json } = yield* get(
          `/tongs${base}/client/definitions/${name}?path=${path}&line=${line}&column=${column}`
        )
        const certain = json.items.flatMap(
          (one: { readonly certain?: boolean; readonly repo: string; readonly path: string; readonly line: number }) =>
            one.certain === true ? [`${one.repo} ${one.path}:${one.line}`] : []
        )
        assert.deepStrictEqual(certain, [expected], `${name} in ${path}`)
      }
    })
  )

  it.effect("leads from a use to its definition", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      for (const [path, start, name, expected] of uses) {
        const { json } = yield* get(`/tongs${base}/demo/definitions/${name}?${queryOf(path, start, name)}`)
        const [first] = json.items
        assert.strictEqual(`${first?.path}:${first?.line}`, expected, `${name} in ${path}`)
      }
    })
  )

  it.effect("adds the signature and the documentation", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const described = function* (path: string, start: string, name: string) {
        const { json } = yield* get(`/tongs${base}/demo/definitions/${name}?${queryOf(path, start, name)}`)
        const { certain, documentation, signature } = json.items[0]
        return [certain, signature, documentation]
      }
      assert.deepStrictEqual(yield* described("web/src/app.ts", "  return paint(", "paint"), [
        true,
        "export const draw = (shape: Shape, size: number): string",
        "Draws a shape."
      ])
      assert.deepStrictEqual(yield* described("lib/store.py", "        return super", "load"), [
        true,
        "def load(self)",
        "Reads from the disk."
      ])
      assert.deepStrictEqual(yield* described("go/main.go", "\tmax :=", "Max"), [
        true,
        "func Max(a, b int) int",
        "Max returns the larger number."
      ])
      assert.deepStrictEqual(yield* described("c/src/use.c", "\treturn push", "push"), [
        true,
        "int push(int a)",
        "Adds a number."
      ])
    })
  )

  it.effect("lists the uses of a definition, without comments, strings and other definitions", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const cases = [
        ["web/src/draw.ts", "export const", "draw", ["web/src/app.ts:1", "web/src/app.ts:6", "web/src/index.ts:2"]],
        ["web/src/draw.ts", "export const", "size", ["web/src/draw.ts:8"]],
        ["web/src/shapes.ts", "  area", "area", ["web/src/app.ts:6", "web/src/draw.ts:8"]],
        [
          "web/src/kind.ts",
          "export type",
          "Kind",
          ["web/src/kind.ts:2", "web/src/kinds.ts:1", "web/src/useKind.ts:1", "web/src/useKind.ts:2"]
        ],
        [
          "web/src/kind.ts",
          "export const",
          "kindOf",
          ["web/src/Card.vue:2", "web/src/Card.vue:5", "web/src/kinds.ts:1"]
        ],
        [
          "web/src/tree.ts",
          "  label: string",
          "label",
          [3, 5, 6, 7, 9, 10, 12, 13, 14, 17, 23].map((line) => `web/src/walk.ts:${line}`).toSorted()
        ],
        ["web/src/hooks.ts", "  stop", "stop", ["web/src/hooks.ts:16"]],
        ["web/src/hooks.ts", "    leave", "leave", ["web/src/useHooks.ts:3"]],
        ["c/src/list.c", "int push", "push", ["c/include/demo/list.h:2", "c/src/use.c:5"]],
        ["go/util/util.go", "func Max", "Max", ["go/main.go:6"]]
      ] as const
      for (const [path, start, name, expected] of cases) {
        const { json } = yield* get(`/tongs${base}/demo/references/${name}?${queryOf(path, start, name)}`)
        const found = json.items.map(
          (one: { readonly path: string; readonly line: number }) => `${one.path}:${one.line}`
        )
        assert.deepStrictEqual(found.toSorted(), expected, `${name} in ${path}`)
        assert.strictEqual(json.total_count, expected.length)
      }
    })
  )

  it.effect("finds definitions and uses at another ref", () =>
    Effect.gen(function* () {
      const { base, get, repos } = yield* TestForge
      const v1 = git(join(repos, "versions"), ["rev-parse", "v1"])
      const list = Effect.fnUntraced(function* (kind: string, name: string, query: string) {
        const { json } = yield* get(`/tongs${base}/versions/${kind}/${name}?${query}`)
        const here = json.items.filter(({ repo }: { readonly repo: string }) => repo === "versions")
        for (const { commit } of query.includes("ref=v1") ? here : []) assert.strictEqual(commit, v1)
        return here.map((one: { readonly path: string; readonly line: number }) => `${one.path}:${one.line}`)
      })
      const at = "path=src/use.ts&line=2&column=24&ref=v1"
      assert.deepStrictEqual(yield* list("definitions", "Shape", at), ["src/shape.ts:3"])
      assert.deepStrictEqual(yield* list("definitions", "edges", "path=src/use.ts&line=2&column=32&ref=v1"), [
        "src/shape.ts:4"
      ])
      assert.deepStrictEqual(yield* list("references", "Shape", at), ["src/use.ts:1", "src/use.ts:2"])
      assert.deepStrictEqual(yield* list("references", "Shape", at.replace("v1", "HEAD")), [
        "src/use.ts:1",
        "src/use.ts:3"
      ])
      // Without a position. The grammar finds the member of an enumeration, which the index does not have.
      assert.deepStrictEqual(yield* list("definitions", "RED", "ref=v1"), ["src/gone.ts:2"])
      assert.deepStrictEqual(yield* list("definitions", "RED", ""), [])
      assert.deepStrictEqual(yield* list("references", "gone", "ref=v1"), [])
      assert.deepStrictEqual(yield* list("references", "Color", "ref=v1"), ["src/gone.ts:4"])
      assert.strictEqual((yield* get(`/tongs${base}/versions/definitions/RED?ref=absent`)).status, 404)
    })
  )

  it.effect("does not find a position in no file", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      for (const query of ["path=absent.ts&line=1", "path=a%0Ab.ts&line=1", "path=main.py&ref=absent&line=1"]) {
        assert.strictEqual((yield* get(`/tongs${base}/demo/definitions/load?${query}`)).status, 404, query)
      }
      for (const query of ["path=main.py&line=99999&column=-5", "path=main.py&line=-1", "path=main.py", "line=3"]) {
        assert.strictEqual((yield* get(`/tongs${base}/demo/definitions/load?${query}`)).status, 200, query)
      }
    })
  )

  it.effect("answers in deeply nested files, beside other searches", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const query = "path=Deep0.java&line=1&column=6"
      const [definitions, references, found] = yield* Effect.all(
        [
          get(`/tongs${base}/deep/definitions/nested?${query}`),
          get(`/tongs${base}/deep/references/nested?${query}`),
          get(`/tongs${base}/demo/definitions/load`)
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([definitions.status, references.status], [200, 200])
      assert.isAbove(found.json.total_count, 0)
    })
  )
})
