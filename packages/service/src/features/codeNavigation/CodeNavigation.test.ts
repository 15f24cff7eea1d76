import { assert, layer } from "@effect/vitest"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { commit, git } from "../../git/Fixture.test-support.ts"
import * as Forge from "../../main/Forge.test-support.ts"
import { definitions, files, positionOf, uses } from "./NavigationCases.test-support.ts"

const { TestForge } = Forge

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

const queryOf = (path: string, start: string, name: string): string => {
  const { column, line } = positionOf(path, start, name)
  return String(new URLSearchParams({ path, line: String(line), column: String(column) }))
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
      for (const [path, start, name, expected] of definitions) {
        const { json } = yield* get(`/tongs${base}/demo/references/${name}?${queryOf(path, start, name)}`)
        const found = json.items.map(
          (one: { readonly path: string; readonly line: number; readonly repo: string }) =>
            `${one.repo === "demo" ? "" : `${one.repo} `}${one.path}:${one.line}`
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
      const [defined, references, found] = yield* Effect.all(
        [
          get(`/tongs${base}/deep/definitions/nested?${query}`),
          get(`/tongs${base}/deep/references/nested?${query}`),
          get(`/tongs${base}/demo/definitions/load`)
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([defined.status, references.status], [200, 200])
      assert.isAbove(found.json.total_count, 0)
    })
  )
})
