import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Stream } from "effect"
import { Forge } from "@tongs/core/client/Forge"
import { commit, folder, git } from "@tongs/service/git/Fixture.test-support"
import { repository } from "@tongs/service/main/Forge.test-support"
import { Connection } from "./Connection.ts"
import * as ConnectionLayer from "./ConnectionLayer.ts"

class Extended extends Context.Service<
  Extended,
  { readonly forge: Forge["Service"]; readonly at: { readonly owner: string; readonly repo: string } }
>()("@tongs/connection/Extensions.test/Extended") {}

/** The typed client over an embedded forge with one repository, in the dialect that has no extensions elsewhere. */
const extended = Layer.effect(
  Extended,
  Effect.gen(function* () {
    const root = yield* folder
    const path = repository(root, "here", {
      "src/old.ts": "export const parse = (text: string) => text\n\nexport class Reader {\n  read() {}\n}\n",
      "src/use.ts": 'import { parse } from "./old.ts"\nparse("a")\n',
      "guide.md": "Call parse first.\n",
      "logo.png": "\0\0"
    })
    git(path, ["mv", "src/old.ts", "src/parser.ts"])
    commit(path, {}, "Rename it")
    commit(path, { "src/use.ts": 'import { parse } from "./parser.ts"\nparse("a")\n' }, "Follow the name")
    const context = yield* Layer.build(
      Layer.fresh(
        ConnectionLayer.layer({ cwd: path, data: join(root, "data"), dialect: "github", limitsStore: "memory" })
      )
    )
    const at = { owner: Context.get(context, Connection).repository?.owner ?? "", repo: "here" }
    return Extended.of({ forge: Context.get(context, Forge), at })
  })
)

layer(extended)("the extensions of the contract over the embedded forge", (it) => {
  it.effect("search", () =>
    Effect.gen(function* () {
      const { at, forge } = yield* Extended
      const events = yield* Stream.runCollect(
        forge.codeSearch.search({ q: `parse repo:${at.owner}/here`, deadline: 60_000 })
      )
      const files = events.flatMap((event) => (event._tag === "File" ? [event.path] : []))
      assert.sameMembers(files, ["src/parser.ts", "src/use.ts", "guide.md"])
      assert.strictEqual(files[0], "src/parser.ts")
      const done = events.at(-1)
      assert.deepInclude(done, { _tag: "Done", files: 3, incomplete: [] })
      const wrong = yield* Effect.flip(Stream.runDrain(forge.codeSearch.search({ q: "/(/" })))
      assert.strictEqual(wrong._tag, "ValidationFailed")
      const { lines } = yield* forge.codeSearch.getMatches({ ...at, path: "src/use.ts", q: "parse" })
      assert.deepStrictEqual(
        lines.map(({ matches, number, text }) => [number, matches.map((range) => text.slice(...range))]),
        [
          [1, ["parse", "parse"]],
          [2, ["parse"]]
        ]
      )
    })
  )

  it.effect("definitions, references and outline", () =>
    Effect.gen(function* () {
      const { at, forge } = yield* Extended
      const found = yield* Stream.runCollect(forge.codeNavigation.listDefinitions({ ...at, name: "parse" }).items)
      assert.deepStrictEqual(
        found.map(({ kind, line, path, repo }) => [repo, path, line, kind]),
        [["here", "src/parser.ts", 1, "function"]]
      )
      const page = yield* forge.codeNavigation.listReferences({ ...at, name: "parse" }, { perPage: 1 }).first
      assert.deepInclude(page, { totalCount: 2, incompleteResults: false })
      const uses = yield* Stream.runCollect(
        forge.codeNavigation.listReferences({ ...at, name: "parse" }, { perPage: 1 }).items
      )
      // The result contains neither the definition nor the guide, which is in another language.
      assert.deepStrictEqual(
        uses.map(({ line, path }) => [path, line]),
        [
          ["src/use.ts", 1],
          ["src/use.ts", 2]
        ]
      )
      const { symbols } = yield* forge.codeNavigation.getOutline({ ...at, path: "src/parser.ts" })
      assert.deepStrictEqual(
        symbols.map(({ kind, name, scope }) => [name, kind, scope]),
        [
          ["parse", "function", undefined],
          ["Reader", "class", undefined],
          ["read", "method", "Reader"]
        ]
      )
    })
  )

  it.effect("blame, the history of a file across its rename, and activity", () =>
    Effect.gen(function* () {
      const { at, forge } = yield* Extended
      const { ranges } = yield* forge.history.getBlame({ ...at, path: "src/use.ts" })
      assert.deepStrictEqual(
        ranges.map(({ from, summary, to }) => [from, to, summary]),
        [
          [1, 1, "Follow the name"],
          [2, 2, "first"]
        ]
      )
      const file = { ...at, path: "src/parser.ts" }
      const changes = yield* Stream.runCollect(forge.history.listForFile(file, { perPage: 1 }).items)
      assert.deepStrictEqual(
        changes.map(({ path, summary }) => [path, summary]),
        [
          ["src/parser.ts", "Rename it"],
          ["src/old.ts", "first"]
        ]
      )
      const { days, latest } = yield* forge.history.getActivity({ ...at, days: 7 })
      assert.lengthOf(days, 7)
      assert.deepStrictEqual(
        latest.map(({ summary }) => summary),
        ["Follow the name", "Rename it", "first"]
      )
      const nothing = yield* Effect.flip(forge.history.listForFile({ ...at, path: "none" }).first)
      assert.strictEqual(nothing._tag, "NotFound")
    })
  )

  it.effect("the state of the index, and the files that it leaves out", () =>
    Effect.gen(function* () {
      const { at, forge } = yield* Extended
      const { repositories } = yield* forge.codeIndex.get()
      assert.deepInclude(repositories[0], { ...at, state: "ready", files: 4, left_out: 1 })
      const files = yield* Stream.runCollect(forge.codeIndex.listLeftOut(at).items)
      assert.deepStrictEqual(files, [{ path: "logo.png", size: 2, reason: "binary" }])
    })
  )
})
