import { useState } from "react"
import type { CommitHit, FileHit } from "@tongs/core/contract/groups/CodeSearch"
import type { NewResults } from "@tongs/core/contract/groups/SavedSearches"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { HighlightedText } from "../components/HighlightedText.tsx"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { useNow } from "../hooks/useNow.ts"
import { displayText } from "../model/displayText.ts"
import * as Route from "../model/Route.ts"
import * as SavedSearches from "./SavedSearches.ts"

/** Maximum number of files and commits that are shown. */
const MAX_SHOWN = 200

/** The results of a saved search since the last mark as seen. */
export const NewResultsView = ({ route: { id } }: { readonly route: Route.NewResults }) => {
  const state = SavedSearches.useNewResults(id)
  if (state._tag === "Loading") return <Skeleton rows={6} isSlow={state.slow} activity="Searching" />
  if (state._tag === "Failed") {
    return state.failure.kind === "NotFound" ? (
      <Notice title="No such saved search">
        <p>It was deleted, or another user saved it.</p>
        <p className="alternatives">
          <Link to={Route.home}>Open the start page</Link>
        </p>
      </Notice>
    ) : (
      <FailureNotice {...state} />
    )
  }
  return <Loaded results={state.value} />
}

const Loaded = ({ results }: { readonly results: NewResults }) => {
  const { commits, count, files, incomplete, name, query, since } = results
  const now = useNow(false)
  const [failure, setFailure] = useState<string>()
  const markSeen = () => {
    setFailure(undefined)
    SavedSearches.markSeen(results).catch((error: unknown) => setFailure(ExplorerClient.failureOf(error).message))
  }
  const shown = [...files, ...commits].length
  return (
    <div className="new-results">
      <h1>{displayText(name)}</h1>
      <p className="dim">
        New since <time dateTime={since}>{RelativeTime.format(Date.parse(since), now)}</time>.{" "}
        <Link to={{ _tag: "Search", q: query }}>
          Show all results of <code>{displayText(query)}</code>
        </Link>
      </p>
      {incomplete.length > 0 && (
        <p className="warn">The search has more results than can be compared, so the new ones are not exact.</p>
      )}
      {count === 0 ? (
        <Notice title="Nothing new">
          <p>All present results are marked as seen.</p>
        </Notice>
      ) : (
        <>
          <p>
            <strong>{NumberFormat.quantity(count, commits.length > 0 ? "new commit" : "new line")}</strong>{" "}
            <button type="button" className="primary" onClick={markSeen}>
              Mark as seen
            </button>
          </p>
          {failure !== undefined && (
            <p role="alert" className="warn">
              {displayText(failure)}
            </p>
          )}
          {files.slice(0, MAX_SHOWN).map((hit) => (
            <File key={`${hit.owner}/${hit.repo}/${hit.path}`} hit={hit} q={query} />
          ))}
          {commits.slice(0, MAX_SHOWN).map((hit) => (
            <Commit key={`${hit.owner}/${hit.repo}/${hit.sha}`} hit={hit} />
          ))}
          {shown > MAX_SHOWN && <p className="dim">{NumberFormat.format(shown - MAX_SHOWN)} more are not shown.</p>}
        </>
      )}
    </div>
  )
}

const File = ({ hit: { chunks, commit, owner, path, repo }, q }: { readonly hit: FileHit; readonly q: string }) => {
  const lines = chunks.flatMap(({ lines }) => lines)
  const to = (line: number | undefined): Route.File => ({
    _tag: "File",
    owner,
    repo,
    path,
    // A saved search finds commits only, and the file on disk can have other lines.
    ref: commit,
    q,
    ...(line === undefined ? {} : { lines: { first: line, last: line } })
  })
  return (
    <section>
      <h2>
        <Link to={to(lines[0]?.number)}>
          <span className="dim">
            {displayText(owner)}/{displayText(repo)}:
          </span>
          {displayText(path)}
        </Link>
      </h2>
      <ol className="new-lines">
        {lines.map(({ matches, number, text }) => (
          <li key={number}>
            <Link to={to(number)} aria-label={`Line ${number}`}>
              {number}
            </Link>
            <code>
              <HighlightedText text={text} matches={matches} />
            </code>
          </li>
        ))}
      </ol>
    </section>
  )
}

const Commit = ({ hit: { author, in_message, message, owner, repo, sha } }: { readonly hit: CommitHit }) => {
  const [summary = ""] = message.split("\n", 1)
  const matches = in_message.filter(([, end]) => end <= summary.length)
  return (
    <section>
      <h2>
        <Link to={{ _tag: "Commit", owner, repo, ref: sha }}>
          <HighlightedText text={summary} matches={matches} />
        </Link>
      </h2>
      <p className="dim">
        {displayText(owner)}/{displayText(repo)} · {displayText(author.name)} · <code>{AbbreviatedId.of(sha)}</code>
      </p>
    </section>
  )
}
