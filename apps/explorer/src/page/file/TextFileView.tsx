import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as PathText from "@tongs/core/text/PathText"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as Symbols from "@tongs/syntax/symbols/Symbols"
import * as Identifier from "@tongs/syntax/Identifier"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { CodeViewer } from "./CodeViewer.tsx"
import * as TextLines from "../model/TextLines.ts"
import { displayText } from "../model/displayText.ts"
import { useConnection } from "../api/useConnection.ts"
import { useClipboard } from "../hooks/useClipboard.ts"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { navigate, historyState, updateHistoryState } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import { BidiWarning } from "./BidiWarning.tsx"
import { FileInfo } from "./FileInfo.tsx"
import { FileLinks } from "./FileLinks.tsx"
import { MatchStepper } from "./MatchStepper.tsx"
import { SidePanel } from "./SidePanel.tsx"
import { CommitHistory } from "./CommitHistory.tsx"
import * as Permalinks from "../model/Permalinks.ts"
import * as CurrentLine from "./CurrentLine.ts"
import { Outline } from "./Outline.tsx"
import * as OutlineTree from "./OutlineTree.ts"
import { ScopeBar } from "./ScopeBar.tsx"
import { HoverCard } from "./HoverCard.tsx"
import { IdentifierCard } from "../navigation/IdentifierCard.tsx"
import { linesWithBidiControls } from "../model/BidiControls.ts"
import * as lineBlame from "./lineBlame.ts"
import type { UsePlace } from "../navigation/UseList.tsx"
import type { UsesReaderStore } from "../navigation/UsesReader.ts"
import { RemoteBlameStatus } from "./RemoteBlameStatus.tsx"
import { StatusBar } from "./StatusBar.tsx"
import { ToolbarCopyButton, ToolbarButton, Toolbar } from "./Toolbar.tsx"
import { useQueryMatches } from "./useQueryMatches.ts"
import { useLineWrap } from "./useLineWrap.ts"
import { useRemoteBlame } from "./useRemoteBlame.ts"
import { useCodeNavigation } from "./useCodeNavigation.ts"
import type { Caret, EditorListener, EditorHandle } from "../editor/EditorHandle.ts"

