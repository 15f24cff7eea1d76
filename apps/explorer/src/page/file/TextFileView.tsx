import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
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

/** A text file: its toolbar, the editor and the side panel. */
export const TextFileView = ({
  file,
  text,
  route
}: {
  readonly file: ExplorerApi.File
  readonly text: string
  readonly route: Route.File
}) => {
  const { owner, path, repo } = file
  const connection = useConnection()
  const hasIndex = connection._tag === "Ready" && connection.value.capabilities.index
  const lines = useMemo(() => TextLines.split(text), [text])
  const bidiLines = useMemo(() => linesWithBidiControls(lines), [lines])
  const matches = useQueryMatches(file, lines, route.q ?? "", hasIndex)
  const total = matches?.reduce((sum, { ranges }) => sum + ranges.length, 0) ?? 0
  const blame = ExplorerClient.useRequest(
    ExplorerClient.blame,
    hasIndex && route.blame === true ? { owner, repo, path, ref: file.commit } : undefined
  )
  const blamed = route.blame === true && blame._tag === "Ready" ? blame.value.ranges : null
  const editor = useRef<EditorHandle>(null)
  const [caret, setCaret] = useState<Caret>(START)
  const [hoverCard, setHoverCard] = useState<{ readonly content: HoverCardContent; readonly anchor: DOMRect }>()
  const [hasToggledSide, setHasToggledSide] = useState(false)
  const { copy, status: copyStatus } = useClipboard()
  const [wrap, toggleWrap] = useLineWrap(lines)

  // A ref, so that an event handler of an earlier render changes the latest route.
  const latest = useRef(route)
  useLayoutEffect(() => {
    latest.current = route
  })
  const change = (more: Pick<Route.File, "blame" | "lines" | "side">) =>
    navigate({ ...latest.current, ...more }, { replace: true, state: historyState() })
  const selectLines = (lines: Route.LineRange) => change({ lines })
  const goToLine = (line: number, word?: string) => {
    selectLines({ first: line, last: line })
    editor.current?.reveal(line, "center", word)
    editor.current?.focus()
  }
  const step = (by: 1 | -1) => {
    const match = editor.current?.stepToMatch(by)
    if (match !== undefined) selectLines({ first: match.line, last: match.line })
  }
  const toggleBlame = () => change({ blame: route.blame === true ? undefined : true })
  const toggleSide = (side: Route.SidePanel) => {
    setHasToggledSide(true)
    change({ side: route.side === side ? undefined : side })
  }
  const closeSide = () => {
    change({ side: undefined })
    editor.current?.focus()
  }
  const closeHoverCard = () => {
    setHoverCard(undefined)
    editor.current?.focus()
  }

  const latestLookup = useRef(0)
  const goToDefinition = async () => {
    const word = editor.current?.wordAtCaret()
    const start = editor.current?.caret()
    if (word === undefined || start === undefined || !hasIndex) return
    const lookup = ++latestLookup.current
    // A late response must not navigate away from another lookup, another position, or typing.
    const isCurrent = () => {
      const now = editor.current?.caret()
      return latestLookup.current === lookup && now?.line === start.line && now.column === start.column && !isTyping()
    }
    const parameters = { name: word.text, owner, repo }
    try {
      const { items: definitions } = await ExplorerClient.queryClient.fetchQuery({
        staleTime: References.STALE_TIME,
        queryKey: ExplorerClient.queryKey(ExplorerClient.definitions, parameters),
        queryFn: ({ signal }) => ExplorerClient.get(ExplorerClient.definitions, parameters, signal)
      })
      if (!isCurrent()) return
      const [only] = definitions
      if (only === undefined || definitions.length > 1) {
        setHoverCard({ content: { _tag: "Definitions", word: word.text, definitions }, anchor: word.box })
      } else if (only.path === path && only.line === start.line) {
        // At the definition itself, show its references.
        setHoverCard({ content: { _tag: "References", word: word.text }, anchor: word.box })
      } else if (only.path === path && only.commit === file.commit) goToLine(only.line, word.text)
      else navigate(locationRoute(only, file, route), { state: { word: word.text } })
    } catch (error) {
      if (isCurrent()) {
        setHoverCard({ content: { _tag: "Failed", failure: ExplorerClient.failureOf(error) }, anchor: word.box })
      }
    }
  }
  const showReferences = () => {
    latestLookup.current++
    const word = editor.current?.wordAtCaret()
    if (word !== undefined && hasIndex) {
      setHoverCard({ content: { _tag: "References", word: word.text }, anchor: word.box })
    }
  }

  const listener: EditorListener = {
    onSelectLines: selectLines,
    onGoToDefinition: () => void goToDefinition(),
    onBlameClick: (range, anchor) => setHoverCard({ content: { _tag: "Blame", range }, anchor }),
    onCaretMove: setCaret
  }
  const permalink = () => Permalinks.permalink(route, file.commit)
  const copyPermalink = () => {
    // The content is the same, so cache it for the new URL.
    const pinned: ExplorerApi.File = { ...file, ref: file.commit }
    ExplorerClient.queryClient.setQueryData(
      ExplorerClient.queryKey(ExplorerClient.file, { owner, repo, path, ref: file.commit }),
      pinned
    )
    navigate({ ...route, ref: file.commit }, { replace: true, state: historyState() })
    copy(Permalinks.absoluteUrl(permalink()))
  }

  useKeyboardShortcuts({
    n: () => step(1),
    p: () => step(-1),
    j: () => step(1),
    k: () => step(-1),
    ...(hasIndex
      ? { b: toggleBlame, s: () => toggleSide("symbols"), d: () => void goToDefinition(), r: showReferences }
      : {}),
    h: () => toggleSide("history"),
    l: () => editor.current?.openGoToLine(),
    w: toggleWrap,
    y: copyPermalink
  })
  useFindKey(editor)

  return (
    <>
      <Toolbar
        info={<FileInfo file={file} text={text} lines={lines.length} />}
        center={total > 0 && <MatchStepper index={caret.match} total={total} step={step} />}
      >
        <ToolbarButton icon="find" label="Find" shortcut="Control+F" onClick={() => editor.current?.openFind()} />
        {hasIndex && (
          <ToolbarButton
            icon="symbols"
            label="Symbols"
            shortcut="s"
            aria-pressed={route.side === "symbols"}
            onClick={() => toggleSide("symbols")}
          />
        )}
        <ToolbarButton
          icon="history"
          label="History"
          shortcut="h"
          aria-pressed={route.side === "history"}
          onClick={() => toggleSide("history")}
        />
        {hasIndex && (
          <ToolbarButton
            icon="blame"
            label="Blame"
            shortcut="b"
            aria-pressed={route.blame === true}
            onClick={toggleBlame}
          />
        )}
        {toggleWrap !== undefined && (
          <ToolbarButton icon="wrap" label="Wrap" shortcut="w" aria-pressed={wrap} onClick={toggleWrap} />
        )}
        <ToolbarCopyButton icon="copy" label="Copy" text={() => textOf(lines, route.lines) ?? text} />
        <ToolbarCopyButton icon="link" label="Link" text={() => Permalinks.absoluteUrl(permalink())} />
        <RawLink file={file} />
      </Toolbar>
      {bidiLines.length > 0 && <BidiWarning lines={bidiLines} onSelect={goToLine} />}
      {blame._tag === "Failed" && route.blame === true && (
        <p className="file-warning" role="alert">
          Blame failed: {displayText(blame.failure.message)}
        </p>
      )}
      <div className="panes" data-side={route.side}>
        <div className="pane">
          <CodeViewer
            lines={lines}
            path={path}
            label={`${displayText(path)}, ${NumberFormat.quantity(lines.length, "line")}`}
            selectedLines={route.lines}
            matches={matches}
            blame={blamed}
            wrap={wrap}
            hasDefinitions={hasIndex}
            listener={listener}
            editor={editor}
          />
          <StatusBar caret={caret} blame={blamed} route={route} copyStatus={copyStatus} />
        </div>
        {route.side !== undefined && (
          <aside
            className="side-panel"
            aria-label={route.side === "symbols" ? "Symbols" : "History"}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return
              event.preventDefault()
              closeSide()
            }}
          >
            <header>
              <h2>{route.side === "symbols" ? "Symbols" : "History"}</h2>
              <button type="button" aria-label="Close" onClick={closeSide}>
                <Icon name="close" />
              </button>
            </header>
            {route.side === "history" ? (
              <CommitHistory route={route} commit={file.commit} />
            ) : hasIndex ? (
              <Outline file={file} autoFocus={hasToggledSide} line={caret.line} onSelect={goToLine} />
            ) : (
              <p className="side-note">This forge has no symbol index.</p>
            )}
          </aside>
        )}
      </div>
      {hoverCard !== undefined && <HoverCard {...hoverCard} file={file} route={route} onClose={closeHoverCard} />}
    </>
  )
}

