/** The cursor, the marks and the pages of lists that change on the screen. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import * as FakeForge from "../FakeForge.test-support.ts"
import * as ModelDriver from "../ModelDriver.test-support.ts"

const waitFor = (check: () => void) => Effect.promise(() => vi.waitFor(check, { timeout: 20_000 }))

/** Starts on the tags of a repository whose tags can change. */
const startOnTags = Effect.fnUntraced(function* (first: ReadonlyArray<string>) {
  let names = first
  const ui = yield* ModelDriver.start({
    respond: (path, query) => (path.endsWith("/tags") ? FakeForge.page(path, query, names.map(tag)) : undefined)
  })
  yield* ui.until("[log]", "❯ 0000000")
  ui.press("tab", "tab")
  yield* ui.until(`1/${first.length} tags`)
  const change = (next: ReadonlyArray<string>) => {
    names = next
    ui.press("r")
    // The new name shows that the list has been loaded again.
    return ui.until(next[0] ?? "No tags")
  }
  return { ...ui, change }
})

const tag = (name: string) => ({
  name,
  commit: { sha: "1".repeat(40), url: "" },
  zipball_url: "",
  tarball_url: "",
  node_id: ""
})

const selected = (lines: ReadonlyArray<string>) =>
  lines
    .find((line) => line.startsWith("❯"))
    ?.slice(2)
    .split(" ")[0]

