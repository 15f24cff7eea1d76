import { assert, describe, it } from "@effect/vitest"
import type { Key as InkKey } from "ink"
import * as Key from "./Key.ts"

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

describe("Key", () => {
  it("names single keys", () => {
    assert.deepStrictEqual(Key.names("j", none), ["j"])
    assert.deepStrictEqual(Key.names("d", { ...none, ctrl: true }), ["ctrl-d"])
    assert.deepStrictEqual(Key.names("", { ...none, tab: true, shift: true }), ["shift-tab"])
    assert.deepStrictEqual(Key.names("", { ...none, delete: true }), ["backspace"])
  })

  it("takes apart keys that came in one read", () => {
    assert.deepStrictEqual(Key.names("jj\r", none), ["j", "j", "enter"])
  })

  it("reads Escape and a quick next key as two keys, not as Alt", () => {
    assert.deepStrictEqual(Key.names("j", { ...none, meta: true }), ["escape", "j"])
    assert.deepStrictEqual(Key.names("", { ...none, meta: true, escape: true }), ["escape", "escape"])
    assert.deepStrictEqual(Key.names("", { ...none, meta: true, upArrow: true }), ["up"])
  })

  it("knows the commands by their keys", () => {
    assert.strictEqual(Key.command("G"), "bottom")
    assert.strictEqual(Key.command("x"), undefined)
  })
})
