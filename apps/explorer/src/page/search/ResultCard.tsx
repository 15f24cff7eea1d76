import { memo, type MouseEvent, useMemo, useState } from "react"
import type { Line } from "@tongs/core/contract/groups/CodeSearch"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { CopyButton } from "../components/CopyButton.tsx"
import { isPlainClick, Link } from "../components/Link.tsx"
import { HighlightedText } from "../components/HighlightedText.tsx"
import { displayText } from "../model/displayText.ts"
import { navigate, updateHistoryState } from "../hooks/useRoute.ts"
import * as Permalinks from "../model/Permalinks.ts"
import * as Route from "../model/Route.ts"
import * as TextSegments from "../syntax/TextSegments.ts"
import { Snippet } from "./Snippet.tsx"
import * as ContextLines from "./ContextLines.ts"
import * as SearchResults from "./SearchResults.ts"
import { shownMatches } from "./ResultRows.ts"
import { RankExplanation } from "./RankExplanation.tsx"

/** Maximum number of matching lines shown of one file. */
const MAX_LINES = 300

/** A matching file with the best matches, or with all matches when expanded. */
export const ResultCard = memo(
  ({
    result,
    isExpanded,
    number,
    onToggle,
    q,
    total
  }: {
    readonly result: SearchResults.FileResult
    /** The index of the result among `total`. */
    readonly number: number
    readonly total: number
    readonly q: string
    readonly isExpanded: boolean
    /** Undefined if the forge cannot list all matches. */
    readonly onToggle: ((result: SearchResults.FileResult) => void) | undefined
  }) => {
    const { chunks, inPath, matchCount, path } = result
    // Actions render on demand, because many cards pass by in a scroll.
    const [hasActions, setHasActions] = useState(false)
    const href = useMemo(() => Route.href(routeOf(result, q, undefined)), [result, q])
    const first = SearchResults.firstLine(result)
    const folder = path.lastIndexOf("/") + 1
    const hidden = (matchCount ?? 0) - shownMatches(result)
    const showActions = () => setHasActions(true)

    // A click on a line opens the file at the line, unless the click ends a text selection.
    const onClick = (event: MouseEvent) => {
      const line = event.target instanceof Element ? event.target.closest<HTMLElement>(".line[data-line]") : null
      const isLink = event.target instanceof HTMLAnchorElement
      const isPlain = isPlainClick(event)
      if (line === null || (isLink && !isPlain) || (!isLink && getSelection()?.isCollapsed === false)) return
      event.preventDefault()
      const route = routeOf(result, q, Number(line.dataset["line"]))
      if (!isPlain) return void window.open(Route.href(route), "_blank", "noopener")
      updateHistoryState({ result: number })
      navigate(route, { state: fromResults })
    }

    return (
      <article
        className="result"
        aria-posinset={number + 1}
        aria-setsize={total}
        onClick={onClick}
        onPointerEnter={showActions}
        onFocus={showActions}
      >
        <div className="result-head">
          <h3>
            <Link
              to={routeOf(result, q, first)}
              currentState={{ result: number }}
              state={fromResults}
              data-result={number}
            >
              <span className="dim isolate">
                <HighlightedText text={path.slice(0, folder)} matches={TextSegments.clip(inPath, 0, folder)} />
              </span>
              <span className="isolate">
                <HighlightedText text={path.slice(folder)} matches={TextSegments.clip(inPath, folder, path.length)} />
              </span>
            </Link>
          </h3>
          {hasActions && (
            <span className="result-actions">
              {result.why.length > 0 && <RankExplanation reasons={result.why} path={path} />}
              <CopyButton text={path} label="Copy path" />
              <CopyButton text={permalink(result, first)} label="Copy link" />
            </span>
          )}
          {result.uncommitted === true && <span className="tag">not committed</span>}
          {result.revisions !== undefined && <Revisions all={result.revisions} />}
          {[...new Set(SearchResults.kinds(result))].map((kind) => (
            <span key={kind} className="tag symbol-kind" data-kind={kind}>
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
          <AllMatches result={result} q={q} href={href} />
        ) : (
          <Snippets chunks={chunks} path={path} href={href} />
        )}
        {onToggle !== undefined && (hidden > 0 || isExpanded) && (
          <button type="button" className="expand" aria-expanded={isExpanded} onClick={() => onToggle(result)}>
            {isExpanded
              ? "Show only the best matches"
              : `Show all ${NumberFormat.quantity(matchCount ?? 0, "match", "matches")}`}
          </button>
        )}
      </article>
    )
  }
)
ResultCard.displayName = "FileCard"

/** The first revision, and the number of further revisions. */
const Revisions = ({ all: [first = "", ...others] }: { readonly all: ReadonlyArray<string> }) => (
  <>
    <span className="tag revision" title={displayText(first)}>
      <span className="visually-hidden">Revision </span>
      {displayText(first)}
    </span>
    {others.length > 0 && (
      <span className="tag" title={others.map(displayText).join(", ")}>
        +{others.length}
        <span className="visually-hidden"> revisions</span>
      </span>
    )}
  </>
)

/** Chunks side by side, as many as fit without cutting lines. */
const Snippets = ({
  chunks,
  href,
  path
}: {
  readonly chunks: ReadonlyArray<SearchResults.Chunk>
  readonly path: string
  readonly href: string
}) =>
  chunks.length > 0 && (
    <div
      className="snippets"
      style={{
        gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, ${ContextLines.columnWidth(chunks)}rem), 1fr))`
      }}
    >
      {chunks.map((chunk, at) => (
        <Snippet key={at} path={path} chunk={chunk} href={href} />
      ))}
    </div>
  )

/** All matches of the file. Shows the best matches while loading. */
const AllMatches = ({
  result,
  href,
  q
}: {
  readonly result: SearchResults.FileResult
  readonly q: string
  readonly href: string
}) => {
  const { owner, path, repo } = result
  const answer = ExplorerClient.useRequest(ExplorerClient.matches, { q, owner, repo, path, ref: commitOf(result) })
  const lines = answer._tag === "Ready" ? answer.value.lines : undefined
  const chunks = lines === undefined ? result.chunks : toChunks(lines.slice(0, MAX_LINES))
  return (
    <>
      <Snippets chunks={chunks} path={path} href={href} />
      {answer._tag === "Failed" && <p className="result-note warn">{displayText(answer.failure.message)}</p>}
      {lines !== undefined && lines.length > MAX_LINES && (
        <p className="result-note dim">
          {NumberFormat.quantity(lines.length - MAX_LINES, "more line")}. Open the file to see all of them.
        </p>
      )}
    </>
  )
}

/** Groups consecutive lines. */
const toChunks = (lines: ReadonlyArray<Line>): ReadonlyArray<SearchResults.Chunk> => {
  const chunks: Array<{ readonly lines: Array<Line> }> = []
  for (const line of lines) {
    const chunk = chunks.at(-1)
    if (chunk?.lines.at(-1)?.number === line.number - 1) chunk.lines.push(line)
    else chunks.push({ lines: [line] })
  }
  return chunks
}

/** The route of a result: at the result's commit if only commits were searched, otherwise on the default view. */
const routeOf = (
  { commit, isAtCommit, owner, path, repo, revisions }: SearchResults.FileResult,
  q: string,
  line: number | undefined
): Route.File => ({
  _tag: "File",
  owner,
  repo,
  path,
  q,
  ...((revisions === undefined && isAtCommit === undefined) || commit === undefined ? {} : { ref: commit }),
  ...(line === undefined ? {} : { lines: { first: line, last: line } })
})

/** The URL of a line at the searched commit, or on the default view if the line is in no known commit. */
const permalink = (result: SearchResults.FileResult, line: number | undefined): string =>
  Permalinks.absoluteUrl(Permalinks.permalink(routeOf(result, "", line), commitOf(result)))

/** The commit with the content of a result. Undefined for an unknown commit, and for an uncommitted file. */
const commitOf = ({ commit, uncommitted }: SearchResults.FileResult): string | undefined =>
  uncommitted === true ? undefined : commit

const fromResults = { isFromResults: true }
