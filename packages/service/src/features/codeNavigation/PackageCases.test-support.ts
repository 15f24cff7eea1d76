/** Repositories that declare packages, and a client that imports them. */
import { assert } from "@effect/vitest"

/** The packages, by the names of their repositories. */
export const packages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  lamp: {
    "package.json": '{"name": "lamp-root", "private": true}\n',
    "packages/web/package.json":
      '{"name": "@acme/lamp", "exports": {".": "./src/index.ts", "./draw": "./src/draw.ts"}}\n',
    "packages/web/src/index.ts":
      'export { paint as draw } from "./draw.ts"\nexport * as shapes from "./shapes.ts"\nexport default class Lamp {\n  light() {}\n}\n',
    "packages/web/src/draw.ts": "export const paint = () => 1\nexport const size = 2\n",
    "packages/web/src/shapes.ts": "export class Circle {\n  static make() {}\n}\n",
    "examples/fake/package.json": '{"name": "@acme/other"}\n',
    "examples/fake/index.ts": "export const other = 1\n"
  },
  common: {
    "package.json": '{"name": "acme-common", "main": "lib/index.js"}\n',
    "lib/index.js": "function retry() {}\nconst limit = 3\nmodule.exports = { retry, limit }\n"
  },
  gokit: {
    "go.mod": "module github.com/acme/gokit/v2\n",
    "log/log.go":
      "package log\n\ntype Logger struct{}\n\nfunc New() *Logger { return nil }\n\nfunc (l *Logger) Info() {}\n",
    "log/level.go": "package log\n\nconst Debug = 1\n",
    "tools/go.mod": "module github.com/acme/gokit/tools\n",
    "tools/gen/gen.go": "package gen\n\nfunc Run() {}\n"
  },
  pylamp: {
    "pyproject.toml": '[project]\nname = "acme-lamp"\n',
    "src/acme_lamp/__init__.py": "from .core import Lamp as Light\nfrom . import util\n",
    "src/acme_lamp/core.py": "class Lamp:\n    def light(self):\n        pass\n\n\ndef dim(level):\n    return level\n",
    "src/acme_lamp/util.py": "LIMIT = 3\n\n\ndef clamp(value):\n    return value\n"
  },
  soup: {
    "setup.py": "from setuptools import setup\n\nsetup(name='acmesoup4', packages=['as4'])\n",
    "as4/__init__.py": "class Soup:\n    pass\n"
  },
  rusty: {
    "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n',
    "crates/lamp-core/Cargo.toml": '[package]\nname = "lamp-core"\n',
    "crates/lamp-core/src/lib.rs": "pub mod shapes;\npub use shapes::Circle;\n\npub fn draw() {}\n",
    "crates/lamp-core/src/shapes.rs":
      "pub struct Circle;\n\nimpl Circle {\n    pub fn make() -> Self { Circle }\n}\n\npub fn area() {}\n"
  },
  jlamp: {
    "pom.xml":
      "<project><groupId>com.acme</groupId><artifactId>lamp-parent</artifactId><modules><module>core</module></modules></project>\n",
    "core/src/main/java/com/acme/lamp/Shape.java":
      "package com.acme.lamp;\n\npublic class Shape {\n  public enum State { OPEN }\n  public static int area() { return 1; }\n}\n"
  },
  jother: {
    "build.gradle": "group = 'com.acme'\n",
    "src/main/java/com/acme/other/Shape.java": "package com.acme.other;\n\npublic class Shape {}\n"
  },
  twin: {
    "package.json": '{"name": "acme-twin"}\n',
    "index.js": "exports.spin = function spin() {}\n"
  },
  twincopy: {
    "package.json": '{"name": "acme-twin"}\n',
    "index.js": "\nexports.spin = function spin() {}\n"
  }
}

