/** Editing a file in the editor, and committing it through the client to a fake forge. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FakeForge from "../FakeForge.test-support.ts"
import * as ModelDriver from "../ModelDriver.test-support.ts"
import type * as ExternalEditor from "../terminal/ExternalEditor.ts"

const FILE = "/repos/octo/hello/contents/notes.txt"

const sha = (digit: number) => String(digit).repeat(40)

const entry = (text: string, blob: string) => ({ ...FakeForge.entry("file", "notes.txt", text), sha: blob })

const person = { name: "Mona", email: "mona@example.com", date: "2026-01-02T03:04:05Z" }

const memberOf = (body: unknown, name: string): string =>
  typeof body === "object" && body !== null ? String(Reflect.get(body, name)) : ""

/** A forge with one branch and one file, which only takes the blob that it has. */
const forge = (text: string, isProtected = false) => {
  let file = { text, blob: sha(1) }
  const branches = new Set(["main"])
  const bodies: Array<unknown> = []
  const respond: FakeForge.Options["respond"] = (path, _query, { body, method }) => {
    const branch = path.startsWith("/repos/octo/hello/branches/") ? path.split("/").at(-1) : undefined
    if (branch !== undefined)
      return branches.has(branch)
        ? {
            body: {
              name: branch,
              commit: FakeForge.commits[0],
              _links: { self: "", html: "" },
              protected: isProtected,
              protection: {},
              protection_url: ""
            }
          }
        : { status: 404, body: { message: "Branch not found" } }
    if (path === "/repos/octo/hello/git/refs" && method === "POST") {
      branches.add("try")
      bodies.push(body)
      return {
        status: 201,
        body: { ref: "refs/heads/try", node_id: "", url: "", object: { type: "commit", sha: sha(3), url: "" } }
      }
    }
    if (path !== FILE) return undefined
    if (method === "GET") return { body: entry(file.text, file.blob) }
    bodies.push(body)
    const [content, given] = [memberOf(body, "content"), memberOf(body, "sha")]
    if (given !== file.blob) return { status: 409, body: { message: `notes.txt does not match ${given}` } }
    file = { text: Buffer.from(content, "base64").toString(), blob: sha(2) }
    return {
      body: {
        content: entry(file.text, file.blob),
        commit: {
          sha: sha(9),
          node_id: "",
          url: "",
          html_url: "",
          author: person,
          committer: person,
          message: "",
          tree: { url: "", sha: sha(8) },
          parents: [],
          verification: { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null }
        }
      }
    }
  }
  return { respond, bodies, text: () => file.text, replace: (text: string) => (file = { text, blob: sha(5) }) }
}

/** An editor that changes texts by a function. Records the texts that it gets. */
const editorOf = (change: (text: string) => string) => {
  const opened: Array<string> = []
  const removed: Array<string> = []
  const edit = (text: string): Promise<ExternalEditor.Outcome> => {
    opened.push(text)
    const edited = change(text)
    return Promise.resolve(edited === text ? { _tag: "Unchanged" } : { _tag: "Edited", text: edited })
  }
  const editor: ExternalEditor.Editor = {
    edit: (_name, text) => edit(text),
    draft: () => ({
      path: () => "/tmp/draft/notes.txt",
      edit,
      differsFrom: () => false,
      remove: () => removed.push("draft")
    }),
    openFile: () => Promise.resolve(undefined)
  }
  return { editor, opened, removed }
}

const openFile = Effect.fnUntraced(function* (
  options: Pick<ModelDriver.Options, "respond" | "editor" | "isReadOnly">,
  shown: string
) {
  const ui = yield* ModelDriver.start({
    ...options,
    session: {
      routes: [{ screen: "contents.get", arguments: { owner: "octo", repo: "hello", path: "notes.txt" } }],
      split: 0.6,
      isPaneShown: true
    }
  })
  yield* ui.until(shown)
  return ui
})

