import { type EditorState, StateEffect, StateField } from "@codemirror/state"
import type { ViewUpdate } from "@codemirror/view"

/** An editor state field that code outside the editor sets. */
export interface ExternalField<A> {
  readonly set: (value: A) => StateEffect<A>
  readonly of: (state: EditorState) => A
  readonly hasChanged: (update: ViewUpdate) => boolean
  /** The extension that adds the field to an editor. */
  readonly field: StateField<A>
}

export const externalField = <A>(initial: A): ExternalField<A> => {
  const effect = StateEffect.define<A>()
  const field = StateField.define<A>({
    create: () => initial,
    update: (value, { effects }) => {
      const last = effects.findLast((each): each is StateEffect<A> => each.is(effect))
      return last === undefined ? value : last.value
    }
  })
  return {
    set: (value) => effect.of(value),
    of: (state) => state.field(field),
    hasChanged: ({ startState, state }) => startState.field(field) !== state.field(field),
    field
  }
}
