/** Consecutive lines of a file, numbered where that is known, the matches marked. */
import { useMemo } from "react"
import { HighlightedText } from "../components/HighlightedText.tsx"
import { displayText } from "../model/displayText.ts"
import * as TextSegments from "../syntax/TextSegments.ts"
import { useSyntaxTokens } from "../syntax/useSyntaxTokens.ts"
import type * as SearchResults from "./SearchResults.ts"

export const Snippet = ({
  chunk,
  href,
  path
}: {
  readonly chunk: SearchResults.Chunk
  readonly path: string
  /** The file's URL, without a line. */
  readonly href: string
}) => {
  const { starts, text } = useMemo(() => joined(chunk), [chunk])
  const tokens = useSyntaxTokens(path, text)
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
              {cut > 0 && <span className="cut">{displayText("… ")}</span>}
              <HighlightedText
                text={text}
                marks={matches}
                tokens={TextSegments.clipTokens(tokens, start, start + text.length)}
              />
            </code>
          </div>
        )
      })}
    </div>
  )
}

/** The lines as one text, for its syntax, and where each begins in it. */
const joined = ({ lines }: SearchResults.Chunk) => {
  const starts: Array<number> = []
  let length = 0
  for (const { text } of lines) {
    starts.push(length)
    length += text.length + 1
  }
  return { starts, text: lines.map(({ text }) => text).join("\n") }
}
