/**
 * A read-only CodeMirror editor. The page controls the editor with an `EditorHandle` and listens with an
 * `EditorListener`.
 *
 * **Details**
 *
 * CodeMirror adds a `<style>` element to a document, which the content security policy forbids. Inside a shadow root,
 * CodeMirror uses adopted style sheets instead.
 */
import { standardKeymap } from "@codemirror/commands"
import { highlightSelectionMatches } from "@codemirror/search"
import { Compartment, EditorState, Text } from "@codemirror/state"
import { drawSelection, EditorView, highlightActiveLineGutter, keymap } from "@codemirror/view"
import type { BlameRange } from "@tongs/core/contract/groups/History"
import styles from "../styles/editor.css?inline"
import type * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"
import * as BlameGutter from "./BlameGutter.ts"
import * as SyntaxDecorations from "./SyntaxDecorations.ts"
import * as FindInFile from "./FindInFile.ts"
import { findPanel } from "./FindPanel.ts"
import { hiddenCharacters } from "./HiddenCharacters.ts"
import * as MatchHighlights from "./MatchHighlights.ts"
import * as LineNumberGutter from "./LineNumberGutter.ts"
import { definitionLinks } from "./DefinitionLinks.ts"
import * as HoverTarget from "./HoverTarget.ts"
import * as Identifiers from "./Identifiers.ts"
import * as Occurrences from "./Occurrences.ts"
import * as TextRanges from "./TextRanges.ts"
import type { Caret, EditorListener, EditorHandle } from "./EditorHandle.ts"

export interface Options {
  /** Without line endings. */
  readonly lines: ReadonlyArray<string>
  /** The accessible name. */
  readonly label: string
  readonly wrap: boolean
  /** Whether Ctrl or ⌘ makes words links to definitions. */
  readonly hasDefinitions: boolean
  readonly listener: EditorListener
}

