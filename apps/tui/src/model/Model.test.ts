import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ModelDriver from "../ModelDriver.test-support.ts"
import * as StyledLine from "../text/StyledLine.ts"

describe("Model", () => {
  it.live("starts in the current repository; Escape leads to the list of repositories", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start()
      yield* ui.until("[log]", "❯ 0000000  Commit number 0", "1/201+ commits", "core ██████ 4,990/5,000")
      ui.press("escape")
      yield* ui.until("tongs › home", "octo/hello")
      ui.press("2")
      yield* ui.until("❯ octo/hello", "octo/secret", "1/4 repositories")
      ui.press("escape")
      yield* ui.until("Press q to quit")
    })
  )

  it.live("navigates branches, tags, files and the README", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start()
      yield* ui.until("[log]", "❯ 0000000")
      ui.press("tab")
      yield* ui.until("[branches]", "main", "default protected", "feature/日本語-と-emoji-🎉")
      ui.press("j", "enter")
      yield* ui.until("octo/hello › feature/日本語-と-emoji-🎉", "[log]", "❯ 0000000")
      ui.press("escape", "tab")
      yield* ui.until("[tags]", "v1.11.0", "1/12 tags")
      ui.press("tab")
      yield* ui.until("❯ src/", "README.md", "symlink")
      ui.press("enter")
      yield* ui.until("octo/hello › files › src", "❯ data.bin", "index.ts")
      ui.press("j", "enter")
      yield* ui.until("› index.ts", "❯  1 export const line1 = 1", "1/80 lines")
      ui.press("escape", "g", "enter")
      yield* ui.until("A binary file, 3 B")
      ui.press("escape", "escape", "tab")
      yield* ui.until("1/6 lines  Hello", "npm start")
      ui.press("shift-tab")
      yield* ui.until("[files]", "❯ src/")
      ui.press("1")
      yield* ui.until("[log]", "❯ 0000000")
    })
  )

  it.live("shows a commit with its files and patches", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start()
      yield* ui.until("1/201+ commits")
      ui.press("enter")
      yield* ui.until("Mona Lisa", "mona@example.com", "3 files changed  +3 -1", "src/index.ts", "+zwei")
      ui.press("]", "]", "]")
      yield* ui.until("docs/long.md (3/3)")
      ui.press("[", "[", "enter")
      yield* ui.until("› index.ts", " 1 export const line1 = 1")
    })
  )

  it.live("escapes control characters in a subject, a branch and a file", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start()
      const log = yield* ui.until("1/201+ commits")
      ui.press("tab")
      const branches = yield* ui.until("1/4 branches")
      ui.press("shift-tab", "enter")
      const commit = yield* ui.until("+␛[31mdrei")
      for (const line of [...log, ...branches, ...commit]) assert.notMatch(line, /\p{Cc}/u)
      assert.isTrue(log.some((line) => line.includes("Evil ␛[2J subject␇ with escapes")))
      assert.isTrue(branches.some((line) => line.includes("evil␛]0;title␇branch")))
    })
  )

  it.live("filters while typing, and clears the filter on Escape", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start({ repository: undefined })
      ui.press("2")
      yield* ui.until("1/4 repositories")
      ui.press("/", "s", "e", "c", "r")
      yield* ui.until("filter: secr", "❯ octo/secret", "Enter apply")
      ui.press("enter")
      yield* ui.until("❯ octo/secret", "1/1 in 4 repositories")
      ui.press("/", "z", "z")
      yield* ui.until("No matches for secrzz")
      ui.press("escape")
      yield* ui.until("1/4 repositories")
    })
  )

  it.live("finds text in a document, and goes to the next and previous match", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start()
      yield* ui.until("1/201+ commits")
      ui.press("tab", "tab", "tab")
      yield* ui.until("❯ src/")
      ui.press("enter")
      yield* ui.until("❯ data.bin")
      ui.press("j", "enter")
      yield* ui.until(" 1 export const line1 = 1", "/ find")
      ui.press("/", ..."NEEDLE")
      yield* ui.until("find: NEEDLE")
      ui.press("enter")
      yield* ui.until("41     const needle", "1 of 1 line with NEEDLE")
      ui.press("/", ..."line7", "enter")
      yield* ui.until(" 70 export const line70", "2 of 11 lines with line7")
      ui.press("N")
      yield* ui.until(" 7 export const line7 = 7", "1 of 11 lines")
      ui.press("N")
      yield* ui.until("79 export const line79 = 79", "11 of 11 lines")
      ui.press("n")
      yield* ui.until("1 of 11 lines")
      ui.press("/", ..."nowhere", "enter")
      yield* ui.until("No matches for nowhere")
      ui.press("/", ..."needle", "enter")
      yield* ui.until("1 of 1 line")
      ui.press("escape")
      assert.isTrue(
        ui.text().some((line) => line.includes("const needle")),
        "Escape ends the search first"
      )
      ui.press("escape")
      yield* ui.until("❯ index.ts")
    })
  )

  it.live("inserts pasted text, and never runs it as commands", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start({ repository: undefined })
      ui.press("2")
      yield* ui.until("1/4 repositories")
      ui.paste("q\nq")
      yield* ui.until("Nothing to paste into")
      ui.press("/")
      ui.paste("\u001b[31msecr\n\tet\n")
      yield* ui.until("filter: [31msecr et")
      ui.press("ctrl-u")
      ui.paste("secret\n")
      yield* ui.until("filter: secret", "❯ octo/secret", "Enter apply")
      assert.deepStrictEqual(ui.exits, [])
    })
  )

  it.live("opens web pages of a remote forge, and only http and https URLs", () =>
    Effect.gen(function* () {
      const local = yield* ModelDriver.start()
      yield* local.until("1/201+ commits")
      local.press("o")
      yield* local.until("The embedded forge has no web pages")
      const ui = yield* ModelDriver.start({ kind: "remote" })
      yield* ui.until("1/201+ commits")
      ui.press("j", "o")
      yield* ui.until("This is not a web page")
      ui.press("k", "o")
      yield* ui.until("Opening https://forge.test/octo/hello/commit/")
      assert.deepStrictEqual(ui.browsed, [
        "https://forge.test/octo/hello/commit/0000000000000000000000000000000000001000"
      ])
    })
  )

  it.live("searches the code of the repository and opens the file at the match", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start()
      yield* ui.until("1/201+ commits")
      ui.press("s", ...'path:"', "enter")
      yield* ui.until("search code here: path:")
      assert.isFalse(
        ui.text().some((line) => line.includes("1 match,")),
        "an invalid query is not sent"
      )
      ui.press("ctrl-u", ..."needle", "enter")
      yield* ui.until("❯ src/index.ts", "const needle", "1 match, 1 file")
      ui.press("enter")
      const lines = yield* ui.until("41     const needle")
      assert.isTrue(
        lines.some((line) => line.startsWith("  38 ")),
        "some lines above the match are visible"
      )
    })
  )

  it.live("scrolls sideways to the end of the longest visible line", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start({}, 40)
      yield* ui.until("❯ 0000000")
      ui.press("right")
      yield* ui.until("❯ 0000000  Commit number 0")
      ui.press("enter")
      yield* ui.until("author    Mona Lisa", "src/index.ts")
      ui.press(...Array.from({ length: 30 }, () => "right"))
      // The end of the id of the commit.
      const lines = yield* ui.until("00001000")
      assert.isFalse(lines.some((line) => line.includes("author")))
      ui.press(...Array.from({ length: 30 }, () => "left"))
      yield* ui.until("author    Mona Lisa")
    })
  )

  it.live("shows a failure with the next step, and refreshes on request", () =>
    Effect.gen(function* () {
      let fails = true
      const ui = yield* ModelDriver.start({
        respond: (path) =>
          fails && path.endsWith("/tags") ? { status: 403, body: { message: "No such luck" } } : undefined
      })
      yield* ui.until("[log]")
      ui.press("tab", "tab")
      yield* ui.until("Access denied", "No such luck")
      fails = false
      ui.press("r")
      yield* ui.until("1/12 tags")
    })
  )

  it.live("explains an empty repository", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start({ repository: { owner: "octo", repo: "empty" } })
      yield* ui.until("Nothing here yet", "Git Repository is empty. Push the first commit")
      ui.press("tab", "tab", "tab")
      yield* ui.until("Nothing here yet", "This repository is empty.")
      ui.press("shift-tab")
      yield* ui.until("No tags yet")
    })
  )

  it.live("shows a preview of the selected row on a wide screen", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start({}, 140, 40)
      yield* ui.until("1/201+ commits", "author    Mona Lisa")
      ui.press("j")
      yield* ui.until("A body that is long enough to be wrapped")
      ui.press("escape", "2")
      yield* ui.until("branch    main", "language  TypeScript")
    })
  )

  it.live("offers the id, link, text and Markdown of a row to copy", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start({}, 120)
      const sha = "0000000000000000000000000000000000001000"
      const link = `https://forge.test/octo/hello/commit/${sha}`
      const copied = [sha, link, "0000000  Commit number 0  Mona Lisa", `[0000000 Commit number 0](${link})`]
      yield* ui.until("1/201+ commits")
      for (const [index, key] of ["i", "l", "t", "m"].entries()) {
        ui.press("y")
        yield* ui.until("Copy", "id", "link", "text", "Markdown")
        ui.press(key)
        yield* ui.until("sent to")
        assert.include(ui.copied[index], copied[index] ?? "")
      }
      ui.press("y", "j", "enter")
      assert.strictEqual(ui.copied.at(-1), link)
      ui.press("y", "q")
      yield* ui.until("1/201+ commits")
      assert.deepStrictEqual(ui.exits, [])
    })
  )

  it.live("copies ids, opens the help, and quits", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start()
      yield* ui.until("1/201+ commits")
      ui.press("y")
      yield* ui.until("Copy", "Markdown")
      ui.press("y")
      yield* ui.until("0000000000000000000000000000000000001000 sent to the clipboard")
      assert.deepStrictEqual(ui.copied, ["0000000000000000000000000000000000001000"])
      ui.press("?")
      yield* ui.until("Keys", "half a page down")
      ui.resize(40, 12)
      ui.press("G")
      yield* ui.until("Ctrl-Z suspends, fg")
      ui.press("q")
      yield* ui.until("1/201+ commits")
      assert.deepStrictEqual(ui.exits, [], "q closes the help first")
      ui.press("q", "ctrl-c")
      assert.deepStrictEqual(ui.exits, ["Quit"])
    })
  )

  it.live("fits any terminal size", () =>
    Effect.gen(function* () {
      const ui = yield* ModelDriver.start({ notices: ["n".repeat(300)] })
      for (const [columns, rows] of [
        [40, 10],
        [60, 16],
        [80, 24],
        [300, 100],
        [20, 4],
        [1, 1]
      ] as const) {
        // pairs
        ui.resize(columns, rows)
        for (const key of ["1", "tab", "2", "6", "?", "?", ":", "escape", "/", "escape"]) {
          ui.press(key)
          const { lines } = ui.view()
          assert.lengthOf(lines, rows, `${columns}x${rows} on ${key}`)
          for (const line of lines) assert.strictEqual(StyledLine.width(line), columns, `${columns}x${rows} on ${key}`)
        }
      }
      ui.resize(20, 4)
      yield* ui.until("Terminal too small.")
    })
  )
})
