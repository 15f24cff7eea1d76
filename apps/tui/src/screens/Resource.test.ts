import { assert, describe, it } from "@effect/vitest"
import { allEntries } from "@tongs/core/contract/CatalogEntry"
import * as Route from "../content/Route.ts"
import * as StyledLine from "../text/StyledLine.ts"
import * as Places from "./Places.ts"
import * as ResourceDocument from "./ResourceDocument.ts"
import * as ResourceScreens from "./ResourceScreens.ts"
import * as ResourceTable from "./ResourceTable.ts"

const entryOf = (id: string) => allEntries().find((entry) => ResourceTable.idOf(entry) === id)

const subjectOf = (id: string) => {
  const entry = entryOf(id)
  return entry === undefined ? undefined : ResourceTable.subjectOf(entry)
}

const sha = "a".repeat(40)

describe("a generic screen", () => {
  it("is named by the subject of its operation", () => {
    assert.strictEqual(subjectOf("repositoryHooks.listDeliveries"), "deliveries")
    assert.strictEqual(subjectOf("repositoryHooks.getConfig"), "configuration")
    assert.strictEqual(subjectOf("codeIndex.get"), "code index")
    assert.strictEqual(subjectOf("pulls.checkIfMerged"), "merged")
    const entry = entryOf("gitTrees.get")
    assert.isDefined(entry)
    assert.strictEqual(ResourceScreens.make(entry).title({ tree_sha: sha }), "tree aaaaaaa")
  })

  it("has at most six tabs, among them its own", () => {
    for (const entry of allEntries().filter(({ readonly }) => readonly)) {
      const screen = ResourceTable.idOf(entry)
      const required = entry.fields.filter((field) => field.required)
      const bar = Places.tabBar(Route.make(screen, Object.fromEntries(required.map(({ name }) => [name, "1"]))))
      if (bar === undefined || required.filter((field) => field.in === "path").length < 3) continue
      assert.isAtMost(bar.tabs.length, 6, screen)
      assert.strictEqual(bar.tabs[bar.current]?.screens[bar.screen]?.screen, screen)
    }
  })

  it("shows the age of times, and opens the git objects of its lists", () => {
    const value = { reset: 1_767_323_045, tree: [{ path: "src", type: "tree", sha }] }
    const document = ResourceDocument.make("tree", value, [], { values: { owner: "octo", repo: "hello" } })
    const layout = document.layout(80)
    const now = 1_767_323_045_000 - 60_000
    const lines = Array.from({ length: layout.length }, (_, index) => layout.lineAt(index, now))
    assert.isTrue(lines.some(({ line }) => StyledLine.text(line).includes("in 1 minute  2026-01-02T03:04:05Z")))
    assert.isTrue(lines.some(({ route }) => route?.screen === "gitTrees.get"))
  })

  it("shows a time below its age once if both have no room in a line", () => {
    const layout = ResourceDocument.make("", { started_at: "2026-01-02T03:04:05Z" }, []).layout(34)
    const now = Date.parse("2026-01-02T05:04:05Z")
    const lines = Array.from({ length: layout.length }, (_, index) => StyledLine.text(layout.lineAt(index, now).line))
    assert.deepStrictEqual(
      lines.map((line) => line.trimEnd()),
      ["started at  2 hours ago", "            2026-01-02T03:04:05Z"]
    )
  })
})
