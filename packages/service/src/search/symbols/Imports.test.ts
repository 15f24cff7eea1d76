import { assert, describe, it } from "@effect/vitest"
import * as Imports from "./Imports.ts"

/** Asserts that a file imports another one. */
const imports = (path: string, line: string, imported: string) => {
  const keys = Imports.importsOf(path, line)
  assert.isTrue(
    Imports.keysOf(imported).some((key) => keys.includes(key)),
    `${line}: ${keys.join(" ")} has none of ${Imports.keysOf(imported).join(" ")}`
  )
}

describe("Imports", () => {
  it("connects a file with the files that it imports", () => {
    imports("kernel/fork.c", "#include <linux/list.h>", "include/linux/list.h")
    imports("lib/vtls/x.c", '# include "curl_setup.h"', "lib/curl_setup.h")
    imports("src/node/server/index.ts", 'import { a } from "./graph.ts"', "src/node/server/graph.ts")
    imports("src/node/a.ts", 'export * from "./server"', "src/node/server/index.ts")
    imports("src/a.ts", '} from "../lib/b.js"', "lib/b.ts")
    imports("lib/a.js", "const b = require('./b')", "lib/b.js")
    imports("src/flask/app.py", "from .json import dumps", "src/flask/json/__init__.py")
    imports("tests/test_a.py", "import flask", "src/flask/__init__.py")
    imports("src/flask/app.py", "from . import cli", "src/flask/cli.py")
    imports("cmd/root.go", '\t"example.com/app/pkg/text"', "pkg/text/text.go")
    imports("src/sync/mod.rs", "pub mod mpsc;", "src/sync/mpsc.rs")
    imports("src/a.rs", "use crate::sync::mpsc::Sender;", "src/sync/mpsc/mod.rs")
    imports("A.java", "import static com.example.text.Names.join;", "src/com/example/text/Names.java")
    imports("bin/a.rb", 'require "sinatra/base"', "lib/sinatra/base.rb")
  })

  it("keeps files of different folders and languages apart", () => {
    const keys = Imports.importsOf("src/a/x.ts", 'import "./util"\nimport "node:util"\nimport "util"')
    assert.notIncludeMembers([...keys], [...Imports.keysOf("src/b/util.ts")])
    assert.notIncludeMembers([...keys], [...Imports.keysOf("a/util.py")])
  })

  it("finds nothing in a file without imports, or in an unknown language", () => {
    assert.deepStrictEqual(Imports.importsOf("a.ts", "const text = 1"), [])
    assert.deepStrictEqual(Imports.importsOf("a.unknown", "#include <a.h>"), [])
    assert.deepStrictEqual(Imports.keysOf("a.unknown"), [])
  })
})
