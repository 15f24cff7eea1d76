/** Reports the identifier that the pointer rests on, and the identifier that a finger taps. */
import type { EditorState, Extension } from "@codemirror/state"
import { type EditorView, ViewPlugin } from "@codemirror/view"
import * as Identifiers from "./Identifiers.ts"
import type { Identifier } from "./EditorHandle.ts"
import * as SyntaxDecorations from "./SyntaxDecorations.ts"
import type { TextRange } from "./TextRanges.ts"

/** The events of the pointer. */
export interface HoverListener {
  /** The pointer rests on an identifier. Undefined when the pointer leaves the identifier. */
  readonly onHover: (identifier: Identifier | undefined) => void
  readonly onTap: (identifier: Identifier | undefined) => void
}

/** Milliseconds that the pointer must rest on an identifier. */
const REST = 250

/** Adds the events of the pointer to an editor. */
export const hoverTarget = ({ onHover, onTap }: HoverListener): Extension =>
  ViewPlugin.fromClass(
    class {
      readonly view: EditorView
      timer: number | undefined
      /** The identifier that the pointer rests on. */
      current: DOMRect | undefined
      isTouch = false

      constructor(view: EditorView) {
        this.view = view
      }

      move(event: MouseEvent) {
        clearTimeout(this.timer)
        if (this.current !== undefined && contains(this.current, event)) return
        this.leave()
        if (event.buttons === 0 && !this.isTouch) this.timer = window.setTimeout(() => this.rest(event), REST)
      }

      rest(event: MouseEvent) {
        const identifier = hasSyntax(this.view.state) ? atPointer(this.view, event) : undefined
        if (identifier === undefined) return
        this.current = identifier.box
        onHover(identifier)
      }

      leave() {
        clearTimeout(this.timer)
        if (this.current === undefined) return
        this.current = undefined
        onHover(undefined)
      }

      tap(event: MouseEvent) {
        if (!this.isTouch) return
        const identifier = atPointer(this.view, event)
        if (identifier !== undefined) this.view.dispatch({ selection: { anchor: identifier.offset } })
        onTap(identifier)
      }

      destroy() {
        clearTimeout(this.timer)
      }
    },
    {
      eventHandlers: {
        pointerdown(event) {
          this.isTouch = event.pointerType === "touch"
        },
        pointermove(event) {
          this.isTouch = event.pointerType === "touch"
        },
        mousemove(event) {
          this.move(event)
        },
        mousedown() {
          this.leave()
        },
        mouseleave() {
          this.leave()
        },
        scroll() {
          this.leave()
        },
        click(event) {
          this.tap(event)
        }
      }
    }
  )

/** Describes an identifier of the text. Undefined for an identifier outside the drawn part. */
export const describe = (view: EditorView, { from, to }: TextRange): Identifier | undefined => {
  const start = view.coordsAtPos(from, 1)
  const end = view.coordsAtPos(to, -1)
  if (start === null || end === null) return undefined
  const line = view.state.doc.lineAt(from)
  return {
    text: view.state.sliceDoc(from, to),
    offset: from,
    line: line.number,
    column: from - line.from,
    box: new DOMRect(start.left, start.top, Math.max(0, end.right - start.left), start.bottom - start.top)
  }
}

const atPointer = (view: EditorView, event: MouseEvent): Identifier | undefined => {
  const position = view.posAtCoords({ x: event.clientX, y: event.clientY })
  const range = position === null ? undefined : Identifiers.at(view.state, position)
  const identifier = range === undefined ? undefined : describe(view, range)
  // A position beside a line resolves to the nearest word of the line.
  return identifier !== undefined && contains(identifier.box, event) ? identifier : undefined
}

/** Without syntax, a word can be in a comment. */
const hasSyntax = (state: EditorState): boolean => SyntaxDecorations.tokens.of(state).length > 0

const contains = ({ bottom, left, right, top }: DOMRect, { clientX, clientY }: MouseEvent): boolean =>
  left <= clientX && clientX <= right && top <= clientY && clientY <= bottom
