import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ExternalEditor from "./ExternalEditor.ts"

const edit = (editor: string, name = "notes.md", text = "before\n") =>
  Effect.promise(() => ExternalEditor.edit((run) => run(), { EDITOR: editor, VISUAL: "" }, name, text))

// The editors are shell commands, whose last argument is the file.
describe.skipIf(process.platform === "win32")("ExternalEditor", () => {
  it.live("gives the saved text, and accepts arguments in the setting", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* edit("sed -i s/before/after/"), { _tag: "Edited", text: "after\n" })
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
})
