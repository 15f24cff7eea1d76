/** A file that is text: its toolbar, the editor, and what stands beside it. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as Wire from "../../Wire.ts"
import * as Api from "../Api.ts"
import { CodeViewer } from "./CodeViewer.tsx"
import * as TextLines from "../model/TextLines.ts"
import { displayText } from "../model/displayText.ts"
import { useConnection } from "../api/useConnection.ts"
import { useClipboard } from "../hooks/useClipboard.ts"
import { isTyping, useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { navigate, historyState } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import { FileInfo } from "./FileInfo.tsx"
import { CommitHistory } from "./CommitHistory.tsx"
import { Icon } from "./Icon.tsx"
import * as Permalinks from "../model/Permalinks.ts"
import { Outline } from "./Outline.tsx"
import { HoverCard, type HoverCardContent, locationRoute } from "./HoverCard.tsx"
import * as References from "./References.ts"
import { linesWithBidiControls } from "../model/BidiControls.ts"
import { StatusBar } from "./StatusBar.tsx"
import { ToolbarCopyButton, ToolbarButton, Toolbar } from "./Toolbar.tsx"
import { useQueryMatches } from "./useQueryMatches.ts"
import { useLineWrap } from "./useLineWrap.ts"
import type { Caret, EditorListener, EditorHandle } from "../editor/EditorHandle.ts"

export const TextFileView = ({
  file,
  text,
  view
}: {
  readonly file: Wire.File
  readonly text: string
  readonly view: Route.File
}) => {
  const { owner, path, repo } = file
  const connection = useConnection()
  const hasIndex = connection._tag === "Ready" && connection.value.capabilities.index
  const lines = useMemo(() => TextLines.split(text), [text])
  const warnings = useMemo(() => linesWithBidiControls(lines), [lines])
  const marks = useQueryMatches(file, lines, view.q ?? "", hasIndex)
  const total = marks?.reduce((sum, { ranges }) => sum + ranges.length, 0) ?? 0
  const blame = Api.useAnswer(
    Api.blame,
    hasIndex && view.blame === true ? { owner, repo, path, ref: file.commit } : undefined
  )
  const blamed = view.blame === true && blame._tag === "Ready" ? blame.value.ranges : null
  const viewer = useRef<EditorHandle>(null)
  const [caret, setCaret] = useState<Caret>(START)
  const [peek, setPeek] = useState<{ readonly subject: HoverCardContent; readonly at: DOMRect }>()
  const [hasAsked, setHasAsked] = useState(false)
  const { copy, said } = useClipboard()
  const [wrap, toggleWrap] = useLineWrap(lines)

  /** The same file otherwise shown. What comes late changes what is shown by then. */
  const latest = useRef(view)
  useLayoutEffect(() => {
    latest.current = view
  })
  const change = (more: Pick<Route.File, "blame" | "lines" | "side">) =>
    navigate({ ...latest.current, ...more }, { replace: true, memory: historyState() })
  const choose = (lines: Route.LineRange) => change({ lines })
  const toLine = (line: number, word?: string) => {
    choose({ first: line, last: line })
    viewer.current?.reveal(line, "center", word)
    viewer.current?.focus()
  }
  const step = (by: 1 | -1) => {
    const found = viewer.current?.stepToMatch(by)
    if (found !== undefined) choose({ first: found.line, last: found.line })
  }
  const toggleBlame = () => change({ blame: view.blame === true ? undefined : true })
  const toggleSide = (side: Route.SidePanel) => {
    setHasAsked(true)
    change({ side: view.side === side ? undefined : side })
  }
  const closeSide = () => {
    change({ side: undefined })
    viewer.current?.focus()
  }
  const closePeek = () => {
    setPeek(undefined)
    viewer.current?.focus()
  }

  // Whoever has asked for something else, or gone on, or types, is not led away by a late answer.
  const asked = useRef(0)
  const definitions = async () => {
    const word = viewer.current?.wordAtCaret()
    const here = viewer.current?.caret()
    if (word === undefined || here === undefined || !hasIndex) return
    const number = ++asked.current
    const isAwaited = () => {
      const now = viewer.current?.caret()
      return asked.current === number && now?.line === here.line && now.column === here.column && !isTyping()
    }
    const parameters = { name: word.text, owner, repo }
    try {
      const { definitions } = await Api.client.fetchQuery({
        staleTime: References.FRESH,
        queryKey: Api.key(Api.definitions, parameters),
        queryFn: ({ signal }) => Api.get(Api.definitions, parameters, signal)
      })
      if (!isAwaited()) return
      const [only] = definitions
      if (only === undefined || definitions.length > 1) {
        setPeek({ subject: { _tag: "Definitions", word: word.text, definitions }, at: word.box })
      } else if (only.path === path && only.line === here.line) {
        // One stands on the definition: what is left to know is who uses it.
        setPeek({ subject: { _tag: "References", word: word.text }, at: word.box })
      } else if (only.path === path && only.commit === file.commit) toLine(only.line, word.text)
      else navigate(locationRoute(only, file, view), { memory: { word: word.text } })
    } catch (error) {
      if (isAwaited()) setPeek({ subject: { _tag: "Failed", failure: Api.failureOf(error) }, at: word.box })
    }
  }
  const references = () => {
    asked.current++
    const word = viewer.current?.wordAtCaret()
    if (word !== undefined && hasIndex) setPeek({ subject: { _tag: "References", word: word.text }, at: word.box })
  }

  const listener: EditorListener = {
    onSelectLines: choose,
    onGoToDefinition: () => void definitions(),
    onBlameClick: (range, at) => setPeek({ subject: { _tag: "Blame", range }, at }),
    onCaretMove: setCaret
  }
  const permalink = () => Permalinks.permalink(view, file.commit)
  const pin = () => {
    // The same file under another name: nothing is read again.
    const pinned: Wire.File = { ...file, ref: file.commit }
    Api.client.setQueryData(Api.key(Api.file, { owner, repo, path, ref: file.commit }), pinned)
    navigate({ ...view, ref: file.commit }, { replace: true, memory: historyState() })
    copy(Permalinks.absoluteUrl(permalink()))
  }

  useKeyboardShortcuts({
    n: () => step(1),
    p: () => step(-1),
    j: () => step(1),
    k: () => step(-1),
    ...(hasIndex ? { b: toggleBlame, s: () => toggleSide("symbols"), d: () => void definitions(), r: references } : {}),
    h: () => toggleSide("history"),
    l: () => viewer.current?.openGoToLine(),
    w: toggleWrap,
    y: pin
  })
  useFind(viewer)

  return (
    <>
      <Toolbar
        facts={<FileInfo file={file} text={text} lines={lines.length} />}
        between={total > 0 && <Stepper at={caret.match} total={total} step={step} />}
      >
        <ToolbarButton icon="find" label="Find" keys="Control+F" onClick={() => viewer.current?.openFind()} />
        {hasIndex && (
          <ToolbarButton
            icon="symbols"
            label="Symbols"
            keys="s"
            aria-pressed={view.side === "symbols"}
            onClick={() => toggleSide("symbols")}
          />
        )}
        <ToolbarButton
          icon="history"
          label="History"
          keys="h"
          aria-pressed={view.side === "history"}
          onClick={() => toggleSide("history")}
        />
        {hasIndex && (
          <ToolbarButton icon="blame" label="Blame" keys="b" aria-pressed={view.blame === true} onClick={toggleBlame} />
        )}
        {toggleWrap !== undefined && (
          <ToolbarButton icon="wrap" label="Wrap" keys="w" aria-pressed={wrap} onClick={toggleWrap} />
        )}
        <ToolbarCopyButton icon="copy" label="Copy" text={() => chosenText(lines, view.lines) ?? text} />
        <ToolbarCopyButton icon="link" label="Link" text={() => Permalinks.absoluteUrl(permalink())} />
        <RawLink file={file} />
      </Toolbar>
      {warnings.length > 0 && <Warning lines={warnings} go={toLine} />}
      {blame._tag === "Failed" && view.blame === true && (
        <p className="file-warning" role="alert">
          Who wrote this cannot be told: {displayText(blame.failure.message)}
        </p>
      )}
      <div className="panes" data-side={view.side}>
        <div className="pane">
          <CodeViewer
            lines={lines}
            path={path}
            label={`${displayText(path)}, ${NumberFormat.quantity(lines.length, "line")}`}
            chosen={view.lines}
            marks={marks}
            blame={blamed}
            wrap={wrap}
            jumps={hasIndex}
            listener={listener}
            viewer={viewer}
          />
          <StatusBar caret={caret} chosen={view.lines} blame={blamed} view={view} said={said} />
        </div>
        {view.side !== undefined && (
          <aside
            className="side"
            aria-label={view.side === "symbols" ? "Symbols" : "History"}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return
              event.preventDefault()
              closeSide()
            }}
          >
            <header>
              <h2>{view.side === "symbols" ? "Symbols" : "History"}</h2>
              <button type="button" aria-label="Close" onClick={closeSide}>
                <Icon name="close" />
              </button>
            </header>
            {view.side === "history" ? (
              <CommitHistory view={view} commit={file.commit} />
            ) : hasIndex ? (
              <Outline file={file} focus={hasAsked} line={caret.line} go={(line, name) => toLine(line, name)} />
            ) : (
              <p className="side-note">This forge has no index of symbols.</p>
            )}
          </aside>
        )}
      </div>
      {peek !== undefined && <HoverCard {...peek} file={file} view={view} close={closePeek} />}
    </>
  )
}

