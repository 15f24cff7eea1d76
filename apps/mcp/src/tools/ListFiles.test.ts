import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Client from "./Repository.test-support.ts"
import * as ListFiles from "./ListFiles.ts"
import * as RunTool from "./RunTool.test-support.ts"

layer(Client.repository)("list_files", (it) => {
  const list = (args: Readonly<Record<string, unknown>>) => Client.call("list_files", args)

  it.effect("lists all files of a small repository, one line per folder", () =>
    Effect.gen(function* () {
      const { next, text } = yield* list({})
      assert.deepStrictEqual(Client.body(text), [
        "/: .gitmodules README.md big.txt empty.txt hidden.txt image.png large.bin latin.txt link@ long.js model.bin numbers.txt outside@ tabs.txt utf16.txt",
        "src/: greet.ts main.ts",
        'src/deep/: "a file.ts"',
        "src/deep/er/: x.test.ts",
        "vendor/: m/(submodule)"
      ])
      assert.isUndefined(next)
    })
  )

  it.effect("lists a folder, to a depth, and what a glob matches", () =>
    Effect.gen(function* () {
      const cases = [
        [{ path: "/src/", depth: 1 }, ["src/: greet.ts main.ts deep/(2)"]],
        [{ path: "src", glob: "*.test.ts" }, ["src/deep/er/: x.test.ts"]],
        [{ glob: "src/*.ts" }, ["src/: greet.ts main.ts"]],
        [{ glob: "src/d*" }, ["src/: deep/(2)"]],
        [{ glob: "/src/d*/" }, ['src/deep/: "a file.ts"', "src/deep/er/: x.test.ts"]],
        [{ glob: "**/{main,greet}.ts", ref: "main", repo: "root/hello" }, ["src/: greet.ts main.ts"]]
      ] as const
      for (const [args, lines] of cases)
        assert.deepStrictEqual(Client.body((yield* list(args)).text), [...lines], JSON.stringify(args))
      assert.include((yield* list({ glob: "*.rs" })).text, "No file matches the glob.")
    })
  )

  it.effect("explains a path that is no folder", () =>
    Effect.gen(function* () {
      const { text } = yield* list({ path: "src/dep/x" })
      assert.deepStrictEqual(Client.body(text), ["src/: greet.ts main.ts deep/(2)"])
      assert.include(text, "There is no such folder. A folder above it contains these names.")
      const deep = yield* list({ path: "src/".repeat(2_400) })
      assert.deepStrictEqual(Client.body(deep.text), ["src/: greet.ts main.ts deep/(2)"])
      const cases = [
        [{ path: "src/main.ts" }, "src/main.ts is a file: call read_file."],
        [{ glob: "{a,b" }, "Invalid glob"],
        [{ glob: "x".repeat(501) }, "Invalid glob"],
        [{ ref: "nowhere" }, "call list_repositories or list_refs"]
      ] as const
      for (const [args, message] of cases) {
        const { isError, text } = yield* list(args)
        assert.isTrue(isError)
        assert.include(text, message)
      }
    })
  )
})

const ROUTE = "GET /repos/octo/hello/git/trees"

const idOf = (sha: string) => sha.padEnd(40, "0")

const tree = (sha: string, names: ReadonlyArray<string>, truncated = false) => ({
  sha: idOf(sha),
  truncated,
  tree: names.map((name) => {
    const isFolder = name.endsWith("/")
    return {
      path: isFolder ? name.slice(0, -1) : name,
      mode: isFolder ? "040000" : "100644",
      type: isFolder ? "tree" : "blob",
      sha: (isFolder ? name.replaceAll(/[^0-9a-f]/g, "") : "f").padEnd(40, "0")
    }
  })
})

