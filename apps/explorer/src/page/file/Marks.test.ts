import { EditorState } from "@codemirror/state"
import { assert, describe, it } from "@effect/vitest"
import * as Marks from "./Marks.ts"

const doc = "a hit\nno\nhit hit"

const state = (anchor: number, head = anchor) => {
  const made = EditorState.create({ doc, extensions: Marks.marked })
  const lines = [
    { line: 1, ranges: [[2, 5] as const] }, // pairs
    { line: 3, ranges: [[0, 3] as const, [4, 7] as const] } // pairs
  ]
  return made.update({ effects: Marks.marks.set(Marks.place(made.doc, lines)), selection: { anchor, head } }).state
}

describe("Marks", () => {
  it("places the ranges of lines in the whole text", () => {
    assert.deepStrictEqual(Marks.marks.of(state(0)), [
      [2, 5],
      [9, 12],
      [13, 16]
    ])
  })

  it("leaves out what another commit's text had", () => {
    const { doc } = EditorState.create({ doc: "short" })
    assert.deepStrictEqual(
      Marks.place(doc, [
        {
          line: 1,
          ranges: [
            [0, 5],
            [2, 9],
            [3, 3]
          ]
        },
        { line: 2, ranges: [[0, 1]] }
      ]),
      [[0, 5]]
    )
  })

  it("goes from where the reader is to the next, and round", () => {
    assert.strictEqual(Marks.next(state(0), 1), 0)
    assert.strictEqual(Marks.next(state(2, 5), 1), 1)
    assert.strictEqual(Marks.next(state(9, 12), 1), 2)
    assert.strictEqual(Marks.next(state(13, 16), 1), 0)
    assert.strictEqual(Marks.next(state(7), 1), 1)
    assert.strictEqual(Marks.next(state(7), -1), 0)
    assert.strictEqual(Marks.next(state(2, 5), -1), 2)
    assert.strictEqual(Marks.next(state(13, 16), -1), 1)
    assert.isUndefined(Marks.next(EditorState.create({ doc, extensions: Marks.marked }), 1))
  })

  it("knows the one that is selected", () => {
    assert.strictEqual(Marks.current(state(13, 16)), 2)
    assert.isUndefined(Marks.current(state(13)))
    assert.isUndefined(Marks.current(state(12, 16)))
  })
})
