/** A client that gives other names to packages, and repositories that declare packages with these names. */

const npm = (name: string, source: string) => ({ "package.json": JSON.stringify({ name }), "index.ts": source })

/** The packages, by the names of their repositories. */
export const packages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  lamp: npm("@acme/lamp", "export const draw = 1\nexport const dim = 2\n"),
  lodash: npm("lodash", "\nexport const draw = 0\n"),
  ui: npm("@ui/button", "export const button = 0\n"),
  ghost: npm("ghost", "export const ghost = 0\n"),
  linked: npm("linked", "export const far = 0\n"),
  helper: npm("helper", "export const help = 0\n"),
  golog: { "go.mod": "module github.com/acme/log\n", "log.go": "package log\n\nfunc Print() {}\n" },
  goother: { "go.mod": "module github.com/other/log\n", "log.go": "package log\n\n\nfunc Print() {}\n" },
  gonear: { "go.mod": "module github.com/acme/near\n", "near.go": "package near\n\nfunc Walk() {}\n" },
  crate: { "Cargo.toml": '[package]\nname = "lamp"\n', "src/lib.rs": "pub fn shine() {}\n" },
  lights: { "Cargo.toml": '[package]\nname = "acme-lights"\n', "src/lib.rs": "\npub fn shine() {}\n" },
  near: { "Cargo.toml": '[package]\nname = "near"\n', "src/lib.rs": "pub fn walk() {}\n" },
  pydir: {
    "pyproject.toml": '[project]\nname = "pydir"\n[tool.setuptools]\npackage-dir = {"" = "source"}\n',
    "source/pydir/__init__.py": "def glow():\n    pass\n"
  }
}

/** A repository that imports the packages. */
export const client: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    name: "client",
    imports: { "#dep": { node: "@acme/lamp" }, "#own/*": "./own/*.ts" },
    dependencies: { lodash: "npm:@acme/lamp@^1.0.0", linked: "file:../../linked", helper: "^1.0.0" }
  }),
  "own/thing.ts": "export const thing = 1\n",
  "web/tsconfig.json":
    '{\n  // The names of folders.\n  "compilerOptions": {\n    "paths": { "@ui/*": ["./ui/*"], "ghost": ["../../outside/ghost.ts"], /* last */ },\n  },\n}\n',
  "web/ui/button.ts": "export const button = 1\n",
  "web/app.ts":
    'import { draw } from "lodash"\nimport { button } from "@ui/button"\nimport { ghost } from "ghost"\nimport { dim } from "#dep"\nimport { thing } from "#own/thing"\nimport { far } from "linked"\nimport { help } from "helper"\n\ndraw\nbutton\nghost\ndim\nthing\nfar\nhelp\n',
  "tsconfig.base.json": '{ "compilerOptions": { "baseUrl": "./base" } }\n',
  "base/helper.ts": "export const help = 1\n",
  "plain/tsconfig.json": '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }\n',
  "plain/tsconfig.app.json": '{ "extends": "../tsconfig.base.json" }\n',
  "plain/app.ts": 'import { help } from "helper"\n\nhelp\n',
  "go.mod":
    "module example.com/client\n\nreplace (\n\tgithub.com/acme/log v1.0.0 => github.com/other/log v1.2.0 // fork\n\tgithub.com/acme/near => ./near\n)\n",
  "near/go.mod": "module github.com/acme/near\n",
  "near/near.go": "package near\n\nfunc Walk() {}\n",
  "main.go":
    'package main\n\nimport (\n\t"github.com/acme/log"\n\t"github.com/acme/near"\n)\n\nfunc main() {\n\tlog.Print()\n\tnear.Walk()\n}\n',
  "Cargo.toml":
    '[package]\nname = "client"\n[dependencies]\nlamp = { package = "acme-lights", version = "1" }\nnear = { path = "crates/close" }\n',
  "crates/close/src/lib.rs": "pub fn walk() {}\n",
  "src/main.rs": "use near::walk;\n\nfn main() {\n    lamp::shine();\n    walk();\n}\n",
  "app.py": "from pydir import glow\n\nglow()\n"
}

/** Uses, each as the path, the start of the line, the text before the name, the name, and the certain definitions. */
export const uses: ReadonlyArray<readonly [string, string, string, string, string]> = [
  ["web/app.ts", "draw", "", "draw", "lamp index.ts:1"],
  ["web/app.ts", "button", "", "button", "client web/ui/button.ts:1"],
  // The path of the alias is outside of the repository.
  ["web/app.ts", "ghost", "", "ghost", ""],
  ["web/app.ts", "dim", "", "dim", "lamp index.ts:2"],
  ["web/app.ts", "thing", "", "thing", "client own/thing.ts:1"],
  ["web/app.ts", "far", "", "far", ""],
  ["web/app.ts", "help", "", "help", "helper index.ts:1"],
  ["plain/app.ts", "help", "", "help", "client base/helper.ts:1"],
  ["main.go", "\tlog.Print", "\tlog.", "Print", "goother log.go:4"],
  ["main.go", "\tnear.Walk", "\tnear.", "Walk", "client near/near.go:3"],
  ["src/main.rs", "    lamp::", "    lamp::", "shine", "lights src/lib.rs:2"],
  ["src/main.rs", "    walk", "    ", "walk", "client crates/close/src/lib.rs:1"],
  ["app.py", "glow", "", "glow", "pydir source/pydir/__init__.py:1"]
]
