import { useMemo } from "react"
import type * as PullRequestApi from "../../PullRequestApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { useDeferredAnswer } from "../api/useDeferredAnswer.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { DiffPage } from "../compare/DiffPage.tsx"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Notice } from "../components/Notice.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import type * as Route from "../model/Route.ts"

/** The changed files of a pull request. */
export const PullChanges = ({
  pull,
  route
}: {
  readonly pull: PullRequestApi.PullRequest
  readonly route: Route.Pull
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
  if (answer._tag === "Loading") return <Skeleton rows={10} isSlow={answer.slow} activity="Comparing" />
  if (answer._tag === "Failed") return <FailureNotice {...answer} />
  if (comparison === undefined) return null
  return (
    <DiffPage
      // Other commits have other files, patches and heights.
      key={`${comparison.from} ${comparison.head} ${path} ${ignoreWhitespace}`}
      route={route}
      comparison={comparison}
      empty={
        <Notice title="No changes">
          <p>The commits of this pull request change no files here.</p>
        </Notice>
      }
    />
  )
}
