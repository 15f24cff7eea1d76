import { assert, describe, it } from "@effect/vitest"
import type { Key as InkKey } from "ink"
import * as KeyBindings from "./KeyBindings.ts"

const none: InkKey = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false
}

describe("KeyBindings", () => {
  it("names single keys", () => {
    assert.deepStrictEqual(KeyBindings.keyNames("j", none), ["j"])
    assert.deepStrictEqual(KeyBindings.keyNames("d", { ...none, ctrl: true }), ["ctrl-d"])
    assert.deepStrictEqual(KeyBindings.keyNames("", { ...none, tab: true, shift: true }), ["shift-tab"])
    assert.deepStrictEqual(KeyBindings.keyNames("", { ...none, delete: true }), ["backspace"])
  })

  it("splits keys that arrive in one read", () => {
    assert.deepStrictEqual(KeyBindings.keyNames("jj\r", none), ["j", "j", "enter"])
  })

  it("reads Escape and a quick next key as two keys, not as Alt", () => {
    assert.deepStrictEqual(KeyBindings.keyNames("j", { ...none, meta: true }), ["escape", "j"])
    assert.deepStrictEqual(KeyBindings.keyNames("", { ...none, meta: true, escape: true }), ["escape", "escape"])
    assert.deepStrictEqual(KeyBindings.keyNames("", { ...none, meta: true, upArrow: true }), ["up"])
  })

  it("maps keys to commands", () => {
    assert.strictEqual(KeyBindings.commandFor("G"), "bottom")
    assert.strictEqual(KeyBindings.commandFor("x"), undefined)
  })
})