describe("lists", () => {
  it.live("keeps the cursor on its row when rows are added above, removed and moved", () =>
    Effect.gen(function* () {
      const ui = yield* startOnTags(["a1", "b2", "c3", "d4"])
      ui.press("j", "j")
      yield* ui.until("❯ c3")
      assert.strictEqual(selected(yield* ui.change(["x1", "x2", "a1", "b2", "c3", "d4"])), "c3")
      assert.strictEqual(selected(yield* ui.change(["y1", "c3", "d4", "a1"])), "c3")
      ui.press("j")
      yield* ui.until("❯ d4")
      assert.strictEqual(selected(yield* ui.change(["z1", "c3"])), "c3", "the next row is the last one")
    })
  )

  it.live("keeps the cursor on its row while a filter is active, and after it is cleared", () =>
    Effect.gen(function* () {
      const ui = yield* startOnTags(["v1", "w1", "v2", "w2", "v3"])
      ui.press("/", "w", "enter", "j")
      yield* ui.until("❯ w2", "2/2 in 5 tags")
      assert.strictEqual(selected(yield* ui.change(["w0", "v1", "w1", "v2", "w2", "v3"])), "w2")
      yield* ui.until("3/3 in 6 tags")
      ui.press("escape")
      yield* ui.until("❯ w2", "5/6 tags")
    })
  )

  it.live("says which rows a filter has searched, and searches all on demand", () =>
    Effect.gen(function* () {
      const commits = Array.from({ length: 1_250 }, (_, index) => ({
        ...FakeForge.commits[0],
        sha: index.toString(16).padStart(40, "0"),
        commit: { ...FakeForge.commits[0]?.commit, message: index === 1_240 ? "The needle" : `Straw ${index}` }
      }))
      const ui = yield* ModelDriver.start({
        kind: "remote",
        respond: (path, query) => (path.endsWith("/commits") ? FakeForge.page(path, query, commits) : undefined)
      })
      yield* ui.until("Straw 0")
      ui.press("/", ..."needle")
      yield* ui.until("None of the first 1,", " of 1,250 commits match. Tab searches all")
      ui.press("tab")
      yield* ui.until("1/1 in 1,250 commits", "The needle")
      ui.press("escape", "/", ..."straw 12", "enter")
      yield* ui.until("in 1,250 commits", "Straw 12")
      ui.press("A")
      yield* ui.until("The filter has all rows")
    })
  )

  it.live("says how many of 100,000 rows a filter has searched, and offers the others", () =>
    Effect.gen(function* () {
      const commit = (index: number) => ({
        ...FakeForge.commits[0],
        sha: index.toString(16).padStart(40, "0"),
        commit: { ...FakeForge.commits[0]?.commit, message: index === 1_500 ? "The needle" : `Straw ${index}` }
      })
      const commits = Array.from({ length: 100_000 }, (_, index) => commit(index))
      const ui = yield* ModelDriver.start({
        kind: "remote",
        respond: (path, query) => (path.endsWith("/commits") ? FakeForge.page(path, query, commits) : undefined)
      })
      yield* ui.until("Straw 0")
      ui.press("/", ..."needle")
      yield* ui.until("None of the first 1,100 of 100,000 commits match. Tab searches all")
      ui.press("tab")
      yield* ui.until("1/1 in the first ", " of 100,000 commits", "The needle", "A search all")
    })
  )

  it.live("searches the commits of an embedded forge instead of loading all", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start({
        respond: (path, query) =>
          path.endsWith("/commits")
            ? FakeForge.page(path, query, Array.from({ length: 40 }, () => FakeForge.commits).flat())
            : undefined
      })
      yield* ui.until("Commit number 0")
      ui.press("/", ...'a "b" c', "tab")
      yield* ui.until(String.raw`"type:commit "a" "\"b\"" "c""`)
    })
  )

  it.live("returns to the row of the cursor when a filter is cancelled", () =>
    Effect.gen(function* () {
      const ui = yield* startOnTags(["v1", "w1", "v2", "w2"])
      ui.press("j", "j", "/", "escape")
      yield* ui.until("❯ v2", "3/4 tags")
    })
  )

  it.live("keeps marks on their rows, and forgets those of removed rows", () =>
    Effect.gen(function* () {
      const ui = yield* startOnTags(["a1", "b2", "c3", "d4"])
      ui.press("j", " ", "j", " ")
      yield* ui.until(" ●b2", "❯●d4", "2 marked")
      const lines = yield* ui.change(["x1", "d4", "b2", "a1"])
      assert.deepStrictEqual(
        lines.filter((line) => line.includes("●")).map((line) => line.slice(2).split(" ")[0]),
        ["d4", "b2"]
      )
      ui.press("escape")
      yield* ui.until("❯ d4")
      assert.isFalse(ui.text().some((line) => line.includes("marked")))
      ui.press("*")
      yield* ui.until("4 marked")
      ui.press("*")
      yield* ui.until("❯ d4")
      assert.isFalse(ui.text().some((line) => line.includes("marked")))
    })
  )

  it.live("goes to the end of a long list with at most two requests, and loads the start again only on demand", () =>
    Effect.gen(function* () {
      const requests: Array<string> = []
      const gate = yield* Deferred.make<void>()
      const ui = yield* ModelDriver.start({
        onRequest: (path) => requests.push(path),
        delay: (path) => (requests.length > 1 && path.endsWith("/commits") ? gate : undefined)
      })
      yield* ui.until("❯ 0000000  Commit number 0")
      const before = requests.length
      ui.press("G")
      yield* ui.until("Loading the end")
      yield* Deferred.succeed(gate, undefined)
      yield* ui.until("❯ 0000000  Commit number 250", "251/251 commits")
      assert.isAtMost(requests.length - before, 2)
      assert.isFalse(
        requests.some((path) => path.includes("page=2")),
        "the middle is not loaded"
      )
      ui.press("g")
      yield* ui.until("❯ 0000000  Commit number 0", "1/251 commits")
    })
  )

  it.live("shows rows that are not loaded as such, and loads them when they become visible", () =>
    Effect.gen(function* () {
      const gates: Array<Deferred.Deferred<void>> = []
      const ui = yield* ModelDriver.start({ delay: (path) => (path.endsWith("/commits") ? gates.at(-1) : undefined) })
      yield* ui.until("❯ 0000000  Commit number 0")
      ui.press("G")
      yield* ui.until("251/251 commits", "Commit number 250")
      const gate = yield* Deferred.make<void>()
      gates.push(gate)
      ui.press(...Array.from({ length: 4 }, () => "pageup"))
      const lines = yield* ui.until("❯ ·")
      assert.isAbove(lines.filter((line) => line.startsWith("  ·")).length, 5)
      ui.press("enter")
      yield* ui.until("Nothing to open here")
      yield* Deferred.succeed(gate, undefined)
      yield* ui.until("❯ 0000000  Commit number 1")
    })
  )

  it.live("shows the number of rows once it is counted, without moving the cursor", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start()
      yield* ui.until("1/201+ commits")
      ui.press("j", "j")
      yield* ui.until("3/251 commits", "❯ 0000000  広い文字")
    })
  )

  it.live("returns to the position in a long list, and keeps it during a refresh", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start()
      yield* ui.until("❯ 0000000  Commit number 0")
      ui.press("G")
      yield* ui.until("251/251 commits", "Commit number 250")
      ui.press("k", "k")
      yield* ui.until("249/251 commits")
      ui.press("enter")
      yield* ui.until("3 files changed")
      const shown: Array<string> = []
      const stop = ui.watch((lines) => shown.push(...lines.filter((line) => line.startsWith("❯ 0000000"))))
      ui.press("escape")
      yield* ui.until("❯ 0000000  Commit number 248", "249/251 commits")
      ui.press("r")
      yield* Effect.sleep(100)
      yield* ui.until("❯ 0000000  Commit number 248", "249/251 commits")
      stop()
      assert.strictEqual(new Set(shown).size, 1, "the selection does not move meanwhile")
    })
  )

  it.live("shows the end of a list that became much shorter", () =>
    Effect.gen(function* () {
      let commits: ReadonlyArray<unknown> = FakeForge.commits
      const ui = yield* ModelDriver.start({
        respond: (path, query) => (path.endsWith("/commits") ? FakeForge.page(path, query, commits) : undefined)
      })
      yield* ui.until("❯ 0000000  Commit number 0")
      ui.press("G")
      yield* ui.until("251/251 commits", "Commit number 250")
      commits = FakeForge.commits.slice(3, 6)
      ui.press("r")
      yield* ui.until("3/3 commits", "❯ 0000000  Commit number 5", "Commit number 3")
      commits = []
      ui.press("r")
      yield* waitFor(() => assert.isFalse(ui.text().some((line) => line.includes("Commit number"))))
    })
  )
})

