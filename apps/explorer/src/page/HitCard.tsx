/** One file that matches: its path, and the pieces in which the words stand. */
import { useMemo } from "react"
import type { Fragment, Hit } from "../Wire.ts"
import * as Lines from "./Lines.ts"
import { Link } from "./Link.tsx"
import { Marked } from "./Marked.tsx"
import * as Spans from "./Spans.ts"
import { useSyntax } from "./useSyntax.ts"
import type * as View from "./View.ts"

export const HitCard = ({ hit, number, q }: { readonly hit: Hit; readonly number: number; readonly q: string }) => {
  const { fragments, inPath, owner, path, repo } = hit
  const file = (line?: number): View.File => ({
    _tag: "File",
    owner,
    repo,
    path,
    q,
    ...(line === undefined ? {} : { lines: { first: line, last: line } })
  })
  const first = fragments[0]
  return (
    <article className="hit">
      <h3>
        <Link
          to={file(first === undefined ? undefined : Lines.ofMatch(first))}
          leaving={{ hit: number }}
          memory={FROM_RESULTS}
          data-hit={number}
        >
          <Marked text={path} marks={inPath} />
        </Link>
      </h3>
      {fragments.map((fragment, at) => (
        <Piece key={at} fragment={fragment} hit={number} path={path} to={file} />
      ))}
    </article>
  )
}

const Piece = ({
  fragment,
  hit,
  path,
  to
}: {
  readonly fragment: Fragment
  readonly path: string
  readonly hit: number
  readonly to: (line: number) => View.File
}) => {
  const tokens = useSyntax(path, fragment.text)
  const lines = useMemo(() => Lines.split(fragment.text, fragment.line ?? 1), [fragment])
  return (
    <div className="piece" tabIndex={-1}>
      {lines.map(({ number, start, text }) => (
        <div key={number} className="line">
          {fragment.line === null ? (
            <span className="number" aria-hidden="true" />
          ) : (
            <Link
              to={to(number)}
              leaving={{ hit }}
              memory={FROM_RESULTS}
              className="number"
              data-line={number}
              aria-label={`Line ${number}`}
              tabIndex={-1}
            />
          )}
          <code>
            <Marked
              text={text}
              marks={Spans.within(fragment.matches, start, start + text.length)}
              tokens={Spans.tokensWithin(tokens, start, start + text.length)}
            />
          </code>
        </div>
      ))}
    </div>
  )
}

const FROM_RESULTS = { isFromResults: true }
