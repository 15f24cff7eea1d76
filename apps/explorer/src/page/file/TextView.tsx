/** A file that is text: its toolbar, the editor, and what stands beside it. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as Wire from "../../Wire.ts"
import * as Api from "../Api.ts"
import { Code } from "../Code.tsx"
import * as Lines from "../Lines.ts"
import { shown } from "../Shown.ts"
import { useConnection } from "../useConnection.ts"
import { useCopied } from "../useCopied.ts"
import { isTyping, useKeys } from "../useKeys.ts"
import { go, memory } from "../useView.ts"
import type * as View from "../View.ts"
import { Facts } from "./Facts.tsx"
import { History } from "./History.tsx"
import { Icon } from "./Icon.tsx"
import * as Links from "./Links.ts"
import { Outline } from "./Outline.tsx"
import { Peek, type Subject, target } from "./Peek.tsx"
import * as References from "./References.ts"
import { reordered } from "./Reordering.ts"
import { Status } from "./Status.tsx"
import { CopyTool, Tool, Toolbar } from "./Toolbar.tsx"
import { useMarks } from "./useMarks.ts"
import { useWrap } from "./useWrap.ts"
import type { Caret, Listener, Viewer } from "./Viewer.ts"

export const TextView = ({
  file,
  text,
  view
}: {
  readonly file: Wire.File
  readonly text: string
  readonly view: View.File
}) => {
  const { owner, path, repo } = file
  const connection = useConnection()
  const hasIndex = connection._tag === "Ready" && connection.value.capabilities.index
  const lines = useMemo(() => Lines.split(text), [text])
  const warnings = useMemo(() => reordered(lines), [lines])
  const marks = useMarks(file, lines, view.q ?? "", hasIndex)
  const total = marks?.reduce((sum, { ranges }) => sum + ranges.length, 0) ?? 0
  const blame = Api.useAnswer(
    Api.blame,
    hasIndex && view.blame === true ? { owner, repo, path, ref: file.commit } : undefined
  )
  const blamed = view.blame === true && blame._tag === "Ready" ? blame.value.ranges : null
  const viewer = useRef<Viewer>(null)
  const [caret, setCaret] = useState<Caret>(START)
  const [peek, setPeek] = useState<{ readonly subject: Subject; readonly at: DOMRect }>()
  const [hasAsked, setHasAsked] = useState(false)
  const { copy, said } = useCopied()
  const [wrap, toggleWrap] = useWrap(lines)

  /** The same file otherwise shown. What comes late changes what is shown by then. */
  const latest = useRef(view)
  useLayoutEffect(() => {
    latest.current = view
  })
  const change = (more: Pick<View.File, "blame" | "lines" | "side">) =>
    go({ ...latest.current, ...more }, { replace: true, memory: memory() })
  const choose = (lines: View.Lines) => change({ lines })
  const toLine = (line: number, word?: string) => {
    choose({ first: line, last: line })
    viewer.current?.reveal(line, "center", word)
    viewer.current?.focus()
  }
  const step = (by: 1 | -1) => {
    const found = viewer.current?.step(by)
    if (found !== undefined) choose({ first: found.line, last: found.line })
  }
  const toggleBlame = () => change({ blame: view.blame === true ? undefined : true })
  const toggleSide = (side: View.Side) => {
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
    const word = viewer.current?.word()
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
      else go(target(only, file, view), { memory: { word: word.text } })
    } catch (error) {
      if (isAwaited()) setPeek({ subject: { _tag: "Failed", failure: Api.failureOf(error) }, at: word.box })
    }
  }
  const references = () => {
    asked.current++
    const word = viewer.current?.word()
    if (word !== undefined && hasIndex) setPeek({ subject: { _tag: "References", word: word.text }, at: word.box })
  }

  const listener: Listener = {
    choose,
    jump: () => void definitions(),
    blame: (range, at) => setPeek({ subject: { _tag: "Blame", range }, at }),
    move: setCaret
  }
  const permalink = () => Links.pinned(view, file.commit)
  const pin = () => {
    // The same file under another name: nothing is read again.
    const pinned: Wire.File = { ...file, ref: file.commit }
    Api.client.setQueryData(Api.key(Api.file, { owner, repo, path, ref: file.commit }), pinned)
    go({ ...view, ref: file.commit }, { replace: true, memory: memory() })
    copy(Links.absolute(permalink()))
  }

  useKeys({
    n: () => step(1),
    p: () => step(-1),
    j: () => step(1),
    k: () => step(-1),
    ...(hasIndex ? { b: toggleBlame, s: () => toggleSide("symbols"), d: () => void definitions(), r: references } : {}),
    h: () => toggleSide("history"),
    l: () => viewer.current?.goToLine(),
    w: toggleWrap,
    y: pin
  })
  useFind(viewer)

  return (
    <>
      <Toolbar
        facts={<Facts file={file} text={text} lines={lines.length} />}
        between={total > 0 && <Stepper at={caret.mark} total={total} step={step} />}
      >
        <Tool icon="find" label="Find" keys="Control+F" onClick={() => viewer.current?.find()} />
        {hasIndex && (
          <Tool
            icon="symbols"
            label="Symbols"
            keys="s"
            aria-pressed={view.side === "symbols"}
            onClick={() => toggleSide("symbols")}
          />
        )}
        <Tool
          icon="history"
          label="History"
          keys="h"
          aria-pressed={view.side === "history"}
          onClick={() => toggleSide("history")}
        />
        {hasIndex && (
          <Tool icon="blame" label="Blame" keys="b" aria-pressed={view.blame === true} onClick={toggleBlame} />
        )}
        {toggleWrap !== undefined && (
          <Tool icon="wrap" label="Wrap" keys="w" aria-pressed={wrap} onClick={toggleWrap} />
        )}
        <CopyTool icon="copy" label="Copy" text={() => chosenText(lines, view.lines) ?? text} />
        <CopyTool icon="link" label="Link" text={() => Links.absolute(permalink())} />
        <RawLink file={file} />
      </Toolbar>
      {warnings.length > 0 && <Warning lines={warnings} go={toLine} />}
      {blame._tag === "Failed" && view.blame === true && (
        <p className="file-warning" role="alert">
          Who wrote this cannot be told: {shown(blame.failure.message)}
        </p>
      )}
      <div className="panes" data-side={view.side}>
        <div className="pane">
          <Code
            lines={lines}
            path={path}
            label={`${shown(path)}, ${NumberFormat.quantity(lines.length, "line")}`}
            chosen={view.lines}
            marks={marks}
            blame={blamed}
            wrap={wrap}
            jumps={hasIndex}
            listener={listener}
            viewer={viewer}
          />
          <Status caret={caret} chosen={view.lines} blame={blamed} view={view} said={said} />
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
              <History view={view} commit={file.commit} />
            ) : hasIndex ? (
              <Outline file={file} focus={hasAsked} line={caret.line} go={(line, name) => toLine(line, name)} />
            ) : (
              <p className="side-note">This forge has no index of symbols.</p>
            )}
          </aside>
        )}
      </div>
      {peek !== undefined && <Peek {...peek} file={file} view={view} close={closePeek} />}
    </>
  )
}

const START: Caret = { line: 1, column: 1, selected: 0, mark: undefined }

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
  <a className="tool" href={Links.raw(file)} target="_blank" rel="noopener" title="The file as it is" aria-label="Raw">
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
const useFind = (viewer: React.RefObject<Viewer | null>) => {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "f" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      if (viewer.current?.find() === true) event.preventDefault()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [viewer])
}

const chosenText = (lines: ReadonlyArray<Lines.Line>, chosen: View.Lines | undefined): string | undefined =>
  chosen === undefined
    ? undefined
    : lines
        .slice(chosen.first - 1, chosen.last)
        .map(({ text }) => text)
        .join("\n")
