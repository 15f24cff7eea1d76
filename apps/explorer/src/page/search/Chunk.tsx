/** Consecutive lines of a file, numbered where that is known, the matches marked. */
import { useMemo } from "react"
import { Marked } from "../Marked.tsx"
import { shown } from "../Shown.ts"
import * as Spans from "../Spans.ts"
import { useSyntax } from "../useSyntax.ts"
import type * as Found from "./Found.ts"

export const Chunk = ({
  chunk,
  href,
  path
}: {
  readonly chunk: Found.Chunk
  readonly path: string
  /** The file's URL, without a line. */
  readonly href: string
}) => {
  const { starts, text } = useMemo(() => joined(chunk), [chunk])
  const tokens = useSyntax(path, text)
  return (
    // It scrolls: whoever has no pointer needs to reach it.
    <div className="piece" tabIndex={-1}>
      {chunk.lines.map(({ cut, matches, number, text }, at) => {
        const start = starts[at] ?? 0
        return (
          <div key={number ?? at} className="line" data-at={number} data-match={matches.length > 0 ? "" : undefined}>
            {number === undefined ? (
              <span className="number" aria-hidden="true" />
            ) : (
              // The card takes the clicks: many lines come and go in a scroll.
              <a
                href={`${href}#L${number}`}
                className="number"
                data-line={number}
                aria-label={`Line ${number}`}
                tabIndex={-1}
              />
            )}
            <code>
              {cut > 0 && <span className="cut">{shown("… ")}</span>}
              <Marked text={text} marks={matches} tokens={Spans.tokensWithin(tokens, start, start + text.length)} />
            </code>
          </div>
        )
      })}
    </div>
  )
}

/** The lines as one text, for its syntax, and where each begins in it. */
const joined = ({ lines }: Found.Chunk) => {
  const starts: Array<number> = []
  let length = 0
  for (const { text } of lines) {
    starts.push(length)
    length += text.length + 1
  }
  return { starts, text: lines.map(({ text }) => text).join("\n") }
}