/** A repository that imports the packages. */
export const client: Readonly<Record<string, string>> = {
  "web/app.ts":
    'import Lamp, { draw as render, shapes } from "@acme/lamp"\nimport { size } from "@acme/lamp/draw"\nimport * as lamp from "@acme/lamp"\nimport { other } from "@acme/other"\nimport { readFile } from "fs"\n\nrender(size)\nshapes.Circle.make()\nlamp.draw()\nnew Lamp()\nother\nreadFile()\n{\n  const lamp = { draw: () => 1 }\n  lamp.draw()\n}\n',
  "web/old.js":
    'const { retry } = require("acme-common")\nconst common = require("acme-common")\nconst { spin } = require("acme-twin")\n\nretry(common.limit)\nspin()\n',
  "go.mod": "module example.com/client\n",
  "main.go":
    'package main\n\nimport (\n\t"github.com/acme/gokit/tools/gen"\n\t"github.com/acme/gokit/v2/log"\n)\n\nfunc main() {\n\tlog.New().Info()\n\tprintln(log.Debug)\n\tgen.Run()\n}\n',
  "app.py":
    "import acme_lamp.core\nimport acme_lamp as al\nfrom acme_lamp import Light, util\nfrom acme_lamp.core import dim as darken\nfrom as4 import Soup\n\nLight()\nutil.clamp(1)\ndarken(2)\nacme_lamp.core.dim(3)\nal.util.clamp(al.util.LIMIT)\nSoup()\n",
  "star.py": "from acme_lamp.util import *\n\nclamp(1)\nprint(2)\n",
  "src/main.rs":
    "use lamp_core::shapes::{self, area};\nuse lamp_core::Circle as Round;\nuse lamp_core as lc;\n\nfn main() {\n    area();\n    shapes::area();\n    Round::make();\n    lamp_core::draw();\n    lamp_core::shapes::Circle::make();\n    lc::draw();\n}\n",
  "src/main/java/client/Main.java":
    "package client;\n\nimport com.acme.lamp.Shape;\nimport static com.acme.lamp.Shape.area;\n\nclass Main {\n  int run(Shape shape) { return area(); }\n  Object state = Shape.State.OPEN;\n}\n"
}

/**
 * Uses, each as the path, the start of the line, the text before the name in the line, the name, and the place of the
 * certain definition in another repository, if there is one.
 */
export const uses: ReadonlyArray<readonly [string, string, string, string, string | undefined]> = [
  ["web/app.ts", "render(", "", "render", "lamp packages/web/src/draw.ts:1"],
  ["web/app.ts", "render(", "render(", "size", "lamp packages/web/src/draw.ts:2"],
  ["web/app.ts", "import Lamp", "import Lamp, { ", "draw", "lamp packages/web/src/draw.ts:1"],
  ["web/app.ts", "shapes.", "", "shapes", "lamp packages/web/src/shapes.ts:1"],
  ["web/app.ts", "shapes.", "shapes.", "Circle", "lamp packages/web/src/shapes.ts:1"],
  ["web/app.ts", "shapes.", "shapes.Circle.", "make", "lamp packages/web/src/shapes.ts:2"],
  ["web/app.ts", "lamp.draw", "lamp.", "draw", "lamp packages/web/src/draw.ts:1"],
  ["web/app.ts", "new Lamp", "new ", "Lamp", "lamp packages/web/src/index.ts:3"],
  ["web/app.ts", "other", "", "other", undefined],
  ["web/app.ts", "readFile", "", "readFile", undefined],
  ["web/old.js", "retry(", "", "retry", "common lib/index.js:1"],
  ["web/old.js", "retry(", "retry(common.", "limit", "common lib/index.js:2"],
  ["web/old.js", "spin(", "", "spin", undefined],
  ["main.go", "\tlog.New", "\tlog.", "New", "gokit log/log.go:5"],
  ["main.go", "\tprintln", "\tprintln(log.", "Debug", "gokit log/level.go:3"],
  ["main.go", "\tgen.Run", "\tgen.", "Run", "gokit tools/gen/gen.go:3"],
  ["app.py", "Light()", "", "Light", "pylamp src/acme_lamp/core.py:1"],
  ["app.py", "util.clamp", "util.", "clamp", "pylamp src/acme_lamp/util.py:4"],
  ["app.py", "util.clamp", "", "util", "pylamp src/acme_lamp/util.py:1"],
  ["app.py", "darken(", "", "darken", "pylamp src/acme_lamp/core.py:6"],
  ["app.py", "acme_lamp.core.dim", "acme_lamp.core.", "dim", "pylamp src/acme_lamp/core.py:6"],
  ["app.py", "al.util", "al.util.", "clamp", "pylamp src/acme_lamp/util.py:4"],
  ["app.py", "al.util", "al.util.clamp(al.util.", "LIMIT", "pylamp src/acme_lamp/util.py:1"],
  ["app.py", "Soup()", "", "Soup", "soup as4/__init__.py:1"],
  ["star.py", "clamp", "", "clamp", "pylamp src/acme_lamp/util.py:4"],
  ["star.py", "print", "", "print", undefined],
  ["src/main.rs", "    area", "    ", "area", "rusty crates/lamp-core/src/shapes.rs:7"],
  ["src/main.rs", "    shapes::", "    shapes::", "area", "rusty crates/lamp-core/src/shapes.rs:7"],
  ["src/main.rs", "    Round", "    ", "Round", "rusty crates/lamp-core/src/shapes.rs:1"],
  ["src/main.rs", "    Round", "    Round::", "make", "rusty crates/lamp-core/src/shapes.rs:4"],
  ["src/main.rs", "    lamp_core::draw", "    lamp_core::", "draw", "rusty crates/lamp-core/src/lib.rs:4"],
  [
    "src/main.rs",
    "    lamp_core::shapes",
    "    lamp_core::shapes::Circle::",
    "make",
    "rusty crates/lamp-core/src/shapes.rs:4"
  ],
  ["src/main.rs", "    lc::", "    lc::", "draw", "rusty crates/lamp-core/src/lib.rs:4"],
  [
    "src/main/java/client/Main.java",
    "  int run",
    "  int run(",
    "Shape",
    "jlamp core/src/main/java/com/acme/lamp/Shape.java:3"
  ],
  [
    "src/main/java/client/Main.java",
    "  int run",
    "  int run(Shape shape) { return ",
    "area",
    "jlamp core/src/main/java/com/acme/lamp/Shape.java:5"
  ],
  [
    "src/main/java/client/Main.java",
    "  Object",
    "  Object state = Shape.",
    "State",
    "jlamp core/src/main/java/com/acme/lamp/Shape.java:4"
  ],
  [
    "src/main/java/client/Main.java",
    "  Object",
    "  Object state = Shape.State.",
    "OPEN",
    "jlamp core/src/main/java/com/acme/lamp/Shape.java:4"
  ],
  // A local variable hides the import.
  ["web/app.ts", "  lamp.draw", "  lamp.", "draw", undefined]
]