const START: Caret = { line: 1, column: 1, selected: 0, match: undefined }

/** Which match of the search this is, and the way to the others. */
const Stepper = ({
  at,
  step,
  total
}: {
  readonly at: number | undefined
  readonly total: number
  readonly step: (by: 1 | -1) => void
}) => (
  <div className="stepper" role="group" aria-label="Matches of the search">
    <span role="status">
      {at === undefined
        ? NumberFormat.quantity(total, "match", "matches")
        : `${NumberFormat.format(at + 1)} of ${NumberFormat.format(total)}`}
    </span>
    <button type="button" aria-label="Previous match" title="Previous match (p)" onClick={() => step(-1)}>
      <Icon name="up" />
    </button>
    <button type="button" aria-label="Next match" title="Next match (n)" onClick={() => step(1)}>
      <Icon name="down" />
    </button>
  </div>
)

const RawLink = ({ file }: { readonly file: Wire.File }) => (
  <a
    className="tool"
    href={Permalinks.rawUrl(file)}
    target="_blank"
    rel="noopener"
    title="The file as it is"
    aria-label="Raw"
  >
    <Icon name="raw" />
    <span aria-hidden="true">Raw</span>
  </a>
)

/** The text may be read in another order than it runs in. */
const Warning = ({ go, lines }: { readonly lines: ReadonlyArray<number>; readonly go: (line: number) => void }) => (
  <div className="file-warning" role="note">
    <strong>This file has characters that reorder the text around them.</strong> What they would hide is shown as it is
    stored:{" "}
    {lines.slice(0, 5).map((line) => (
      <button key={line} type="button" className="as-link" onClick={() => go(line)}>
        line {line}
      </button>
    ))}
    {lines.length > 5 && ` and ${lines.length - 5} more`}
  </div>
)

/** Ctrl-F or ⌘F finds in the file; the second time, it is the browser's own. */
const useFind = (viewer: React.RefObject<EditorHandle | null>) => {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "f" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      if (viewer.current?.openFind() === true) event.preventDefault()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [viewer])
}

const chosenText = (lines: ReadonlyArray<TextLines.Line>, chosen: Route.LineRange | undefined): string | undefined =>
  chosen === undefined
    ? undefined
    : lines
        .slice(chosen.first - 1, chosen.last)
        .map(({ text }) => text)
        .join("\n")
