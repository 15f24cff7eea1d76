import { assert, describe, it } from "@effect/vitest"
import * as Prompt from "./Prompt.ts"

const type = (...keys: ReadonlyArray<string>) =>
  keys.reduce<Prompt.Step>((step, key) => (step._tag === "Edit" ? Prompt.press(step.prompt, key) : step), {
    _tag: "Edit",
    prompt: { purpose: "search", text: "" }
  })

describe("Prompt", () => {
  it("inserts characters, and deletes whole graphemes", () => {
    assert.deepStrictEqual(type("a", "é", "👍", "🏽", "backspace"), {
      _tag: "Edit",
      prompt: { purpose: "search", text: "aé" }
    })
  })

  it("deletes a word, and the line", () => {
    assert.deepStrictEqual(type("a", " ", "b", "c", "ctrl-w"), {
      _tag: "Edit",
      prompt: { purpose: "search", text: "a " }
    })
    assert.deepStrictEqual(type("a", "b", "ctrl-u"), { _tag: "Edit", prompt: { purpose: "search", text: "" } })
  })

  it("ignores named keys and control characters", () => {
    assert.deepStrictEqual(type("a", "pageup", "\u0001"), { _tag: "Edit", prompt: { purpose: "search", text: "a" } })
  })

  it("accepts on Enter, and cancels on Escape or on Backspace in an empty line", () => {
    assert.strictEqual(type("a", "enter")._tag, "Accept")
    assert.strictEqual(type("a", "escape")._tag, "Cancel")
    assert.strictEqual(type("backspace")._tag, "Cancel")
  })
})
