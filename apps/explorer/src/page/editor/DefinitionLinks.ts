/** With Ctrl or ⌘ the word under the pointer is a link to its definition, and looks it. */
import type { Extension } from "@codemirror/state"
import { Decoration, EditorView } from "@codemirror/view"
import type { Range } from "../../Wire.ts"
import { externalField } from "./ViewportDecorations.ts"

const link = externalField<Range | null>(null)

/** `jump` is told once the caret is at the word. */
export const definitionLinks = (jump: () => void): Extension => [
  link.field,
  EditorView.decorations.compute([link.field], (state) => {
    const range = link.of(state)
    return range === null ? Decoration.none : Decoration.set(underline.range(...range))
  }),
  EditorView.domEventHandlers({
    mousedown: (event, view) => {
      const position = isHeld(event) ? view.posAtCoords(event) : null
      if (position === null) return false
      show(view, null)
      view.dispatch({ selection: { anchor: position } })
      jump()
      return true
    },
    mousemove: (event, view) => show(view, isHeld(event) ? wordAt(view, event) : null),
    mouseleave: (_, view) => show(view, null),
    keyup: (_, view) => show(view, null)
  })
]

const underline = Decoration.mark({ class: "jump" })

const isHeld = ({ ctrlKey, metaKey }: MouseEvent): boolean => ctrlKey || metaKey

const wordAt = (view: EditorView, event: MouseEvent): Range | null => {
  const position = view.posAtCoords(event)
  const word = position === null ? null : view.state.wordAt(position)
  return word === null ? null : [word.from, word.to]
}

const show = (view: EditorView, range: Range | null): void => {
  const now = link.of(view.state)
  if (now?.[0] !== range?.[0] || now?.[1] !== range?.[1]) view.dispatch({ effects: link.set(range) })
}
