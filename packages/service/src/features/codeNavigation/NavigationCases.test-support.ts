/** Names whose definitions and uses are known. Only scopes, imports and types tell them apart. */
import { assert } from "@effect/vitest"

/** Each name has several definitions. Only scopes, imports and types lead to the right definition. */
export const files = {
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

/** Uses, each as the path, the text of the line, the name in it, and the place of the definition. */
export const uses: ReadonlyArray<readonly [string, string, string, string]> = [
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

/** Returns the position of a name in the line that starts with a text: the line from 1, the column from 0. */
export const positionOf = (path: string, start: string, name: string) => {
  const text = Object.entries(files).find(([own]) => own === path)?.[1] ?? ""
  const lines = text.split("\n")
  const line = lines.findIndex((one) => one.startsWith(start))
  const column = lines[line]?.search(new RegExp(`\\b${name}\\b`)) ?? -1
  assert.notStrictEqual(column, -1, `${path} ${name}`)
  return { path, line: line + 1, column }
}

/** Names of definitions, each as the path, the text of the line, the name in it, and the places of its uses. */
export const definitions: ReadonlyArray<readonly [string, string, string, ReadonlyArray<string>]> = [
  [
    "web/src/draw.ts",
    "export const",
    "draw",
    ["client a.ts:1", "client a.ts:4", "web/src/app.ts:1", "web/src/app.ts:6", "web/src/index.ts:2"]
  ],
  ["web/src/draw.ts", "export const", "size", ["web/src/draw.ts:8"]],
  ["web/src/shapes.ts", "  area", "area", ["web/src/app.ts:6", "web/src/draw.ts:8"]],
  [
    "web/src/kind.ts",
    "export type",
    "Kind",
    ["web/src/kind.ts:2", "web/src/kinds.ts:1", "web/src/useKind.ts:1", "web/src/useKind.ts:2"]
  ],
  ["web/src/kind.ts", "export const", "kindOf", ["web/src/Card.vue:2", "web/src/Card.vue:5", "web/src/kinds.ts:1"]],
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
]
