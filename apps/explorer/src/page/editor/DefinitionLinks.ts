import type { Extension } from "@codemirror/state"
import { Decoration, EditorView } from "@codemirror/view"
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import { externalField } from "./ExternalField.ts"
import * as Identifiers from "./Identifiers.ts"

const link = externalField<TextRange | null>(null)

/** Makes the identifier under the pointer a link while Ctrl or ⌘ is held. A click moves the caret there and calls `onOpen`. */
export const definitionLinks = (onOpen: () => void): Extension => [
  link.field,
  EditorView.decorations.compute([link.field], (state) => {
    const range = link.of(state)
    return range === null ? Decoration.none : Decoration.set(linkDecoration.range(...range))
  }),
  EditorView.domEventHandlers({
    mousedown: (event, view) => {
      const position = hasModifier(event) ? view.posAtCoords(event) : null
      if (position === null) return false
      setLink(view, null)
      view.dispatch({ selection: { anchor: position } })
      onOpen()
      return true
    },
    mousemove: (event, view) => setLink(view, hasModifier(event) ? identifierAt(view, event) : null),
    mouseleave: (_, view) => setLink(view, null),
    keyup: (_, view) => setLink(view, null)
  })
]

const linkDecoration = Decoration.mark({ class: "definition-link" })

const hasModifier = ({ ctrlKey, metaKey }: MouseEvent): boolean => ctrlKey || metaKey

const identifierAt = (view: EditorView, event: MouseEvent): TextRange | null => {
  const position = view.posAtCoords(event)
  const identifier = position === null ? undefined : Identifiers.at(view.state, position)
  return identifier === undefined ? null : [identifier.from, identifier.to]
}

const setLink = (view: EditorView, range: TextRange | null): void => {
  const current = link.of(view.state)
  if (current?.[0] !== range?.[0] || current?.[1] !== range?.[1]) view.dispatch({ effects: link.set(range) })
}
