import { useMemo } from "react"
import { HighlightedText } from "../components/HighlightedText.tsx"
import { displayText } from "../model/displayText.ts"
import * as TextSegments from "../syntax/TextSegments.ts"
import { useSyntaxTokens } from "../syntax/useSyntaxTokens.ts"
import type * as SearchResults from "./SearchResults.ts"

/** Consecutive lines of a file with highlighted matches, and line numbers if known. */
export const Snippet = ({
  chunk,
  href,
  path
}: {
  readonly chunk: SearchResults.Chunk
  readonly path: string
  /** The URL of the file without a line. */
  readonly href: string
}) => {
  const { enclosing } = chunk
  const { starts, text } = useMemo(() => join(chunk), [chunk])
  const tokens = useSyntaxTokens(path, text)
  return (
    // Focusable, because the element scrolls.
    <div className="snippet" tabIndex={-1}>
      {enclosing !== undefined && (
        <div className="line enclosing" data-line={enclosing.number}>
          <span className="number" data-line={enclosing.number} />
          <code>{displayText(enclosing.text)}</code>
        </div>
      )}
      {chunk.lines.map(({ cut, matches, number, text }, at) => {
        const start = starts[at] ?? 0
        return (
          <div key={number ?? at} className="line" data-line={number} data-match={matches.length > 0 ? "" : undefined}>
            {number === undefined ? (
              <span className="number" aria-hidden="true" />
            ) : (
              // The card handles clicks, so that a line needs no listener.
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
                matches={matches}
                tokens={TextSegments.clipTokens(tokens, start, start + text.length)}
              />
            </code>
          </div>
        )
      })}
    </div>
  )
}

/** The lines as one text for the highlighter, and the offset of each. */
const join = ({ lines }: SearchResults.Chunk) => {
  const starts: Array<number> = []
  let length = 0
  for (const { text } of lines) {
    starts.push(length)
    length += text.length + 1
  }
  return { starts, text: lines.map(({ text }) => text).join("\n") }
}
