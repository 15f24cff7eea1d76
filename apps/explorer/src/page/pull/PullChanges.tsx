import { useMemo } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as PullRequestApi from "../../PullRequestApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { useDeferredAnswer } from "../api/useDeferredAnswer.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import type { Insets } from "../compare/DiffItems.ts"
import { DiffPage } from "../compare/DiffPage.tsx"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Notice } from "../components/Notice.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { useNow } from "../hooks/useNow.ts"
import type { ViewOf } from "../issue/ForgeLinks.ts"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import { ThreadItem } from "./ThreadItem.tsx"

/** The changed files of a pull request, with the threads of review comments below their lines. */
export const PullChanges = ({
  pull,
  route,
  viewOf
}: {
  readonly pull: PullRequestApi.PullRequest
  readonly route: Route.Pull
  readonly viewOf: ViewOf
}) => {
  const { ignoreWhitespace, path } = route
  const answer = useDeferredAnswer(
    ExplorerClient.useRequest(ExplorerClient.pullChanges, ViewRequests.pullChanges(route, pull))
  )
  const found = answer._tag === "Ready" ? answer.value : undefined
  const comparison = useMemo(() => {
    // A forge without the extension sends fewer files than it counts.
    if (found === undefined || found.hasPages || path !== undefined) return found
    return { ...found, totalFiles: Math.max(found.files.length, pull.changedFiles) }
  }, [found, path, pull.changedFiles])
  const reviews = ExplorerClient.useRequest(ExplorerClient.pullThreads, ViewRequests.issue(route))
  const threads = reviews._tag === "Ready" ? reviews.value.threads : none
  const insets = useMemo(() => insetsOf(threads), [threads])
  const now = useNow(false)
  if (answer._tag === "Loading") return <Skeleton rows={10} isSlow={answer.slow} activity="Comparing" />
  if (answer._tag === "Failed") return <FailureNotice {...answer} />
  if (comparison === undefined) return null
  const render = (thread: PullRequestApi.ReviewThread) => (
    <ThreadItem key={thread.id} {...{ thread, route, now, viewOf }} />
  )
  const paths = new Set(comparison.files.map(({ path }) => path))
  const others = path === undefined ? threads.filter((thread) => !paths.has(thread.path)) : []
  return (
    <>
      {reviews._tag === "Failed" && (
        <p className="issue-note" role="alert">
          The review comments are not shown: {displayText(reviews.failure.message)}
        </p>
      )}
      {reviews._tag === "Ready" && !reviews.value.isComplete && (
        <p className="issue-note" role="status">
          Only the first {NumberFormat.format(threads.length)} threads are shown.
        </p>
      )}
      {others.length > 0 && (
        <details className="other-threads">
          <summary>{NumberFormat.quantity(others.length, "thread")} on files that are no longer changed</summary>
          {others.map((thread) => (
            <div key={thread.id}>
              <code>{displayText(thread.path)}</code>
              {render(thread)}
            </div>
          ))}
        </details>
      )}
      <DiffPage
        // Other commits have other files, patches and heights.
        key={`${comparison.from} ${comparison.head} ${path} ${ignoreWhitespace}`}
        route={route}
        comparison={comparison}
        insets={insets}
        renderInset={({ id }) => {
          const thread = threads.find((one) => one.id === id)
          return thread === undefined ? null : render(thread)
        }}
        empty={
          <Notice title="No changes">
            <p>The commits of this pull request change no files here.</p>
          </Notice>
        }
      />
    </>
  )
}

const none: ReadonlyArray<never> = []

const insetsOf = (threads: ReadonlyArray<PullRequestApi.ReviewThread>): Insets =>
  new Map(
    [...Map.groupBy(threads, ({ path }) => path)].map(([path, own]) => [
      path,
      own.map(({ id, line, side }) => ({ id, line: line === null ? undefined : { side, number: line } }))
    ])
  )
