import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as PullRequestApi from "../../PullRequestApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { CommitItems } from "../compare/CommitItems.tsx"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { useScrollRestoration } from "../hooks/useRoute.ts"
import * as Route from "../model/Route.ts"
import "../compare/compare.css"

/** The commits of a pull request, the oldest first. */
export const PullCommits = ({
  pull,
  route
}: {
  readonly pull: PullRequestApi.PullRequest
  readonly route: Route.Pull
}) => {
  const answer = ExplorerClient.useRequest(ExplorerClient.pullCommits, ViewRequests.issue(route))
  useScrollRestoration(Route.href(route), answer._tag === "Ready")
  if (answer._tag === "Loading") return <Skeleton rows={4} isSlow={answer.slow} activity="Loading the commits" />
  if (answer._tag === "Failed") return <FailureNotice {...answer} />
  return (
    <section className="diff-commits pull-commits" aria-label="Commits">
      <CommitItems commits={answer.value} repository={route} />
      {answer.value.length < pull.commits && (
        <p className="side-note">
          These are the first {NumberFormat.format(answer.value.length)} of{" "}
          {NumberFormat.quantity(pull.commits, "commit")}. The forge does not list the others.
        </p>
      )}
    </section>
  )
}
