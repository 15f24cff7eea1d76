import { assert, describe, it } from "@effect/vitest"
import * as Catalog from "@tongs/core/contract/Catalog"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Form from "../../actions/Form.ts"
import type { FormContent } from "../../model/WindowContent.ts"
import * as RenderedWindow from "./RenderedWindow.test-support.tsx"

const entryOf = (tool: string): Catalog.CatalogEntry => {
  const entry = Catalog.entries.find((entry) => entry.tool === tool)
  assert.isDefined(entry, tool)
  return entry
}

const press = (form: Form.Form, ...keys: ReadonlyArray<string>): Form.Form =>
  keys.reduce((form, key) => {
    const step = Form.press(form, key)
    return "form" in step ? step.form : form
  }, form)

const contentOf = (form: Form.Form): FormContent => ({
  _tag: "Form",
  title: "Create",
  target: undefined,
  form,
  isSending: false
})

const shown = (form: Form.Form, columns = 60, rows = 20) => RenderedWindow.text(contentOf(form), { columns, rows })

/** Every sixth operation, or all operations in `npm run test:long`. */
const sampled = Catalog.entries.filter((_, index) => process.env["TONGS_LONG_TESTS"] !== undefined || index % 6 === 0)

describe("FormWindow", () => {
  const form = Form.make(entryOf("repositories_create_in_organization"), { values: { org: "acme" }, locked: ["org"] })
  const hook = Form.make(entryOf("repository_hooks_create"), {
    values: { owner: "octo", repo: "hello" },
    locked: ["owner", "repo"]
  })

  it("shows labels, the required mark, the description and the cursor", () => {
    const lines = shown(press(form, ..."new"), 70)
    assert.match(lines[0] ?? "", /^ {2}org +acme$/)
    assert.match(lines[1] ?? "", /^▸ name \* +new▏$/)
    assert.isTrue(lines.some((line) => /private +not set/.test(line)))
    assert.match(lines.at(-1) ?? "", /^Enter next {2}Ctrl-S send {2}Esc cancel {3}\* required/)
  })

  it("shows the whole description: beside the label if there is room, otherwise below", () => {
    const [wide, narrow] = [shown(hook, 90), shown(hook, 34)]
    const valueAt = wide.find((line) => line.includes("▏"))?.indexOf("▏") ?? -1
    const note = wide.findIndex((line) => line.includes("URL that"))
    assert.strictEqual(wide[note]?.search(/\S/), valueAt)
    const below = narrow.findIndex((line) => line.startsWith("▸ ")) + 1
    assert.match(narrow[below] ?? "", /^ {4}URL that/)
  })

  it("shows problems at their fields, and others at the head", () => {
    const failed = Form.withFailure(press(hook, "x"), {
      detail: "Validation Failed",
      errors: [
        { field: "config[url]", code: "invalid" },
        { field: "galaxy", code: "missing_field" }
      ]
    })
    const lines = shown(failed)
    assert.strictEqual(lines[0], "! galaxy: Required.")
    assert.isTrue(lines.some((line) => line.trim() === "! Not valid."))
  })

  it("keeps the focused field visible", () => {
    let ruleset = Form.make(entryOf("rulesets_create"))
    for (let index = 0; index < ruleset.fields.length; index += 1) {
      const name = Form.focused(ruleset)?.schema.name ?? ""
      for (const rows of [1, 3, 8]) {
        const label = shown(ruleset, 80, rows).find((line) => line.startsWith("▸"))
        assert.include(label, name.slice(-20), `${rows} rows`)
      }
      ruleset = press(ruleset, "tab")
    }
  })

  it("is as high as its fields, up to the height of the screen", () => {
    const all = shown(form, 70, 100)
    assert.isBelow(all.length, 40)
    assert.deepStrictEqual(shown(form, 70, all.length), all)
    assert.lengthOf(shown(form, 70, all.length - 1), all.length - 1)
  })

  it("hides secrets", () => {
    const secret = Form.withText(hook, "config.secret", "hunter2")
    for (const form of [secret, Form.withFocus(secret, "config.secret")]) {
      assert.isTrue(shown(form, 60, 60).some((line) => /config\.secret +•••••••/.test(line)))
      assert.notInclude(shown(form, 60, 60).join("\n"), "hunter2")
    }
  })

  it("shows a text of several lines with the cursor in the last one", () => {
    const json = press(Form.withFocus(Form.make(entryOf("rulesets_create")), "rules"), ..."[", "enter", ..."]")
    const lines = shown(json, 90, 20)
    const first = lines.findIndex((line) => line.startsWith("▸ rules"))
    assert.match(lines[first] ?? "", /\[$/)
    assert.match(lines[first + 1] ?? "", /^ +\]▏$/)
  })

  it("says that the form is sent, and for how long", () => {
    const lines = RenderedWindow.text({ ...contentOf(form), isSending: true }, { waited: 2_000 })
    assert.isTrue(lines.some((line) => /^Sending +[⠀-⣿] 2\.0 s$/.test(line)))
  })

  it("shows hostile text in every field without control characters", () => {
    const hostile = "\u001B[2J\u001B]0;title\u0007\u202Egnp.exe\u0000\r\nline 2\u2028\uD800👩‍👩‍👧漢字\t"
    for (const entry of sampled) {
      let form = Form.make(entry, { values: { description: hostile, owner: hostile, body: hostile } })
      for (let index = 0; index < form.fields.length; index += 1) {
        form = press(Form.paste(form, hostile), "tab")
        for (const row of RenderedWindow.framed(contentOf(form), { columns: 50, rows: 12 })) {
          assert.notMatch(row, /[\p{Cc}\p{Cs}\u202E\u2028]/u)
          assert.strictEqual(Terminal.width(row), 54, row)
        }
      }
    }
  })

  it("fits every size", () => {
    for (const entry of sampled) {
      const form = press(Form.make(entry), "tab")
      for (const [columns, rows] of [
        [1, 1],
        [7, 3],
        [20, 6],
        [40, 10]
      ] as const) {
        const drawn = RenderedWindow.framed(contentOf(form), { columns, rows })
        assert.isAtMost(drawn.length, rows + 2)
        for (const row of drawn) assert.strictEqual(Terminal.width(row), columns + 4, row)
      }
    }
  })
})