/** Opens an editor in `host`, which must stay otherwise empty. */
export const open = (host: HTMLElement, { hasDefinitions, label, lines, listener, wrap }: Options): EditorHandle => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" })
  root.adoptedStyleSheets = [styleSheet()]
  const lineWrapping = new Compartment()
  const caretListeners: Array<() => void> = []
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: Text.of(lines.length === 0 ? [""] : [...lines]),
      extensions: [
        EditorState.readOnly.of(true),
        // Not editable, so that letters stay keyboard shortcuts and a phone shows no keyboard.
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label }),
        EditorState.tabSize.of(4),
        EditorState.languageData.of(() => [{ wordChars: "$" }]),
        BlameGutter.blameGutter(listener.onBlameClick),
        LineNumberGutter.lineNumberGutter(listener.onSelectLines),
        highlightActiveLineGutter(),
        drawSelection(),
        hiddenCharacters,
        SyntaxDecorations.syntaxDecorations,
        MatchHighlights.matchHighlights,
        findPanel,
        highlightSelectionMatches({ minSelectionLength: 2, wholeWords: true }),
        lineWrapping.of(wrap ? EditorView.lineWrapping : []),
        Occurrences.occurrences,
        hasDefinitions ? [definitionLinks(listener.onGoToDefinition), HoverTarget.hoverTarget(listener)] : [],
        EditorView.updateListener.of((update) => {
          if (update.selectionSet || update.focusChanged) listener.onCaretMove(caret(update.state))
          if (update.selectionSet) for (const listener of caretListeners) listener()
        }),
        keymap.of([
          {
            key: "Enter",
            run: ({ state }) => {
              const { from, to } = state.selection.main
              listener.onSelectLines({ first: state.doc.lineAt(from).number, last: state.doc.lineAt(to).number })
              return true
            }
          },
          ...standardKeymap
        ])
      ]
    })
  })
  // Keys in the fields of a panel must not trigger the page's shortcuts.
  const stopPanelKeys = (event: Event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLButtonElement) event.stopPropagation()
  }
  root.addEventListener("keydown", stopPanelKeys)

  const lineOf = (line: number) => view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines))
  const firstVisibleLine = () => view.state.doc.lineAt(view.lineBlockAtHeight(view.scrollDOM.scrollTop).from).number
  const offsetOf = (line: number, column: number) => {
    const { from, length } = lineOf(line)
    return from + Math.min(Math.max(1, column) - 1, length)
  }

  return {
    setTokens: (tokens: SyntaxTokens.SyntaxTokens) => view.dispatch({ effects: SyntaxDecorations.tokens.set(tokens) }),
    setMatches: (lines) =>
      view.dispatch({ effects: MatchHighlights.matches.set(MatchHighlights.toOffsets(view.state.doc, lines)) }),
    setBlame: (ranges: ReadonlyArray<BlameRange> | null) =>
      view.dispatch({ effects: BlameGutter.blameRanges.set(ranges) }),
    setLineWrap: (wrap) => view.dispatch({ effects: lineWrapping.reconfigure(wrap ? EditorView.lineWrapping : []) }),
    selectLines: (lines) => view.dispatch({ effects: LineNumberGutter.selectedLines.set(lines) }),
    reveal: (line, position, word) => {
      const { from, text } = lineOf(line)
      const column = word === undefined ? 0 : Math.max(0, text.search(wholeWord(word)))
      view.dispatch({
        selection: { anchor: from + column },
        effects: EditorView.scrollIntoView(from, position === "near" ? { y: "nearest", yMargin: 80 } : { y: position })
      })
    },
    moveTo: (line, column) => {
      const anchor = offsetOf(line, column)
      const box = view.coordsAtPos(anchor)
      const bounds = view.scrollDOM.getBoundingClientRect()
      const isVisible = box !== null && box.top >= bounds.top && box.bottom <= bounds.bottom
      const y = isVisible ? "nearest" : "center"
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y, xMargin: 24 }) })
    },
    place: () => {
      const { column, line } = caret(view.state)
      return { firstLine: firstVisibleLine(), caret: { line, column } }
    },
    restore: ({ caret, firstLine }) =>
      view.dispatch({
        selection: { anchor: offsetOf(caret.line, caret.column) },
        effects: EditorView.scrollIntoView(lineOf(firstLine).from, { y: "start", yMargin: 0 })
      }),
    stepToOccurrence: (by) => {
      const next = Occurrences.next(view.state, by)
      if (next === undefined) return undefined
      view.dispatch({
        selection: { anchor: next.from },
        effects: EditorView.scrollIntoView(next.from, { y: "nearest", yMargin: 80, xMargin: 24 })
      })
      return view.state.doc.lineAt(next.from).number
    },
    stepToMatch: (by) => {
      const matches = MatchHighlights.matches.of(view.state)
      const index = TextRanges.next(matches, view.state.selection.main, by)
      const match = index === undefined ? undefined : TextRanges.at(matches, index)
      if (index === undefined || match === undefined) return undefined
      view.dispatch({
        selection: { anchor: match.from, head: match.to },
        effects: EditorView.scrollIntoView(match.from, { y: "center", x: "nearest", xMargin: 24 })
      })
      return { index, line: view.state.doc.lineAt(match.from).number }
    },
    openFind: () => {
      const isFocused = root.activeElement instanceof HTMLInputElement
      return !(FindInFile.isOpen.of(view.state) && isFocused) && FindInFile.open(view)
    },
    openGoToLine: () => void FindInFile.open(view, ":"),
    identifierAtCaret: () => {
      const range = Identifiers.at(view.state, view.state.selection.main.from)
      return range === undefined ? undefined : HoverTarget.describe(view, range)
    },
    keepAbove: (height) => {
      const box = view.coordsAtPos(view.state.selection.main.head)
      const hidden = box === null ? 0 : box.bottom + 8 - (innerHeight - height)
      if (hidden > 0) view.scrollDOM.scrollTop += hidden
    },
    caret: () => caret(view.state),
    firstVisibleLine,
    currentLine: () => {
      const { clientHeight, scrollTop } = view.scrollDOM
      const { head } = view.state.selection.main
      const { bottom, top } = view.lineBlockAt(head)
      return top >= scrollTop - 1 && bottom <= scrollTop + clientHeight
        ? view.state.doc.lineAt(head).number
        : firstVisibleLine()
    },
    onCaretMove: (listener) => caretListeners.push(listener),
    onScroll: (listener) => view.scrollDOM.addEventListener("scroll", listener, { passive: true }),
    focus: () => view.focus(),
    close: () => {
      root.removeEventListener("keydown", stopPanelKeys)
      view.destroy()
    }
  }
}

/** Matches a whole word. Identifiers consist of letters, digits, `_` and `$`; only `$` needs escaping. */
const wholeWord = (word: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_$])${word.replaceAll("$", "\\$")}(?![\\p{L}\\p{N}_$])`, "u")

const caret = (state: EditorState): Caret => {
  const { from, head, to } = state.selection.main
  const line = state.doc.lineAt(head)
  return {
    line: line.number,
    column: head - line.from + 1,
    selected: to - from,
    match: MatchHighlights.currentMatchIndex(state)
  }
}

let sheet: CSSStyleSheet | undefined

const styleSheet = (): CSSStyleSheet => {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
  }
  return sheet
}
