import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FakeForge from "../../FakeForge.test-support.ts"
import * as ModelDriver from "../../ModelDriver.test-support.ts"

const snapshot = "5".repeat(40)
const head = "6".repeat(40)

const tree = (changed: number) => ({
  available: true,
  commit: changed === 0 ? head : snapshot,
  head,
  branch: "main",
  changed_files: changed,
  files: Array.from({ length: changed }, (_, index) => ({ path: `src/${index}.ts`, status: "modified" })),
  incomplete_results: false,
  notes: []
})

const file = FakeForge.file("src/0.ts", "@@ -1 +1 @@\n-old\n+uncommitted line\n", 1, 1)

/** Opens the log of a forge whose work tree has changes. Records the requests. */
const openLog = Effect.fnUntraced(function* (options: FakeForge.Options & { readonly changed?: number }) {
  const requests: Array<string> = []
  const ui = yield* ModelDriver.start({
    searchesWorkTrees: true,
    ...options,
    onRequest: (path) => requests.push(path),
    respond: (path) =>
      path.endsWith("/work-tree")
        ? { body: tree(options.changed ?? 2) }
        : path.endsWith(`/commits/${snapshot}`)
          ? { body: { ...FakeForge.commits[0], sha: snapshot, files: [file] } }
          : undefined
  })
  yield* ui.until("Commit number 0")
  return { ...ui, requests }
})

const ROW = "2 uncommitted changes in the work tree"

describe("Uncommitted", () => {
  it.effect("is the row above the newest commit, which keeps the cursor, and opens the diff", () =>
    Effect.gen(function* () {
      const ui = yield* openLog({})
      const lines = yield* ui.until(ROW, "1/")
      const row = lines.findIndex((line) => line.includes(ROW))
      assert.match(lines[row + 1] ?? "", /❯ .*Commit number 0/)
      ui.press("k", "enter")
      yield* ui.until("+uncommitted line", "and 1 more file", `${ROW} of main`)
      ui.press("G", "enter")
      yield* ui.until("› 0.ts")
      // The file on disk, not the snapshot, which a newer one replaces.
      assert.deepStrictEqual(ui.session().routes.at(-1), {
        screen: "contents.get",
        arguments: { owner: "octo", repo: "hello", path: "src/0.ts", line: 1 }
      })
    })
  )

  it.effect("lets screen readers hear which files a screen shows", () =>
    Effect.gen(function* () {
      const ui = yield* openLog({})
      ui.press("tab", "tab", "tab")
      yield* ui.until("README.md", "work tree of main, 2 changed files")
      assert.deepStrictEqual(ui.view().announcement().introduction, ["work tree of main, 2 changed files"])
    })
  )

  it.effect("counts and reaches only commits", () =>
    Effect.gen(function* () {
      const ui = yield* openLog({})
      yield* ui.until(ROW)
      ui.press("G")
      yield* ui.until("251/251 commits", "Commit number 250")
      ui.press("g")
      const lines = yield* ui.until("251 commits", "❯")
      assert.isFalse(lines.some((line) => line.includes("/251 commits")))
    })
  )

  it.effect("does not exist for a clean work tree, and for a remote forge costs no request", () =>
    Effect.gen(function* () {
      const clean = yield* openLog({ changed: 0 })
      clean.press("G")
      yield* clean.until("251/251 commits")
      assert.isFalse(clean.text().some((line) => line.includes("uncommitted")))
      const remote = yield* openLog({ kind: "remote", searchesWorkTrees: false })
      remote.press("G")
      yield* remote.until("251/251 commits")
      assert.isFalse(remote.requests.some((path) => path.includes("work-tree")))
    })
  )
})
