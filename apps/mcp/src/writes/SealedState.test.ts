import { assert, describe, it } from "@effect/vitest"
import * as SealedState from "./SealedState.ts"

const sealed = ["change", "gitRefs.delete", "DELETE", "http://forge.test", "/repos/o/r/git/refs/x", "", "forge.test#1"]

describe("a seal", () => {
  it("is valid for exactly what it sealed", () => {
    const state = SealedState.make()
    const seal = state.seal(sealed, 0)
    for (const [index, part] of sealed.entries())
      assert.include(state.open(seal, sealed.with(index, `${part}x`), 0), "belongs to another call", part)
    const [first = "", second = "", ...rest] = sealed
    assert.isString(state.open(seal, [first + second, "", ...rest], 0))
    assert.isString(state.open(seal, [...sealed, ""], 0))
    assert.isUndefined(state.open(seal, sealed, 0))
  })

  it("is different each time, and of no other server", () => {
    const state = SealedState.make()
    assert.notStrictEqual(state.seal(sealed, 0), state.seal(sealed, 0))
    assert.isString(SealedState.make().open(state.seal(sealed, 0), sealed, 0))
  })

  it("cannot get another time", () => {
    const state = SealedState.make()
    const [id = "", expires = "", signature = ""] = state.seal(sealed, 0).split(".")
    const later = [id, String(Number(expires) + 1), signature].join(".")
    assert.include(state.open(later, sealed, 0), "changed")
  })

  it("is remembered as used until it expires, within a bound", () => {
    const state = SealedState.make()
    const open = (now: number) => state.open(state.seal(sealed, now), sealed, now)
    for (let count = 0; count < SealedState.MAX_USED; count += 1) assert.isUndefined(open(0))
    assert.include(open(SealedState.VALIDITY - 1), "too many")
    assert.isUndefined(open(SealedState.VALIDITY))
  })
})