/** Returns the query of the position of a use. */
export const queryOf = (
  files: Readonly<Record<string, string>>,
  path: string,
  start: string,
  before: string
): string => {
  const line = (files[path] ?? "").split("\n").findIndex((one) => one.startsWith(start)) + 1
  assert.isAbove(line, 0, `${start} in ${path}`)
  return String(new URLSearchParams({ path, line: String(line), column: String(before.length) }))
}

/**
 * Names, each as the repository, the path, the start of the line, the text before the name in the line, the name, and
 * its certain uses in repositories other than the one that defines the name.
 */
export const references: ReadonlyArray<readonly [string, string, string, string, string, ReadonlyArray<string>]> = [
  [
    "lamp",
    "packages/web/src/draw.ts",
    "export const paint",
    "export const ",
    "paint",
    ["web/app.ts:1", "web/app.ts:7", "web/app.ts:9"]
  ],
  ["lamp", "packages/web/src/draw.ts", "export const size", "export const ", "size", ["web/app.ts:2", "web/app.ts:7"]],
  ["common", "lib/index.js", "function retry", "function ", "retry", ["web/old.js:1", "web/old.js:5"]],
  ["gokit", "log/log.go", "func New", "func ", "New", ["main.go:9"]],
  ["pylamp", "src/acme_lamp/core.py", "def dim", "def ", "dim", ["app.py:4", "app.py:9", "app.py:10"]],
  ["pylamp", "src/acme_lamp/util.py", "def clamp", "def ", "clamp", ["app.py:8", "app.py:11", "star.py:3"]],
  ["soup", "as4/__init__.py", "class Soup", "class ", "Soup", ["app.py:5", "app.py:12"]],
  [
    "rusty",
    "crates/lamp-core/src/shapes.rs",
    "pub fn area",
    "pub fn ",
    "area",
    ["src/main.rs:1", "src/main.rs:6", "src/main.rs:7"]
  ],
  [
    "jlamp",
    "core/src/main/java/com/acme/lamp/Shape.java",
    "public class",
    "public class ",
    "Shape",
    [3, 4, 7, 8].map((line) => `src/main/java/client/Main.java:${line}`)
  ],
  // From a use in another repository.
  ["client", "web/old.js", "retry(", "", "retry", ["web/old.js:1", "web/old.js:5"]],
  ["twin", "index.js", "exports.spin", "exports.", "spin", []]
]
