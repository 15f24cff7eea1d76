/** The text of a file: loads the editor, and keeps what it shows in step with the page. */
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from "react"
import type { BlameRange } from "@tongs/core/explore/Explore"
import type { LineMatches } from "../editor/MatchHighlights.ts"
import type { open as Open } from "../editor/Editor.ts"
import type { EditorListener, EditorHandle } from "../editor/EditorHandle.ts"
import type { Line } from "../model/TextLines.ts"
import { Notice } from "../components/Notice.tsx"
import { useSyntaxTokens } from "../syntax/useSyntaxTokens.ts"
import { historyState, updateHistoryState } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"

/** Milliseconds without scrolling after which the place is remembered. */
const REST = 120

export const CodeViewer = ({
  blame,
  chosen,
  jumps,
  label,
  lines,
  listener,
  marks,
  path,
  viewer: handle,
  wrap
}: {
  readonly lines: ReadonlyArray<Line>
  /** Its language is told by it. */
  readonly path: string
  readonly label: string
  readonly chosen: Route.LineRange | undefined
  /** Undefined until they are known. */
  readonly marks: ReadonlyArray<LineMatches> | undefined
  readonly blame: ReadonlyArray<BlameRange> | null
  readonly wrap: boolean
  readonly jumps: boolean
  readonly listener: EditorListener
  /** Where the page finds the editor, once it is there. */
  readonly viewer: RefObject<EditorHandle | null>
}) => {
  const host = useRef<HTMLDivElement>(null)
  const [viewer, setViewer] = useState<EditorHandle>()
  const [hasFailed, setHasFailed] = useState(false)
  const listening = useEffectEvent(() => listener)
  // What the editor is opened with; later changes are told to it.
  const opening = useRef({ jumps, label, wrap })

  useEffect(() => {
    const element = host.current
    if (element === null) return
    let opened: EditorHandle | undefined
    let isGone = false
    const start = ({ open }: { readonly open: typeof Open }) => {
      if (isGone) return
      opened = open(element, { ...opening.current, lines: lines.map(({ text }) => text), listener: relay(listening) })
      handle.current = opened
      setViewer(opened)
    }
    import("../editor/Editor.ts").then(start, () => setHasFailed(true))
    return () => {
      isGone = true
      handle.current = null
      opened?.close()
      setViewer(undefined)
    }
  }, [lines, handle])

  // Offsets are those of the editor, where every end of line is one character.
  const text = useMemo(() => lines.map(({ text }) => text).join("\n"), [lines])
  const tokens = useSyntaxTokens(path, text, 0)
  useEffect(() => viewer?.setTokens(tokens), [viewer, tokens])
  useEffect(() => viewer?.setLineWrap(wrap), [viewer, wrap])
  useEffect(() => viewer?.setBlame(blame), [viewer, blame])
  useEffect(() => viewer?.setMatches(marks ?? []), [viewer, marks])
  useOpening(viewer, chosen, marks)
  useRemembered(viewer)

  return hasFailed ? (
    <Notice title="The viewer did not load">
      <p>The explorer may have been updated, or stopped. Load the page again.</p>
    </Notice>
  ) : (
    <div ref={host} className="code" aria-busy={viewer === undefined} />
  )
}

/** Where one looks first: where one was, the chosen lines, or the first match. Later, whatever is chosen from outside. */
const useOpening = (
  viewer: EditorHandle | undefined,
  chosen: Route.LineRange | undefined,
  marks: ReadonlyArray<LineMatches> | undefined
) => {
  const opened = useRef<EditorHandle>(undefined)
  const first = chosen?.first
  const last = chosen?.last
  useEffect(() => {
    viewer?.selectLines(first === undefined || last === undefined ? null : { first, last })
  }, [viewer, first, last])
  useEffect(() => {
    if (viewer === undefined) return
    const isOpen = opened.current === viewer
    const { firstLine, word } = historyState()
    if (isOpen) {
      if (first !== undefined && viewer.caret().line !== first) viewer.reveal(first, "near")
      return
    }
    if (firstLine === undefined && first === undefined && marks === undefined) return
    opened.current = viewer
    if (document.activeElement === document.body) viewer.focus()
    if (first !== undefined) viewer.reveal(first, "center", word)
    if (firstLine !== undefined) viewer.reveal(firstLine, "start")
    else if (first === undefined) viewer.stepToMatch(1)
  }, [viewer, first, marks])
}

const useRemembered = (viewer: EditorHandle | undefined) => {
  useEffect(() => {
    if (viewer === undefined) return
    let resting: number | undefined
    viewer.onScroll(() => {
      clearTimeout(resting)
      resting = window.setTimeout(() => updateHistoryState({ firstLine: viewer.firstVisibleLine() }), REST)
    })
    return () => clearTimeout(resting)
  }, [viewer])
}

/** To whoever listens at the time. */
const relay = (listening: () => EditorListener): EditorListener => ({
  onSelectLines: (lines) => listening().onSelectLines(lines),
  onGoToDefinition: () => listening().onGoToDefinition(),
  onBlameClick: (range, at) => listening().onBlameClick(range, at),
  onCaretMove: (caret) => listening().onCaretMove(caret)
})