describe("FileEditing", () => {
  it.effect("shows the change, commits it with the blob that was read, and undoes it", () =>
    Effect.gen(function* () {
      const { bodies, respond, text } = forge("one\r\ntwo\r\n")
      const { editor, removed } = editorOf((text) => text.replace("two", "zwei"))
      const ui = yield* openFile({ respond, editor }, "two")
      ui.press("m")
      yield* ui.until("Commit notes.txt", "-two", "+zwei", "Update notes.txt", "main")
      ui.press("ctrl-n", "ctrl-n", ..."Why")
      yield* ui.until("            Why")
      ui.press("enter", "enter")
      yield* ui.until("Committed 9999999 to main. u undoes it")
      assert.strictEqual(text(), "one\r\nzwei\r\n")
      assert.deepStrictEqual(removed, ["draft"])
      const content = Buffer.from("one\r\nzwei\r\n").toString("base64")
      assert.deepStrictEqual(bodies[0], { message: "Update notes.txt\n\nWhy", branch: "main", content, sha: sha(1) })
      ui.press("u")
      yield* ui.until("Done:")
      assert.strictEqual(text(), "one\r\ntwo\r\n")
    })
  )

  it.effect("keeps the text in a conflict, shows the change of others, and merges both for the next edit", () =>
    Effect.gen(function* () {
      const { replace, respond, text } = forge("1\n2\n3\n4\n5\n6\n7\n")
      const { editor, opened } = editorOf((text) => text.replace("2\n", "two\n"))
      const ui = yield* openFile({ respond, editor }, "1/7 lines")
      ui.press("m")
      yield* ui.until("+two")
      replace("1\n2\n3\n4\n5\nsix\n7\n")
      ui.press("ctrl-s")
      yield* ui.until("Nothing was committed: someone else changed", "-6", "+six")
      ui.press("enter")
      yield* ui.until("-2", "+two")
      assert.strictEqual(opened[1], "1\ntwo\n3\n4\n5\nsix\n7\n")
      ui.press("ctrl-s")
      yield* ui.until("Committed")
      assert.strictEqual(text(), "1\ntwo\n3\n4\n5\nsix\n7\n")
    })
  )

  it.effect("refuses a text with conflict markers", () =>
    Effect.gen(function* () {
      const { replace, respond } = forge("a\n")
      const { editor } = editorOf((text) => (text === "a\n" ? "mine\n" : text))
      const ui = yield* openFile({ respond, editor }, "1/1 line")
      ui.press("m")
      yield* ui.until("+mine")
      replace("theirs\n")
      ui.press("ctrl-s")
      yield* ui.until("someone else changed")
      ui.press("enter")
      yield* ui.until("<<<<<<< your edit")
      ui.press("ctrl-s")
      yield* ui.until("still has conflict markers")
    })
  )

  it.effect("creates a branch, warns about a protected one, and keeps the text for later", () =>
    Effect.gen(function* () {
      const { bodies, respond } = forge("a\n", true)
      const { editor, removed } = editorOf(() => "b\n")
      const ui = yield* openFile({ respond, editor }, "1/1 line")
      ui.press("m")
      yield* ui.until("main is protected: the forge may refuse the commit.")
      ui.press("escape")
      yield* ui.until("/tmp/draft/notes.txt has your text, which is not committed")
      assert.deepStrictEqual(removed, [])
      ui.press("m")
      yield* ui.until("+b")
      ui.press("tab", "ctrl-u", "t", "r", "y", "enter")
      yield* ui.until("Committed 9999999 to the new branch try")
      assert.deepInclude(bodies[0], { ref: "refs/heads/try" })
      assert.deepInclude(bodies[1], { branch: "try", sha: sha(1) })
    })
  )

  it.effect("creates a new file in the folder of the screen, with the text of the editor", () =>
    Effect.gen(function* () {
      const { editor, opened } = editorOf(() => "b\n")
      const ui = yield* openFile({ respond: forge("a\n").respond, editor }, "1/1 line")
      ui.press("c", ..."new.txt", "tab", "tab", "ctrl-o")
      yield* ui.until("Create or update a file", "new.txt", "content *         b")
      assert.deepStrictEqual(opened, [""])
    })
  )

  it.effect("opens a copy without a work tree, and says so", () =>
    Effect.gen(function* () {
      const { bodies, respond } = forge("a\n")
      const { editor, opened } = editorOf(() => "b\n")
      const ui = yield* openFile({ respond, editor }, "1/1 line")
      ui.press("e")
      yield* ui.until("This was a copy: changes in the editor are not saved. m edits and commits")
      assert.deepStrictEqual(opened, ["a\n"])
      assert.deepStrictEqual(bodies, [])
    })
  )

  it.effect("says why a file cannot be edited, and that nothing was changed", () =>
    Effect.gen(function* () {
      const { editor, opened } = editorOf((text) => text)
      const ui = yield* openFile({ respond: forge("a\n").respond, editor }, "1/1 line")
      ui.press("m")
      yield* ui.until("notes.txt is unchanged, so there is nothing to commit")
      const binary = yield* openFile({ respond: forge("a\u0000\n").respond, editor }, "A binary file")
      binary.press("m")
      yield* binary.until("cannot be edited here: it is a binary file")
      const reading = yield* openFile({ respond: forge("a\n").respond, editor, isReadOnly: true }, "1/1 line")
      reading.press("m")
      yield* reading.until("read-only mode")
      assert.strictEqual(opened.length, 1)
    })
  )
})