/** A text file: toolbar, editor and side panel. */
export const TextFileView = ({
  file,
  reader,
  text,
  route
}: {
  readonly file: ExplorerApi.File
  readonly text: string
  readonly route: Route.File
  /** Receives the data and functions for the panel of uses. */
  readonly reader: UsesReaderStore
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
  const isRemote = connection._tag === "Ready" && !hasIndex
  const remoteBlame = useRemoteBlame(isRemote && route.blame === true ? file : undefined)
  const ranges = blame._tag === "Ready" ? blame.value.ranges : remoteBlame.blame?.ranges
  const blamed = route.blame === true ? (ranges ?? null) : null
  const editor = useRef<EditorHandle>(null)
  const [caret, setCaret] = useState<Caret>(start)
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
  /** Goes to a line and keeps the current place in the history. */
  const goToLine = (line: number, word?: string) => {
    if (editor.current !== null) updateHistoryState(editor.current.place())
    navigate({ ...latest.current, lines: { first: line, last: line } }, { state: word === undefined ? {} : { word } })
    editor.current?.reveal(line, "center", word)
    editor.current?.focus()
  }
  // Without an index, the explorer's server reads and parses the file again, so the outline loads only when the user
  // opens the panel.
  const hasOutline = hasIndex || Symbols.hasFinder(path)
  const outline = ExplorerClient.useRequest(
    ExplorerClient.outline,
    (hasIndex && !Identifier.isProse(path)) || (hasOutline && route.side === "symbols")
      ? { owner, repo, path, ref: file.commit }
      : undefined
  )
  const symbols = outline._tag === "Ready" ? outline.value.symbols : undefined
  const items = useMemo(() => OutlineTree.make(symbols ?? []), [symbols])
  const [currentLine] = useState(CurrentLine.make)
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
  const navigation = useCodeNavigation({ editor, file, hasIndex, route })
  const { choice, hasOpenedUses, openCard, setChoice } = navigation
  useEffect(() => {
    const open = (place: UsePlace, isStep: boolean) => navigation.open(place, route.uses?.name, isStep)
    const focus = () => editor.current?.focus()
    reader.set({ file, line: caret.line, autoFocus: hasOpenedUses, open, focus })
  })
  const showLineBlame = async () => {
    const card = isRemote ? lineBlame.knownCardOfLine(editor, blamed ?? []) : await lineBlame.cardOfLine(editor, file)
    if (isRemote && card === undefined) change({ blame: true })
    if (card !== undefined) setChoice(card)
  }
  const stepToUse = (by: 1 | -1) => {
    const line = editor.current?.stepToOccurrence(by)
    if (line !== undefined) selectLines({ first: line, last: line })
  }

  const listener: EditorListener = {
    onSelectLines: selectLines,
    onGoToDefinition: navigation.goToDefinition,
    onHover: navigation.onHover,
    onTap: navigation.onTap,
    onBlameClick: (range, anchor) => setChoice({ content: { _tag: "Blame", range }, anchor }),
    onCaretMove: (caret) => {
      setCaret(caret)
      navigation.onCaretMove(caret)
    }
  }
  const copyPermalink = () => {
    const commit = Permalinks.commitOf(file)
    if (commit !== undefined) {
      // Cache the same content for the new URL.
      const { workTree: _workTree, ...committed } = file
      const pinned: ExplorerApi.File = { ...committed, ref: commit, commit }
      ExplorerClient.queryClient.setQueryData(
        ExplorerClient.queryKey(ExplorerClient.file, { owner, repo, path, ref: commit }),
        pinned
      )
      navigate({ ...route, ref: commit }, { replace: true, state: historyState() })
    }
    copy(Permalinks.absoluteUrl(Permalinks.permalink(route, commit)))
  }

  useKeyboardShortcuts({
    n: () => (total > 0 ? step(1) : stepToUse(1)),
    N: () => (total > 0 ? step(-1) : stepToUse(-1)),
    p: () => step(-1),
    j: () => step(1),
    k: () => step(-1),
    ...(hasOutline ? { s: () => toggleSide("symbols") } : {}),
    ...(hasIndex || isRemote ? { b: toggleBlame, B: () => void showLineBlame() } : {}),
    ...(hasIndex
      ? {
          d: navigation.goToDefinition,
          r: navigation.showUses,
          i: navigation.showCard,
          F12: ({ shiftKey }) => (shiftKey ? navigation.showUses() : navigation.goToDefinition())
        }
      : {}),
    // An open list of uses handles F4, and continues in the next file.
    ...(route.uses === undefined ? { F4: ({ shiftKey }) => stepToUse(shiftKey ? -1 : 1) } : {}),
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
        {hasOutline && (
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
        {(hasIndex || isRemote) && (
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
        <FileLinks file={file} route={route} raw="Raw" />
      </Toolbar>
      {bidiLines.length > 0 && <BidiWarning lines={bidiLines} onSelect={goToLine} />}
      {blame._tag === "Failed" && route.blame === true && (
        <p className="file-warning" role="alert">
          Blame failed: {displayText(blame.failure.message)}
        </p>
      )}
      {isRemote && route.blame === true && <RemoteBlameStatus {...remoteBlame} />}
      <div
        className="panes"
        data-side={route.side}
        onKeyDown={(event) => {
          // Escape closes the innermost part first.
          if (event.key !== "Escape" || event.defaultPrevented || route.uses === undefined) return
          event.preventDefault()
          navigation.closeUses()
        }}
      >
        <div className="pane">
          {hasIndex && !Identifier.isProse(path) && (
            <ScopeBar
              name={PathText.nameOf(path)}
              items={items}
              line={currentLine}
              onSelect={(symbol) => goToLine(symbol?.line ?? 1, symbol?.name)}
            />
          )}
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
            currentLine={currentLine}
          />
          <StatusBar caret={caret} blame={blamed} route={route} copyStatus={copyStatus} />
        </div>
        {route.side !== undefined && (
          <SidePanel side={route.side} onClose={closeSide}>
            {route.side === "history" ? (
              <CommitHistory route={route} commit={file.commit} />
            ) : hasOutline ? (
              <Outline
                answer={outline}
                items={items}
                autoFocus={hasToggledSide}
                line={currentLine}
                onSelect={({ line, name }) => goToLine(line, name)}
              />
            ) : (
              <p className="side-note">This forge has no symbol index, and there is no grammar for this language.</p>
            )}
          </SidePanel>
        )}
      </div>
      {openCard !== undefined && (
        <IdentifierCard
          {...openCard}
          file={file}
          route={route}
          card={navigation.card}
          onOpen={navigation.openDefinition}
          onShowUses={() => navigation.openUses(openCard.identifier)}
          onPointer={navigation.onPointer}
          onSheet={(height) => editor.current?.keepAbove(height)}
          onClose={navigation.closeCard}
        />
      )}
      {choice !== undefined && (
        <HoverCard
          {...choice}
          file={file}
          route={route}
          onOpen={navigation.openDefinition}
          onClose={navigation.closeChoice}
        />
      )}
    </>
  )
}

const start: Caret = { line: 1, column: 1, selected: 0, match: undefined }

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
