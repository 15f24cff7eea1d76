import { useInfiniteQuery } from "@tanstack/react-query"
import { useRef } from "react"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import { useNow } from "../hooks/useNow.ts"
import type * as Route from "../model/Route.ts"
import { moveFocusByKey } from "../hooks/moveFocus.ts"

/**
 * The commits that changed a file or folder, newest first. Links to the file or folder at each commit, and to the
 * changes.
 */
export const CommitHistory = ({
  commit,
  route
}: {
  readonly route: Route.File | Route.Tree
  readonly commit: string
}) => {
  const { owner, path, repo } = route
  const parameters = { owner, repo, path, ref: commit }
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: ExplorerClient.queryKey(ExplorerClient.history, parameters),
    queryFn: ({ pageParam, signal }) =>
      ExplorerClient.get(ExplorerClient.history, { ...parameters, page: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next
  })
  const list = useRef<HTMLOListElement>(null)
  const now = useNow(false)
  if (error !== null && data === undefined) {
    return <FailureNotice failure={ExplorerClient.failureOf(error)} retry={() => void refetch()} />
  }
  // The forge names a changed file for each commit of a folder.
  const shown = (changed: string) => (route._tag === "File" ? changed : path)
  const commits = data?.pages.flatMap(({ commits }) => commits) ?? []
  return (
    <>
      {data === undefined && (
        <p className="side-note" role="status">
          Loading the history…
        </p>
      )}
      <ol ref={list} className="commits" onKeyDown={(event) => moveFocusByKey(list.current, event)}>
        {commits.map((change) => (
          <li key={change.commit}>
            <Link
              to={
                route._tag === "File"
                  ? { ...route, lines: undefined, path: change.path, ref: change.commit }
                  : { ...route, ref: change.commit }
              }
              aria-current={change.commit === commit ? "true" : undefined}
            >
              <span className="summary-line">{displayText(change.summary)}</span>
              <span className="dim">
                <code>{AbbreviatedId.of(change.commit)}</code>
                {change.date !== null && (
                  <>
                    {" · "}
                    <time dateTime={change.date} title={change.date}>
                      {RelativeTime.format(Date.parse(change.date), now)}
                    </time>
                  </>
                )}
                {change.author !== null && (
                  <>
                    {" · "}
                    <bdi>{displayText(change.author)}</bdi>
                  </>
                )}
              </span>
            </Link>
            <Link
              className="commit-diff"
              to={{
                _tag: "Commit",
                owner,
                repo,
                ref: change.commit,
                ...(shown(change.path) === "" ? {} : { path: shown(change.path) })
              }}
              aria-label={`Changes of ${displayText(change.summary)}`}
            >
              Changes
            </Link>
          </li>
        ))}
      </ol>
      {error !== null && (
        <p className="side-note" role="alert">
          {displayText(ExplorerClient.failureOf(error).message)}
        </p>
      )}
      {hasNextPage && (
        <button type="button" className="quiet" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? "Loading…" : "Older commits"}
        </button>
      )}
    </>
  )
}
