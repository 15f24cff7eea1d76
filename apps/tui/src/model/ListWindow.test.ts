import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as ListWindow from "./ListWindow.ts"

const small = Schema.Int.check(Schema.isBetween({ minimum: -300, maximum: 300 }))
const size = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))

describe("ListWindow", () => {
  it.prop("keeps the cursor visible for any input", [small, small, size, size], ([cursor, top, count, height]) => {
    const window = ListWindow.clamp({ cursor, top }, count, height)
    assert.isTrue(window.cursor >= 0 && window.cursor < count)
    assert.isTrue(window.top >= 0)
    assert.isTrue(window.cursor >= window.top && window.cursor < window.top + height)
    assert.isTrue(window.top <= Math.max(0, count - height), "no blank rows below the last one")
  })

  it.prop("is idempotent", [small, small, size, size], ([cursor, top, count, height]) => {
    const window = ListWindow.clamp({ cursor, top }, count, height)
    assert.deepStrictEqual(ListWindow.clamp(window, count, height), window)
  })

  it("scrolls only as far as necessary", () => {
    const down = ListWindow.move(ListWindow.start, 5, 100, 10)
    assert.deepStrictEqual(down, { cursor: 5, top: 0 })
    assert.deepStrictEqual(ListWindow.move(down, 4, 100, 10), { cursor: 9, top: 2 })
  })

  it("stops at both ends", () => {
    assert.deepStrictEqual(ListWindow.move(ListWindow.start, -1, 3, 10), { cursor: 0, top: 0 })
    assert.deepStrictEqual(ListWindow.move(ListWindow.start, 99, 30, 10), { cursor: 29, top: 20 })
  })

  it("stays at the top of an empty list", () => {
    assert.deepStrictEqual(ListWindow.clamp({ cursor: 7, top: 5 }, 0, 10), { cursor: 0, top: 0 })
  })

  it("scrolls a document to its last page", () => {
    assert.strictEqual(ListWindow.scroll(ListWindow.start, 500, 100, 20).top, 80)
    assert.strictEqual(ListWindow.scroll(ListWindow.start, 5, 10, 20).top, 0)
  })
})