describe("list_files of a large repository", () => {
  const large = {
    [`${ROUTE}/HEAD?recursive=1`]: tree("1", ["a/", "a/x"], true),
    [`${ROUTE}/${idOf("1")}`]: tree("1", ["a/", "b/", "c"]),
    [`${ROUTE}/${idOf("a")}`]: tree("a", ["x", "y"]),
    [`${ROUTE}/${idOf("a")}?recursive=1`]: tree("a", ["x", "y"]),
    [`${ROUTE}/${idOf("b")}?recursive=1`]: tree("b", ["d/"], true),
    [`${ROUTE}/${idOf("b")}`]: tree("b", ["d/", "z"]),
    [`${ROUTE}/${idOf("d")}?recursive=1`]: tree("d", ["deep"])
  }

  it.effect("reads only the levels to show of a tree that is too large for one response", () =>
    Effect.gen(function* () {
      const one = yield* RunTool.run(ListFiles.make(), {}, large)
      assert.deepStrictEqual(Client.body(one.text), ["/: c a/(?) b/(?)"])
      assert.include(one.text, "files in folders marked (?) are missing")
      assert.lengthOf(one.requests, 2)
      const two = yield* RunTool.run(ListFiles.make(), { depth: 2 }, large)
      assert.deepStrictEqual(Client.body(two.text), ["/: c", "a/: x y", "b/: z d/(?)"])
    })
  )

  it.effect("reads the subtrees of such a tree for a glob", () =>
    Effect.gen(function* () {
      const { requests, text } = yield* RunTool.run(ListFiles.make(), { glob: "**" }, large)
      assert.deepStrictEqual(Client.body(text), ["/: c", "a/: x y", "b/: z", "b/d/: deep"])
      assert.lengthOf(requests, 6)
    })
  )

  it.effect("sends a limited number of requests, and names folders that it did not read", () =>
    Effect.gen(function* () {
      const folders = Array.from({ length: 60 }, (_, index) => `f${String(index).padStart(2, "0")}/`)
      const entry = { name: "a", path: "a", type: "dir", size: 0, sha: idOf("a"), url: "", _links: { self: "" } }
      const { requests, text } = yield* RunTool.run(
        ListFiles.make(),
        { path: "a", glob: "*" },
        {
          "GET /repos/octo/hello/contents": [entry],
          [`${ROUTE}/${idOf("a")}?recursive=1`]: tree("a", [], true),
          [`${ROUTE}/${idOf("a")}`]: tree("a", folders),
          ...Object.fromEntries(
            folders.map((name) => [`${ROUTE}/${idOf(name.slice(0, -1))}?recursive=1`, tree(name.slice(0, -1), ["x"])])
          )
        }
      )
      assert.match(text, /\na\/: f38\/\(\?\) f39\/\(\?\) .* f59\/\(\?\)\n/)
      assert.include(text, "a/f37/: x\n")
      assert.lengthOf(requests, 41)
    })
  )

  it.effect("collapses folders to fit, and continues with the same tree if that is not enough", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 3_000 }, (_, index) => `a-name-of-some-length-${index}.ts`)
      const entry = { name: "src", path: "src", type: "dir", size: 0, sha: idOf("2"), url: "", _links: { self: "" } }
      const responses = {
        [`${ROUTE}/HEAD?recursive=1`]: tree("1", ["src/", ...names.map((name) => `src/${name}`)]),
        "GET /repos/octo/hello/contents": [entry],
        [`${ROUTE}/${idOf("2")}?recursive=1`]: tree("2", names)
      }
      const root = yield* RunTool.run(ListFiles.make(), {}, responses)
      assert.deepStrictEqual(Client.body(root.text), ["/: src/(3000)"])
      const found: Array<string> = []
      let position: RunTool.Answered["position"]
      do {
        const answer = yield* RunTool.run(ListFiles.make(), { path: "src" }, responses, { position })
        found.push(...Client.body(answer.text).flatMap((line) => line.split(" ").slice(1)))
        assert.strictEqual(answer.requests.at(-1), `${ROUTE}/${idOf("2")}?recursive=1`)
        assert.lengthOf(answer.requests, position === undefined ? 2 : 1)
        position = answer.position
      } while (position !== undefined)
      assert.deepStrictEqual(found, names)
    })
  )

  it.effect("says that a repository is empty", () =>
    Effect.gen(function* () {
      const { text } = yield* RunTool.run(
        ListFiles.make(),
        {},
        {
          [`${ROUTE}/HEAD?recursive=1`]: { status: 409, message: "Git Repository is empty." }
        }
      )
      assert.include(text, "The repository is empty.")
    })
  )
})
