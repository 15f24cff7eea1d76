import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as ExternalEditor from "./ExternalEditor.ts"

const editorOf = (editor: string) => ExternalEditor.make((run) => run(), { EDITOR: editor, VISUAL: "" })

const edit = (editor: string, name = "notes.md", text = "before\n") =>
  Effect.promise(() => editorOf(editor).edit(name, text))

// The editors are shell commands, whose last argument is the file.
describe.skipIf(process.platform === "win32")("ExternalEditor", () => {
  it.live("gives the saved text, and accepts arguments in the setting", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* edit("sed -i s/before/after/"), { _tag: "Edited", text: "after\n" })
    })
  )

  it.live("keeps a byte order mark, and refuses a text that is not UTF-8", () =>
    Effect.gen(function* () {
      const kept = yield* edit("sed -i s/before/after/", "a.txt", "\ufeffbefore\r\n")
      assert.deepStrictEqual(kept, { _tag: "Edited", text: "\ufeffafter\r\n" })
      const outcome = yield* edit("printf '\\351' >")
      assert.match(outcome._tag === "Failed" ? outcome.message : "", /not UTF-8/)
    })
  )

  it.live("says that nothing was changed", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* edit("true"), { _tag: "Unchanged" })
    })
  )

  it.live("reports a missing editor, an exit code and a removed file", () =>
    Effect.gen(function* () {
      const outcomes = yield* Effect.forEach(["no-such-editor-here 2>/dev/null", "sh -c 'exit 3'", "rm"], (editor) =>
        edit(editor)
      )
      const messages = outcomes.map((outcome) => (outcome._tag === "Failed" ? outcome.message : outcome._tag))
      assert.match(messages[0] ?? "", /not found. Set EDITOR/)
      assert.match(messages[1] ?? "", /exit code 3. The text is unchanged/)
      assert.match(messages[2] ?? "", /could not be edited/)
    })
  )

  it.live("keeps the extension of a name, but no characters that are special in a path", () =>
    Effect.gen(function* () {
      const outcome = yield* edit(`printf '%s' "$1" >`, "../../-rf $(id)\n.ts")
      const path = outcome._tag === "Edited" ? outcome.text : ""
      assert.match(path, /^[^\s$()]+\/tongs-edit-[^/]+\/[^/-][^/\s$()]*\.ts$/)
    })
  )

  it.live("keeps a draft until it is removed, also after a failure of the editor", () =>
    Effect.gen(function* () {
      const draft = editorOf('f() { echo typed > "$1"; exit 1; }; f').draft("a.txt")
      const outcome = yield* Effect.promise(() => draft.edit("before\n"))
      assert.strictEqual(outcome._tag, "Failed")
      assert.strictEqual(Fs.readFileSync(draft.path(), "utf8"), "typed\n")
      draft.remove()
      assert.isFalse(Fs.existsSync(draft.path()))
    })
  )

  it("passes the line in the form that each editor takes", () => {
    const args = (editor: string, waits = false) => ExternalEditor.argumentsOf(editor, "/a b", 7, waits)
    for (const editor of ["vi", "/usr/bin/nvim -u NONE", "nano", "kak", "emacs -nw", "micro"])
      assert.deepStrictEqual(args(editor), ["+7", "/a b"])
    assert.deepStrictEqual(args("hx"), ["/a b:7"])
    assert.deepStrictEqual(args("code"), ["--goto", "/a b:7"])
    assert.deepStrictEqual(args("code", true), ["--wait", "--goto", "/a b:7"])
    assert.deepStrictEqual(args("ed"), ["/a b"])
    assert.deepStrictEqual(ExternalEditor.argumentsOf("vim", "/a", undefined, true), ["/a"])
  })
})
