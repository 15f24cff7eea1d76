/**
 * Ranges of a text that are known from elsewhere, drawn in an editor: only those in view, for there may be a hundred
 * thousand, or thousands on one line.
 */
import { type EditorState, type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state"
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view"

/** A value in the editor that comes from outside of it. */
export interface ExternalField<A> {
  readonly set: (value: A) => StateEffect<A>
  readonly of: (state: EditorState) => A
  readonly has: (update: ViewUpdate) => boolean
  /** What makes the editor keep it. */
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
    has: ({ startState, state }) => startState.field(field) !== state.field(field),
    field
  }
}

/** Tells of a range of the text which class it has. Ranges come in order. */
export type AddDecoration = (from: number, to: number, name: string) => void

/** Draws what `draw` tells of a stretch of the text, anew when `changed` says so. */
export const viewportDecorations = (
  draw: (state: EditorState, from: number, to: number, paint: AddDecoration) => void,
  changed: (update: ViewUpdate) => boolean
): Extension =>
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      constructor(view: EditorView) {
        this.decorations = paint(view, draw)
      }
      update(update: ViewUpdate) {
        if (update.viewportChanged || changed(update)) this.decorations = paint(update.view, draw)
      }
    },
    { decorations: ({ decorations }) => decorations }
  )

const paint = (
  { state, visibleRanges }: EditorView,
  draw: (state: EditorState, from: number, to: number, paint: AddDecoration) => void
): DecorationSet => {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges) {
    draw(state, from, to, (start, end, name) => {
      if (start < end) builder.add(Math.max(start, from), Math.min(end, to), classOf(name))
    })
  }
  return builder.finish()
}

const classes = new Map<string, Decoration>()

const classOf = (name: string): Decoration => {
  const known = classes.get(name)
  if (known !== undefined) return known
  const made = Decoration.mark({ class: name })
  classes.set(name, made)
  return made
}
