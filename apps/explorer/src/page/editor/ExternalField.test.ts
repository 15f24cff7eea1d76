import { EditorState } from "@codemirror/state"
import { assert, describe, it } from "@effect/vitest"
import { externalField } from "./ExternalField.ts"

describe("externalField", () => {
  it("keeps the last value, also null", () => {
    const value = externalField<string | null>("first")
    const start = EditorState.create({ extensions: value.field })
    assert.strictEqual(value.of(start), "first")
    const { state } = start.update({ effects: [value.set("second"), value.set("third")] })
    assert.strictEqual(value.of(state), "third")
    assert.strictEqual(value.of(state.update({ selection: { anchor: 0 } }).state), "third")
    assert.isNull(value.of(state.update({ effects: value.set(null) }).state))
  })
})
