/**
 * The text of a file in a CodeMirror that only reads. It knows nothing of the page: it is told what to show, and tells
 * what the reader does.
 *
 * **Details**
 *
 * It stands in a shadow root. There its styles are adopted sheets, which the page's content policy lets in; the
 * `<style>` element that it would need in the document is what the policy forbids.
 */
import { standardKeymap } from "@codemirror/commands"
import { highlightSelectionMatches } from "@codemirror/search"
import { Compartment, EditorState, Text } from "@codemirror/state"
import { drawSelection, EditorView, highlightActiveLineGutter, keymap } from "@codemirror/view"
import type { BlameRange } from "@tongs/core/explore/Explore"
import styles from "../styles/editor.css?inline"
import type { LineRange } from "../model/Route.ts"
import type * as SyntaxTokens from "../syntax/SyntaxTokens.ts"
import * as BlameGutter from "./BlameGutter.ts"
import * as SyntaxDecorations from "./SyntaxDecorations.ts"
import * as FindInFile from "./FindInFile.ts"
import { findPanel } from "./FindPanel.ts"
import { hiddenCharacters } from "./HiddenCharacters.ts"
import * as MatchHighlights from "./MatchHighlights.ts"
import * as LineNumberGutter from "./LineNumberGutter.ts"
import { definitionLinks } from "./DefinitionLinks.ts"
import * as TextRanges from "./TextRanges.ts"
import type { Caret, EditorListener, EditorHandle } from "./EditorHandle.ts"

export interface Options {
  /** Without their ends of line. */
  readonly lines: ReadonlyArray<string>
  /** For people who do not see the text. */
  readonly label: string
  readonly wrap: boolean
  /** Whether a click with Ctrl or ⌘ leads to the definition of a word. */
  readonly jumps: boolean
  readonly listener: EditorListener
}

/** Opens a text in an element, which is its own from then on. */
export const open = (host: HTMLElement, { jumps, label, lines, listener, wrap }: Options): EditorHandle => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" })
  root.adoptedStyleSheets = [sheet()]
  const wrapping = new Compartment()
  const choose = (lines: LineRange) => listener.onSelectLines(lines)
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: Text.of(lines.length === 0 ? [""] : [...lines]),
      extensions: [
        EditorState.readOnly.of(true),
        // Not editable: letters stay the page's keys, and a phone shows no keyboard.
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label }),
        EditorState.tabSize.of(4),
        EditorState.languageData.of(() => [{ wordChars: "$" }]),
        BlameGutter.blameGutter(listener.onBlameClick),
        LineNumberGutter.lineNumberGutter(choose),
        highlightActiveLineGutter(),
        drawSelection(),
        hiddenCharacters,
        SyntaxDecorations.syntaxDecorations,
        MatchHighlights.matchHighlights,
        findPanel,
        highlightSelectionMatches({ minSelectionLength: 2, wholeWords: true }),
        wrapping.of(wrap ? EditorView.lineWrapping : []),
        jumps ? definitionLinks(() => listener.onGoToDefinition()) : [],
        EditorView.updateListener.of((update) => {
          if (update.selectionSet || update.focusChanged) listener.onCaretMove(caret(update.state))
        }),
        keymap.of([
          {
            key: "Enter",
            run: ({ state }) => {
              const { from, to } = state.selection.main
              choose({ first: state.doc.lineAt(from).number, last: state.doc.lineAt(to).number })
              return true
            }
          },
          ...standardKeymap
        ])
      ]
    })
  })
  // What is typed in a field of the panels is no key of the page.
  const typing = (event: Event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLButtonElement) event.stopPropagation()
  }
  root.addEventListener("keydown", typing)

  const lineOf = (line: number) => view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines))

  return {
    setTokens: (tokens: SyntaxTokens.SyntaxTokens) => view.dispatch({ effects: SyntaxDecorations.tokens.set(tokens) }),
    setMatches: (lines) =>
      view.dispatch({ effects: MatchHighlights.matches.set(MatchHighlights.toOffsets(view.state.doc, lines)) }),
    setBlame: (ranges: ReadonlyArray<BlameRange> | null) =>
      view.dispatch({ effects: BlameGutter.blameRanges.set(ranges) }),
    setLineWrap: (wrap) => view.dispatch({ effects: wrapping.reconfigure(wrap ? EditorView.lineWrapping : []) }),
    selectLines: (lines) => view.dispatch({ effects: LineNumberGutter.selectedLines.set(lines) }),
    reveal: (line, where, word) => {
      const { from, text } = lineOf(line)
      const column = word === undefined ? 0 : Math.max(0, text.search(wholeWord(word)))
      view.dispatch({
        selection: { anchor: from + column },
        effects: EditorView.scrollIntoView(from, where === "near" ? { y: "nearest", yMargin: 80 } : { y: where })
      })
    },
    stepToMatch: (by) => {
      const marks = MatchHighlights.matches.of(view.state)
      const at = TextRanges.next(marks, view.state.selection.main, by)
      const mark = at === undefined ? undefined : TextRanges.at(marks, at)
      if (at === undefined || mark === undefined) return undefined
      view.dispatch({
        selection: { anchor: mark.from, head: mark.to },
        effects: EditorView.scrollIntoView(mark.from, { y: "center", x: "nearest", xMargin: 24 })
      })
      return { at, line: view.state.doc.lineAt(mark.from).number }
    },
    openFind: () => {
      const isFocused = root.activeElement instanceof HTMLInputElement
      return !(FindInFile.isOpen.of(view.state) && isFocused) && FindInFile.open(view)
    },
    openGoToLine: () => void FindInFile.open(view, ":"),
    wordAtCaret: () => {
      const { main } = view.state.selection
      const range = main.empty ? view.state.wordAt(main.head) : main
      if (range === null) return undefined
      const text = view.state.sliceDoc(range.from, range.to)
      const box = view.coordsAtPos(range.from)
      return /^[\p{L}\p{N}_$]+$/u.test(text) && box !== null
        ? { text, box: new DOMRect(box.left, box.top, 0, box.bottom - box.top) }
        : undefined
    },
    caret: () => caret(view.state),
    firstVisibleLine: () => view.state.doc.lineAt(view.lineBlockAtHeight(view.scrollDOM.scrollTop).from).number,
    onScroll: (tell) => view.scrollDOM.addEventListener("scroll", tell, { passive: true }),
    focus: () => view.focus(),
    close: () => {
      root.removeEventListener("keydown", typing)
      view.destroy()
    }
  }
}

/** A word is letters, digits, `_` and `$`: of these only the last means something to a pattern. */
const wholeWord = (word: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_$])${word.replaceAll("$", "\\$")}(?![\\p{L}\\p{N}_$])`, "u")

const caret = (state: EditorState): Caret => {
  const { from, head, to } = state.selection.main
  const line = state.doc.lineAt(head)
  return {
    line: line.number,
    column: head - line.from + 1,
    selected: to - from,
    match: MatchHighlights.currentMatch(state)
  }
}

let adopted: CSSStyleSheet | undefined

const sheet = (): CSSStyleSheet => {
  if (adopted === undefined) {
    adopted = new CSSStyleSheet()
    adopted.replaceSync(styles)
  }
  return adopted
}