const START: Caret = { line: 1, column: 1, selected: 0, match: undefined }

/** The index of the selected match, and buttons to the next and the previous one. */
const MatchStepper = ({
  index,
  step,
  total
}: {
  readonly index: number | undefined
  readonly total: number
  readonly step: (by: 1 | -1) => void
}) => (
  <div className="stepper" role="group" aria-label="Matches">
    <span role="status">
      {index === undefined
        ? NumberFormat.quantity(total, "match", "matches")
        : `${NumberFormat.format(index + 1)} of ${NumberFormat.format(total)}`}
    </span>
    <button type="button" aria-label="Previous match" title="Previous match (p)" onClick={() => step(-1)}>
      <Icon name="up" />
    </button>
    <button type="button" aria-label="Next match" title="Next match (n)" onClick={() => step(1)}>
      <Icon name="down" />
    </button>
  </div>
)

const RawLink = ({ file }: { readonly file: ExplorerApi.File }) => (
  <a className="tool" href={Permalinks.rawUrl(file)} target="_blank" rel="noopener" title="Raw file" aria-label="Raw">
    <Icon name="raw" />
    <span aria-hidden="true">Raw</span>
  </a>
)

const BidiWarning = ({
  lines,
  onSelect
}: {
  readonly lines: ReadonlyArray<number>
  readonly onSelect: (line: number) => void
}) => (
  <div className="file-warning" role="note">
    <strong>This file has characters that reorder text.</strong> They are shown as code points, and the text in its
    stored order:{" "}
    {lines.slice(0, 5).map((line) => (
      <button key={line} type="button" className="link-button" onClick={() => onSelect(line)}>
        line {line}
      </button>
    ))}
    {lines.length > 5 && ` and ${lines.length - 5} more`}
  </div>
)

/** Opens find in file by Ctrl-F or ⌘F. A second press opens the browser's find. */
const useFindKey = (editor: React.RefObject<EditorHandle | null>) => {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "f" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      if (editor.current?.openFind() === true) event.preventDefault()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [editor])
}

const textOf = (lines: ReadonlyArray<TextLines.Line>, range: Route.LineRange | undefined): string | undefined =>
  range === undefined
    ? undefined
    : lines
        .slice(range.first - 1, range.last)
        .map(({ text }) => text)
        .join("\n")
