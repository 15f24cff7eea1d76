import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from "react"
import type { BlameRange } from "@tongs/core/contract/groups/History"
import type { LineMatches } from "../editor/MatchHighlights.ts"
import type { open as Open } from "../editor/Editor.ts"
import type { EditorListener, EditorHandle, Place } from "../editor/EditorHandle.ts"
import type { Line } from "../model/TextLines.ts"
import { Notice } from "../components/Notice.tsx"
import type * as CurrentLine from "./CurrentLine.ts"
import { useSyntaxTokens } from "../syntax/useSyntaxTokens.ts"
import { type HistoryState, historyState, updateHistoryState } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"

/** Milliseconds without scrolling before the first visible line is stored. */
const SCROLL_DELAY = 120

/** The text of a file: loads the editor and applies each prop. */
export const CodeViewer = ({
  blame,
  currentLine,
  editor: handle,
  hasDefinitions,
  label,
  lines,
  listener,
  matches,
  path,
  selectedLines,
  wrap
}: {
  readonly lines: ReadonlyArray<Line>
  /** The extension selects the grammar. */
  readonly path: string
  /** The accessible name. */
  readonly label: string
  readonly selectedLines: Route.LineRange | undefined
  /** Undefined while loading. */
  readonly matches: ReadonlyArray<LineMatches> | undefined
  readonly blame: ReadonlyArray<BlameRange> | null
  readonly wrap: boolean
  readonly hasDefinitions: boolean
  readonly listener: EditorListener
  /** Receives the line that the user reads. */
  readonly currentLine: CurrentLine.CurrentLine
  /** Receives the editor after loading. */
  readonly editor: RefObject<EditorHandle | null>
}) => {
  const host = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<EditorHandle>()
  const [hasFailed, setHasFailed] = useState(false)
  const latestListener = useEffectEvent(() => listener)
  // The editor opens with the first values. Effects apply later values.
  const initial = useRef({ hasDefinitions, label, wrap })

  useEffect(() => {
    const element = host.current
    if (element === null) return
    let opened: EditorHandle | undefined
    let isUnmounted = false
    const start = ({ open }: { readonly open: typeof Open }) => {
      if (isUnmounted) return
      opened = open(element, {
        ...initial.current,
        lines: lines.map(({ text }) => text),
        listener: forward(latestListener)
      })
      handle.current = opened
      setEditor(opened)
    }
    import("../editor/Editor.ts").then(start, () => setHasFailed(true))
    return () => {
      isUnmounted = true
      handle.current = null
      opened?.close()
      setEditor(undefined)
    }
  }, [lines, handle])

  // Joined with single line feeds, because every line ending is one character in the editor.
  const text = useMemo(() => lines.map(({ text }) => text).join("\n"), [lines])
  const tokens = useSyntaxTokens(path, text, 0)
  useEffect(() => editor?.setTokens(tokens), [editor, tokens])
  useEffect(() => editor?.setLineWrap(wrap), [editor, wrap])
  useEffect(() => editor?.setBlame(blame), [editor, blame])
  useEffect(() => editor?.setMatches(matches ?? []), [editor, matches])
  useReveal(editor, handle, selectedLines, matches)
  useStoredScroll(editor)
  useCurrentLine(editor, currentLine)

  return hasFailed ? (
    <Notice title="The editor did not load">
      <p>The explorer may have been updated or stopped. Reload the page.</p>
    </Notice>
  ) : (
    <div ref={host} className="code" aria-busy={editor === undefined} />
  )
}

/**
 * Scrolls a new editor to the stored line, the selected lines, or the first match. Afterwards reveals lines that other
 * parts of the page select, for example the outline.
 */
const useReveal = (
  editor: EditorHandle | undefined,
  handle: RefObject<EditorHandle | null>,
  selectedLines: Route.LineRange | undefined,
  matches: ReadonlyArray<LineMatches> | undefined
) => {
  const opened = useRef<EditorHandle>(undefined)
  const first = selectedLines?.first
  const last = selectedLines?.last
  useEffect(() => {
    editor?.selectLines(first === undefined || last === undefined ? null : { first, last })
  }, [editor, first, last])
  useEffect(() => {
    if (editor === undefined) return
    const isOpen = opened.current === editor
    const { caret, firstLine, word } = historyState()
    if (isOpen) {
      if (first !== undefined && editor.caret().line !== first) editor.reveal(first, "near")
      return
    }
    if (firstLine === undefined && first === undefined && matches === undefined) return
    opened.current = editor
    if (document.activeElement === document.body) editor.focus()
    if (first !== undefined) editor.reveal(first, "center", word)
    if (caret !== undefined) editor.moveTo(caret.line, caret.column)
    if (firstLine !== undefined) editor.restore(placeOf(historyState(), first, firstLine))
    else if (first === undefined && caret === undefined) editor.stepToMatch(1)
  }, [editor, first, matches])
  // Back and forward within the file return to the exact place.
  useEffect(() => {
    if (editor === undefined) return
    const restore = () => {
      // After the page has rendered the route: another file closes the editor.
      requestAnimationFrame(() => {
        const { firstLine } = historyState()
        if (handle.current === editor && firstLine !== undefined) {
          editor.restore(placeOf(historyState(), undefined, firstLine))
        }
      })
    }
    addEventListener("popstate", restore)
    return () => removeEventListener("popstate", restore)
  }, [editor, handle])
}

const placeOf = ({ caret }: HistoryState, line: number | undefined, firstLine: number): Place => ({
  firstLine,
  caret: caret ?? { line: line ?? firstLine, column: 1 }
})

const useStoredScroll = (editor: EditorHandle | undefined) => {
  useEffect(() => {
    if (editor === undefined) return
    let timer: number | undefined
    editor.onScroll(() => {
      clearTimeout(timer)
      timer = window.setTimeout(() => updateHistoryState({ firstLine: editor.firstVisibleLine() }), SCROLL_DELAY)
    })
    return () => clearTimeout(timer)
  }, [editor])
}

const useCurrentLine = (editor: EditorHandle | undefined, line: CurrentLine.CurrentLine) => {
  useEffect(() => {
    if (editor === undefined) return
    let frame = 0
    const update = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => line.set(editor.currentLine()))
    }
    editor.onScroll(update)
    editor.onCaretMove(update)
    update()
    return () => cancelAnimationFrame(frame)
  }, [editor, line])
}

/** A listener that forwards to the latest listener. */
const forward = (latest: () => EditorListener): EditorListener => ({
  onSelectLines: (lines) => latest().onSelectLines(lines),
  onGoToDefinition: () => latest().onGoToDefinition(),
  onHover: (identifier) => latest().onHover(identifier),
  onTap: (identifier) => latest().onTap(identifier),
  onBlameClick: (range, at) => latest().onBlameClick(range, at),
  onCaretMove: (caret) => latest().onCaretMove(caret)
})
