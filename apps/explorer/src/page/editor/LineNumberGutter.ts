import { type EditorState, type Extension, RangeSet } from "@codemirror/state"
import { Decoration, EditorView, GutterMarker, gutterLineClass, lineNumbers } from "@codemirror/view"
import type { LineRange } from "../model/Route.ts"
import { externalField } from "./ExternalField.ts"

/** The selected lines, as in the URL. */
export const selectedLines = externalField<LineRange | null>(null)

/** Line numbers for the selection of lines: by a click, a click with Shift for a range, or a drag. */
export const lineNumberGutter = (onSelect: (lines: LineRange) => void): Extension => [
  selectedLines.field,
  gutterLineClass.compute([selectedLines.field], (state) =>
    RangeSet.of(lineStarts(state).map((start) => new SelectedLineMarker().range(start)))
  ),
  EditorView.decorations.compute([selectedLines.field], (state) =>
    Decoration.set(lineStarts(state).map((start) => selectedLine.range(start)))
  ),
  lineNumbers({
    domEventHandlers: {
      mousedown: (view, { from }, event) => {
        if (!(event instanceof MouseEvent) || event.button !== 0) return false
        const clicked = view.state.doc.lineAt(from).number
        const before = selectedLines.of(view.state)
        const anchor = event.shiftKey && before !== null ? before.first : clicked
        const extendTo = (line: number) => onSelect({ first: Math.min(anchor, line), last: Math.max(anchor, line) })
        extendTo(clicked)
        trackDrag(view, clicked, extendTo)
        event.preventDefault()
        view.focus()
        return true
      }
    }
  })
]

/** Calls `onLine` for each new line under the pointer until the button is released. */
const trackDrag = (view: EditorView, start: number, onLine: (line: number) => void): void => {
  let last = start
  const controller = new AbortController()
  const { signal } = controller
  const move = ({ clientY }: MouseEvent) => {
    const { from } = view.lineBlockAtHeight(clientY - view.documentTop)
    const line = view.state.doc.lineAt(from).number
    if (line === last) return
    last = line
    onLine(line)
  }
  document.addEventListener("mousemove", move, { signal })
  document.addEventListener("mouseup", () => controller.abort(), { signal })
}

const selectedLine = Decoration.line({ class: "selected-line" })

class SelectedLineMarker extends GutterMarker {
  override elementClass = "selected-line"
}

/** The offset of each selected line. */
const lineStarts = (state: EditorState): ReadonlyArray<number> => {
  const lines = selectedLines.of(state)
  if (lines === null) return []
  const last = Math.min(lines.last, state.doc.lines)
  return Array.from(
    { length: Math.max(0, last - lines.first + 1) },
    (_, index) => state.doc.line(lines.first + index).from
  )
}
