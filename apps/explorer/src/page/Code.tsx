/** The text of a file: numbered lines, the chosen ones and the matches of the search marked. */
import { memo, type MouseEvent, useEffect, useMemo, useRef, useState } from "react"
import * as Count from "@tongs/core/text/Count"
import type { Range } from "../Wire.ts"
import * as Lines from "./Lines.ts"
import { Marked } from "./Marked.tsx"
import * as Occurrences from "./Occurrences.ts"
import { shown } from "./Shown.ts"
import * as Spans from "./Spans.ts"
import { useKeys } from "./useKeys.ts"
import { useSyntax } from "./useSyntax.ts"
import { go, memory } from "./useView.ts"
import type * as View from "./View.ts"

/** Lines that are drawn together; the browser leaves out the chunks that are far from view. */
const CHUNK = 100

/** Characters of a line that are drawn. */
const MAX_COLUMNS = 2_000

export const Code = ({ text, view }: { readonly text: string; readonly view: View.File }) => {
  const lines = useMemo(() => Lines.split(text), [text])
  const tokens = useSyntax(view.path, text)
  const marks = useMemo(() => {
    const find = Occurrences.finder(view.q ?? "")
    return lines.map((line) => find(line.text))
  }, [lines, view.q])
  const hits = useMemo(
    () => lines.filter((_, at) => (marks[at]?.length ?? 0) > 0).map(({ number }) => number),
    [lines, marks]
  )

  const { lines: chosen } = view
  const start = chosen?.first ?? hits[0]
  const current = useRef(start ?? 0)
  const first = useRef(true)
  useEffect(() => {
    // Where the reader already looks nothing moves; opening a file does.
    if (start !== undefined) reveal(start, first.current ? "center" : "nearest")
    first.current = false
    current.current = start ?? 0
  }, [start])

  const step = (line: number | undefined) => {
    if (line === undefined) return
    current.current = line
    go({ ...view, lines: { first: line, last: line } }, { replace: true, memory: memory() })
  }
  useKeys({
    j: () => step(hits.find((line) => line > current.current)),
    k: () => step(hits.findLast((line) => line < current.current))
  })

  const choose = (event: MouseEvent) => {
    const line = Number(event.target instanceof HTMLElement ? event.target.dataset["line"] : undefined)
    if (!Number.isInteger(line) || event.metaKey || event.ctrlKey) return
    event.preventDefault()
    const from = event.shiftKey ? (chosen?.first ?? line) : line
    go(
      { ...view, lines: { first: Math.min(from, line), last: Math.max(from, line) } },
      { replace: true, memory: memory() }
    )
  }

  return (
    // The lines' own links take the keys: this only saves a handler on each of them.
    <div
      className="code"
      role="region"
      aria-label={`${shown(view.path)}, ${Count.noun(lines.length, "line")}`}
      tabIndex={0}
      onClick={choose}
    >
      {Array.from({ length: Math.ceil(lines.length / CHUNK) }, (_, chunk) => (
        <Chunk
          key={chunk}
          lines={lines}
          from={chunk * CHUNK}
          tokens={tokens}
          marks={marks}
          // Of the chosen lines a chunk is told its own, so that the others are not drawn again.
          chosen={clip(chosen, chunk * CHUNK + 1, (chunk + 1) * CHUNK)}
        />
      ))}
    </div>
  )
}

const Chunk = memo(
  ({
    chosen,
    from,
    lines,
    marks,
    tokens
  }: {
    readonly lines: ReadonlyArray<Lines.Line>
    readonly from: number
    readonly tokens: ReadonlyArray<Spans.Token>
    readonly marks: ReadonlyArray<ReadonlyArray<Range>>
    readonly chosen: string
  }) => {
    const element = useRef<HTMLDivElement>(null)
    const isNear = useNear(element)
    const [first = 0, last = 0] = chosen.split("-").map(Number)
    return (
      <div ref={element} className="chunk">
        {lines.slice(from, from + CHUNK).map(({ number, start, text }) => (
          <div key={number} className="line" data-chosen={number >= first && number <= last ? "" : undefined}>
            <a
              id={`L${number}`}
              href={`#L${number}`}
              className="number"
              data-line={number}
              aria-label={`Line ${number}`}
              tabIndex={-1}
            />
            <code>
              {isNear ? (
                <Marked
                  text={text.slice(0, MAX_COLUMNS)}
                  marks={marks[number - 1] ?? []}
                  tokens={Spans.tokensWithin(tokens, start, start + text.length)}
                />
              ) : (
                shown(text.slice(0, MAX_COLUMNS))
              )}
              {text.length > MAX_COLUMNS && (
                <span className="cut">{Count.noun(text.length - MAX_COLUMNS, "more character")}</span>
              )}
            </code>
          </div>
        ))}
      </div>
    )
  }
)
Chunk.displayName = "Chunk"

/** Whether an element has been near the window: only then it is worth its colours. */
const useNear = (element: React.RefObject<Element | null>): boolean => {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (isNear || element.current === null) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && setIsNear(true), {
      rootMargin: "100% 0px"
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isNear])
  return isNear
}

/** The part of the lines that is in a chunk, as `first-last`; a text, so that equal ones are equal. */
const clip = (chosen: View.Lines | undefined, first: number, last: number): string =>
  chosen === undefined || chosen.last < first || chosen.first > last
    ? ""
    : `${Math.max(chosen.first, first)}-${Math.min(chosen.last, last)}`

const reveal = (line: number, block: ScrollLogicalPosition) =>
  document.getElementById(`L${line}`)?.scrollIntoView({ block, inline: "nearest" })
