import { assert, describe, it } from "@effect/vitest"
import * as Prompt from "./Prompt.ts"

const type = (...keys: ReadonlyArray<string>) =>
  keys.reduce<Prompt.Step>((step, key) => (step._tag === "Edit" ? Prompt.press(step.prompt, key) : step), {
    _tag: "Edit",
    prompt: { purpose: "search", text: "" }
  })

describe("Prompt", () => {
  it("takes characters, and takes them back whole", () => {
    assert.deepStrictEqual(type("a", "é", "👍", "🏽", "backspace"), {
      _tag: "Edit",
      prompt: { purpose: "search", text: "aé" }
    })
  })

  it("clears a word and the line", () => {
    assert.deepStrictEqual(type("a", " ", "b", "c", "ctrl-w"), {
      _tag: "Edit",
      prompt: { purpose: "search", text: "a " }
    })
    assert.deepStrictEqual(type("a", "b", "ctrl-u"), { _tag: "Edit", prompt: { purpose: "search", text: "" } })
  })

  it("takes no named keys and no control characters for text", () => {
    assert.deepStrictEqual(type("a", "pageup", "\u0001"), { _tag: "Edit", prompt: { purpose: "search", text: "a" } })
  })

  it("is accepted, or given up", () => {
    assert.strictEqual(type("a", "enter")._tag, "Accept")
    assert.strictEqual(type("a", "escape")._tag, "Cancel")
    assert.strictEqual(type("backspace")._tag, "Cancel")
  })
})
