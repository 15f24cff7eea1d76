/** One file that matches: where it is, its best matches in their context, and on demand all of them. */
import { memo, type MouseEvent, useMemo, useState } from "react"
import type * as Explore from "@tongs/core/explore/Explore"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Api from "../Api.ts"
import { CopyButton } from "../components/CopyButton.tsx"
import { Link } from "../components/Link.tsx"
import { HighlightedText } from "../components/HighlightedText.tsx"
import { displayText } from "../model/displayText.ts"
import { navigate, updateHistoryState } from "../hooks/useRoute.ts"
import * as Route from "../model/Route.ts"
import { Snippet } from "./Snippet.tsx"
import * as SearchResults from "./SearchResults.ts"
import { shownMatches } from "./ResultRows.ts"
import { RankExplanation } from "./RankExplanation.tsx"

/** Lines with matches that are drawn of one file; beyond them the file itself is the better view. */
const MAX_LINES = 300

export const ResultCard = memo(
  ({
    found,
    isExpanded,
    number,
    of,
    onExpand,
    q
  }: {
    readonly found: SearchResults.FileResult
    readonly number: number
    readonly of: number
    readonly q: string
    readonly isExpanded: boolean
    /** Where the forge can tell all matches of a file. */
    readonly onExpand: ((found: SearchResults.FileResult) => void) | undefined
  }) => {
    const { chunks, inPath, matchCount, path } = found
    const [isNear, setIsNear] = useState(false)
    const href = useMemo(() => Route.href(viewOf(found, q, undefined)), [found, q])
    const first = SearchResults.firstLine(found)
    const folder = path.lastIndexOf("/") + 1
    const hidden = (matchCount ?? 0) - shownMatches(found)
    const near = () => setIsNear(true)

    // A click on a line opens it there; one that ends a selection does not. Other clicks on links are the browser's.
    const open = (event: MouseEvent) => {
      const line = event.target instanceof Element ? event.target.closest<HTMLElement>(".line[data-at]") : null
      const isLink = event.target instanceof HTMLAnchorElement
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (line === null || (isLink && !isPlain) || (!isLink && getSelection()?.isCollapsed === false)) return
      event.preventDefault()
      const view = viewOf(found, q, Number(line.dataset["at"]))
      if (!isPlain) return void window.open(Route.href(view), "_blank", "noopener")
      updateHistoryState({ result: number })
      navigate(view, { memory: FROM_RESULTS })
    }

    return (
      <article
        className="hit"
        aria-posinset={number + 1}
        aria-setsize={of}
        onClick={open}
        onPointerEnter={near}
        onFocus={near}
      >
        <div className="hit-head">
          <h3>
            <Link to={viewOf(found, q, first)} leaving={{ result: number }} memory={FROM_RESULTS} data-hit={number}>
              <span className="dim apart">
                <HighlightedText text={path.slice(0, folder)} marks={within(inPath, 0, folder)} />
              </span>
              <span className="apart">
                <HighlightedText text={path.slice(folder)} marks={within(inPath, folder, path.length)} />
              </span>
            </Link>
          </h3>
          {isNear && (
            <span className="hit-actions">
              {found.why.length > 0 && <RankExplanation reasons={found.why} path={path} />}
              <CopyButton text={permalink(found, first)} label="Copy link" />
            </span>
          )}
          {[...new Set(SearchResults.kinds(found))].map((kind) => (
            <span key={kind} className="tag defines" data-kind={kind}>
              {kind}
            </span>
          ))}
          {matchCount !== undefined && matchCount > 0 && (
            <span className="count" title={NumberFormat.quantity(matchCount, "match", "matches")}>
              {NumberFormat.format(matchCount)}
            </span>
          )}
        </div>
        {isExpanded ? (
          <All found={found} q={q} href={href} />
        ) : (
          chunks.map((chunk, at) => <Snippet key={at} path={path} chunk={chunk} href={href} />)
        )}
        {onExpand !== undefined && (hidden > 0 || isExpanded) && (
          <button type="button" className="expand" aria-expanded={isExpanded} onClick={() => onExpand(found)}>
            {isExpanded
              ? "Show the best only"
              : `Show all ${NumberFormat.quantity(matchCount ?? 0, "match", "matches")}`}
          </button>
        )}
      </article>
    )
  }
)
ResultCard.displayName = "FileCard"

/** Every match of the file. Until they are there, the best ones stay. */
const All = ({
  found,
  href,
  q
}: {
  readonly found: SearchResults.FileResult
  readonly q: string
  readonly href: string
}) => {
  const { commit, owner, path, repo } = found
  const answer = Api.useAnswer(Api.matches, { q, owner, repo, path, ref: commit })
  const lines = answer._tag === "Ready" ? answer.value.lines : undefined
  const chunks = lines === undefined ? found.chunks : together(lines.slice(0, MAX_LINES))
  return (
    <>
      {chunks.map((chunk, at) => (
        <Snippet key={at} path={path} chunk={chunk} href={href} />
      ))}
      {answer._tag === "Failed" && <p className="aside warn">{displayText(answer.failure.message)}</p>}
      {lines !== undefined && lines.length > MAX_LINES && (
        <p className="aside dim">
          {NumberFormat.quantity(lines.length - MAX_LINES, "more line")}: open the file to see them.
        </p>
      )}
    </>
  )
}

/** Lines that follow one another, together. */
const together = (lines: ReadonlyArray<Explore.Line>): ReadonlyArray<SearchResults.Chunk> => {
  const chunks: Array<{ readonly lines: Array<Explore.Line> }> = []
  for (const line of lines) {
    const chunk = chunks.at(-1)
    if (chunk?.lines.at(-1)?.number === line.number - 1) chunk.lines.push(line)
    else chunks.push({ lines: [line] })
  }
  return chunks
}

const within = (
  ranges: SearchResults.FileResult["inPath"],
  from: number,
  to: number
): SearchResults.FileResult["inPath"] =>
  ranges.flatMap(
    ([start, end]) =>
      start < to && end > from ? [[Math.max(start, from) - from, Math.min(end, to) - from] as const] : [] // a pair
  )

const viewOf = ({ owner, path, repo }: SearchResults.FileResult, q: string, line: number | undefined): Route.File => ({
  _tag: "File",
  owner,
  repo,
  path,
  q,
  ...(line === undefined ? {} : { lines: { first: line, last: line } })
})

/** The same place for ever, where the commit is known. */
const permalink = (found: SearchResults.FileResult, line: number | undefined): string => {
  const { q: _, ...view } = viewOf(found, "", line)
  return new URL(Route.href(found.commit === undefined ? view : { ...view, ref: found.commit }), location.href).href
}

const FROM_RESULTS = { isFromResults: true }