describe("typing ahead", () => {
  it.live("queues keys until the content is loaded, also the text of an input", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const ui = yield* ModelDriver.start({ delay: () => gate })
      ui.press("j", "enter", "]", "enter")
      yield* ui.until("Loading")
      yield* Deferred.succeed(gate, undefined)
      yield* ui.until("› index.ts", " 1 export const line1 = 1")
      ui.press("escape", "enter", "/", ..."line7", "enter", "n")
      yield* ui.until("2 of 11 lines with line7")
    })
  )

  it.live("never runs the text of an input as commands while the screen loads", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const ui = yield* ModelDriver.start({ delay: () => gate })
      ui.press("/", ..."quit 3", "enter")
      assert.deepStrictEqual(ui.exits, [])
      yield* Deferred.succeed(gate, undefined)
      yield* ui.until("filter quit 3")
      assert.deepStrictEqual(ui.exits, [])
    })
  )

  it.live("inserts text that was pasted while the screen loads", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const ui = yield* ModelDriver.start({ delay: () => gate })
      ui.press("/")
      ui.paste("number 7")
      ui.press("enter")
      yield* Deferred.succeed(gate, undefined)
      yield* ui.until("filter number 7", "Commit number 7")
    })
  )

  it.live("drops queued keys on Escape, and after leaving the screen", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const ui = yield* ModelDriver.start({ delay: (path) => (path.endsWith("/commits") ? gate : undefined) })
      ui.press("/", "x", "escape", "j", "enter", "tab", "tab")
      yield* ui.until("1/12 tags")
      ui.press("1")
      yield* Deferred.succeed(gate, undefined)
      yield* ui.until("❯ 0000000  Commit number 0", "1/2")
      assert.isFalse(ui.text().some((line) => line.includes("filter x")))
    })
  )

  it.live("refuses changes until the user sees what they change", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const ui = yield* ModelDriver.start({ delay: () => gate })
      ui.press("D")
      yield* ui.until("Not loaded yet")
      yield* Deferred.succeed(gate, undefined)
      yield* ui.until("❯ 0000000")
      assert.isFalse(ui.text().some((line) => line.includes("╭─")))
    })
  )
})

describe("history and palette", () => {
  it.live("goes back and forward with Alt-Left and Alt-Right, and restores positions", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start()
      yield* ui.until("❯ 0000000  Commit number 0")
      ui.press("alt-left")
      yield* ui.until("No previous screen")
      ui.press("j", "j", "j", "enter")
      yield* ui.until("3 files changed")
      ui.press("alt-left")
      yield* ui.until("❯ 0000000  Commit number 3")
      ui.press("alt-right")
      yield* ui.until("3 files changed")
      ui.press("alt-right")
      yield* ui.until("No next screen")
      ui.press("escape", "tab", "alt-left", "alt-left", "alt-left")
      yield* ui.until("❯ 0000000  Commit number 3")
    })
  )

  it.live("opens screens and commands through the palette by typing", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start()
      yield* ui.until("❯ 0000000  Commit number 0")
      ui.press(":", ..."list the tags", "enter")
      yield* ui.until("1/12 tags")
      ui.press("ctrl-p", ..."zzzzqqq")
      yield* ui.until("Nothing matches")
      ui.press("escape", ":", ..."quit", "enter")
      assert.deepStrictEqual(ui.exits, ["Quit"])
    })
  )

  it.live("asks for the arguments of a screen that the place does not know", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start()
      yield* ui.until("❯ 0000000  Commit number 0")
      ui.press(":", ..."Get an organization")
      yield* ui.until("asks for org")
      ui.press("enter")
      yield* ui.until("╭─ Get an organization")
      ui.press(..."octo", "ctrl-s")
      yield* ui.until("tongs", "octo")
      assert.isFalse(ui.text().some((line) => line.includes("╭─")))
    })
  )

  it.live("reports settings of keys that conflict", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start({ keys: { refresh: ["x"], copy: ["x"], nonsense: ["z"] } }, 100, 60)
      yield* ui.until("❯ 0000000  Commit number 0")
      ui.press("?")
      yield* ui.until("is already bound to", "nonsense, which is no command")
    })
  )
})
