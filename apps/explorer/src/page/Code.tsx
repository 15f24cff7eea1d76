/** The text of a file: loads the editor, and keeps what it shows in step with the page. */
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from "react"
import type { BlameRange } from "@tongs/core/explore/Explore"
import type { LineMarks } from "./file/Marks.ts"
import type { open as Open } from "./file/Editor.ts"
import type { Listener, Viewer } from "./file/Viewer.ts"
import type { Line } from "./Lines.ts"
import { Notice } from "./Notice.tsx"
import { useSyntax } from "./useSyntax.ts"
import { memory, remember } from "./useView.ts"
import type * as View from "./View.ts"

/** Milliseconds without scrolling after which the place is remembered. */
const REST = 120

export const Code = ({
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
  readonly chosen: View.Lines | undefined
  /** Undefined until they are known. */
  readonly marks: ReadonlyArray<LineMarks> | undefined
  readonly blame: ReadonlyArray<BlameRange> | null
  readonly wrap: boolean
  readonly jumps: boolean
  readonly listener: Listener
  /** Where the page finds the editor, once it is there. */
  readonly viewer: RefObject<Viewer | null>
}) => {
  const host = useRef<HTMLDivElement>(null)
  const [viewer, setViewer] = useState<Viewer>()
  const [hasFailed, setHasFailed] = useState(false)
  const listening = useEffectEvent(() => listener)
  // What the editor is opened with; later changes are told to it.
  const opening = useRef({ jumps, label, wrap })

  useEffect(() => {
    const element = host.current
    if (element === null) return
    let opened: Viewer | undefined
    let isGone = false
    const start = ({ open }: { readonly open: typeof Open }) => {
      if (isGone) return
      opened = open(element, { ...opening.current, lines: lines.map(({ text }) => text), listener: relay(listening) })
      handle.current = opened
      setViewer(opened)
    }
    import("./file/Editor.ts").then(start, () => setHasFailed(true))
    return () => {
      isGone = true
      handle.current = null
      opened?.close()
      setViewer(undefined)
    }
  }, [lines, handle])

  // Offsets are those of the editor, where every end of line is one character.
  const text = useMemo(() => lines.map(({ text }) => text).join("\n"), [lines])
  const tokens = useSyntax(path, text, 0)
  useEffect(() => viewer?.tokens(tokens), [viewer, tokens])
  useEffect(() => viewer?.wrap(wrap), [viewer, wrap])
  useEffect(() => viewer?.blame(blame), [viewer, blame])
  useEffect(() => viewer?.marks(marks ?? []), [viewer, marks])
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
  viewer: Viewer | undefined,
  chosen: View.Lines | undefined,
  marks: ReadonlyArray<LineMarks> | undefined
) => {
  const opened = useRef<Viewer>(undefined)
  const first = chosen?.first
  const last = chosen?.last
  useEffect(() => {
    viewer?.choose(first === undefined || last === undefined ? null : { first, last })
  }, [viewer, first, last])
  useEffect(() => {
    if (viewer === undefined) return
    const isOpen = opened.current === viewer
    const { line, word } = memory()
    if (isOpen) {
      if (first !== undefined && viewer.caret().line !== first) viewer.reveal(first, "near")
      return
    }
    if (line === undefined && first === undefined && marks === undefined) return
    opened.current = viewer
    if (document.activeElement === document.body) viewer.focus()
    if (first !== undefined) viewer.reveal(first, "center", word)
    if (line !== undefined) viewer.reveal(line, "start")
    else if (first === undefined) viewer.step(1)
  }, [viewer, first, marks])
}

const useRemembered = (viewer: Viewer | undefined) => {
  useEffect(() => {
    if (viewer === undefined) return
    let resting: number | undefined
    viewer.onScroll(() => {
      clearTimeout(resting)
      resting = window.setTimeout(() => remember({ line: viewer.top() }), REST)
    })
    return () => clearTimeout(resting)
  }, [viewer])
}

/** To whoever listens at the time. */
const relay = (listening: () => Listener): Listener => ({
  choose: (lines) => listening().choose(lines),
  jump: () => listening().jump(),
  blame: (range, at) => listening().blame(range, at),
  move: (caret) => listening().move(caret)
})
