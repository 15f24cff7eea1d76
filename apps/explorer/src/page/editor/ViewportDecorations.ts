import { type EditorState, type Extension, RangeSetBuilder } from "@codemirror/state"
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view"

/** Adds a CSS class to a range of the text. Ranges must come in order. */
export type AddDecoration = (from: number, to: number, className: string) => void

type Decorate = (state: EditorState, from: number, to: number, add: AddDecoration) => void

/**
 * Decorates only the visible ranges, because a file may have a hundred thousand decorations, or thousands in one line.
 * Runs `decorate` again when the viewport moves or `hasChanged` returns true.
 */
export const viewportDecorations = (decorate: Decorate, hasChanged: (update: ViewUpdate) => boolean): Extension =>
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      constructor(view: EditorView) {
        this.decorations = build(view, decorate)
      }
      update(update: ViewUpdate) {
        if (update.viewportChanged || hasChanged(update)) this.decorations = build(update.view, decorate)
      }
    },
    { decorations: ({ decorations }) => decorations }
  )

const build = ({ state, visibleRanges }: EditorView, decorate: Decorate): DecorationSet => {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges) {
    decorate(state, from, to, (start, end, className) => {
      if (start < end) builder.add(Math.max(start, from), Math.min(end, to), decorationOf(className))
    })
  }
  return builder.finish()
}

const decorations = new Map<string, Decoration>()

const decorationOf = (className: string): Decoration => {
  const known = decorations.get(className)
  if (known !== undefined) return known
  const decoration = Decoration.mark({ class: className })
  decorations.set(className, decoration)
  return decoration
}
