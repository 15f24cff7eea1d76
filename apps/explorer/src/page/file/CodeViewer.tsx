import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from "react"
import type { BlameRange } from "@tongs/core/contract/History"
import type { LineMatches } from "../editor/MatchHighlights.ts"
import type { open as Open } from "../editor/Editor.ts"
import type { EditorListener, EditorHandle } from "../editor/EditorHandle.ts"
import type { Line } from "../model/TextLines.ts"
import { Notice } from "../components/Notice.tsx"
import { useSyntaxTokens } from "../syntax/useSyntaxTokens.ts"
import { historyState, updateHistoryState } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"

/** Milliseconds without scrolling before the first visible line is stored. */
const SCROLL_DELAY = 120

/** The text of a file: loads the editor and applies each prop to it. */
export const CodeViewer = ({
  blame,
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
  /** Its extension selects the grammar. */
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
  /** Receives the editor once it is open. */
  readonly editor: RefObject<EditorHandle | null>
}) => {
  const host = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<EditorHandle>()
  const [hasFailed, setHasFailed] = useState(false)
  const latestListener = useEffectEvent(() => listener)
  // The editor opens with the first values. Effects apply later ones.
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
  useReveal(editor, selectedLines, matches)
  useStoredScroll(editor)

  return hasFailed ? (
    <Notice title="The editor did not load">
      <p>The explorer may have been updated or stopped. Reload the page.</p>
    </Notice>
  ) : (
    <div ref={host} className="code" aria-busy={editor === undefined} />
  )
}

/**
 * Scrolls a new editor to the stored line, the selected lines, or the first match. Afterwards reveals lines that are
 * selected elsewhere, for example in the outline.
 */
const useReveal = (
  editor: EditorHandle | undefined,
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
    const { firstLine, word } = historyState()
    if (isOpen) {
      if (first !== undefined && editor.caret().line !== first) editor.reveal(first, "near")
      return
    }
    if (firstLine === undefined && first === undefined && matches === undefined) return
    opened.current = editor
    if (document.activeElement === document.body) editor.focus()
    if (first !== undefined) editor.reveal(first, "center", word)
    if (firstLine !== undefined) editor.reveal(firstLine, "start")
    else if (first === undefined) editor.stepToMatch(1)
  }, [editor, first, matches])
}

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

/** A listener that forwards to the latest one. */
const forward = (latest: () => EditorListener): EditorListener => ({
  onSelectLines: (lines) => latest().onSelectLines(lines),
  onGoToDefinition: () => latest().onGoToDefinition(),
  onBlameClick: (range, at) => latest().onBlameClick(range, at),
  onCaretMove: (caret) => latest().onCaretMove(caret)
})
