/** The line numbers, and the lines that are chosen with them: a click, another with Shift, or a drag. */
import { type EditorState, type Extension, RangeSet } from "@codemirror/state"
import { Decoration, EditorView, GutterMarker, gutterLineClass, lineNumbers } from "@codemirror/view"
import type { LineRange } from "../model/Route.ts"
import { externalField } from "./ViewportDecorations.ts"

/** The chosen lines, or null. */
export const selectedLines = externalField<LineRange | null>(null)

export const lineNumberGutter = (choose: (lines: LineRange) => void): Extension => [
  selectedLines.field,
  gutterLineClass.compute([selectedLines.field], (state) =>
    RangeSet.of(starts(state).map((at) => new Chosen().range(at)))
  ),
  EditorView.decorations.compute([selectedLines.field], (state) =>
    Decoration.set(starts(state).map((at) => line.range(at)))
  ),
  lineNumbers({
    domEventHandlers: {
      mousedown: (view, { from }, event) => {
        if (!(event instanceof MouseEvent) || event.button !== 0) return false
        const clicked = view.state.doc.lineAt(from).number
        const before = selectedLines.of(view.state)
        const anchor = event.shiftKey && before !== null ? before.first : clicked
        const upTo = (line: number) => choose({ first: Math.min(anchor, line), last: Math.max(anchor, line) })
        upTo(clicked)
        follow(view, clicked, upTo)
        event.preventDefault()
        view.focus()
        return true
      }
    }
  })
]

/** Tells the line under the pointer, whenever it is another, until the button is up. */
const follow = (view: EditorView, start: number, tell: (line: number) => void): void => {
  let last = start
  const end = new AbortController()
  const move = ({ clientY }: MouseEvent) => {
    const { from } = view.lineBlockAtHeight(clientY - view.documentTop)
    const line = view.state.doc.lineAt(from).number
    if (line === last) return
    last = line
    tell(line)
  }
  document.addEventListener("mousemove", move, { signal: end.signal })
  document.addEventListener("mouseup", () => end.abort(), { signal: end.signal })
}

const line = Decoration.line({ class: "chosen" })

class Chosen extends GutterMarker {
  override elementClass = "chosen"
}

/** Where each chosen line begins. */
const starts = (state: EditorState): ReadonlyArray<number> => {
  const lines = selectedLines.of(state)
  if (lines === null) return []
  const last = Math.min(lines.last, state.doc.lines)
  return Array.from({ length: Math.max(0, last - lines.first + 1) }, (_, at) => state.doc.line(lines.first + at).from)
}
