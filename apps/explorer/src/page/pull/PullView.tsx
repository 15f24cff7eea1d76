import { useMemo } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import type * as PullRequestApi from "../../PullRequestApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { navigate } from "../hooks/useRoute.ts"
import * as ForgeLinks from "../issue/ForgeLinks.ts"
import { IssueCrumbs } from "../issue/IssueCrumbs.tsx"
import type * as Route from "../model/Route.ts"
import { ChecksTab } from "./ChecksTab.tsx"
import { PullChanges } from "./PullChanges.tsx"
import { PullCommits } from "./PullCommits.tsx"
import { PullConversation } from "./PullConversation.tsx"
import { PullHead } from "./PullHead.tsx"
import { usePullRequest } from "./usePullRequest.ts"
import "../issue/issue.css"
import "./pull.css"

/** A pull request: its state, and a tab of conversation, commits, checks or changed files. */
export const PullView = ({
  connection,
  route
}: {
  readonly route: Route.Pull
  readonly connection: ExplorerApi.Connection
}) => {
  const { number, owner, repo, tab } = route
  const answer = usePullRequest(route)
  const head = answer._tag === "Ready" ? answer.value.head.commit : undefined
  const checks = ExplorerClient.useRequest(
    ExplorerClient.checks,
    head === undefined ? undefined : { owner, repo, ref: head }
  )
  useKeyboardShortcuts({ u: () => navigate({ _tag: "Pulls", owner, repo }) })
  const isEmbedded = connection.kind === "embedded"
  const url = answer._tag === "Ready" ? answer.value.url : ""
  const viewOf = useMemo(() => ForgeLinks.make(url, isEmbedded), [isEmbedded, url])
  return (
    <div className={tab === "files" ? "issue pull compare" : "issue pull"}>
      <IssueCrumbs repository={route} list="Pulls" current={answer._tag === "Ready" ? undefined : number} />
      {answer._tag === "Loading" && <Skeleton rows={4} isSlow={answer.slow} activity="Loading the pull request" />}
      {answer._tag === "Failed" && (
        <FailureNotice {...answer}>
          <p className="alternatives">
            {answer.failure.kind === "NotFound" && (
              <Link to={{ _tag: "Issue", owner, repo, number }}>Open issue #{number}</Link>
            )}{" "}
            <Link to={{ _tag: "Pulls", owner, repo }}>Open the list of pull requests</Link>
          </p>
        </FailureNotice>
      )}
      {answer._tag === "Ready" && (
        <>
          <PullHead pull={answer.value} checks={checks} />
          <Tabs pull={answer.value} checks={checks} route={route} />
          {tab === undefined && <PullConversation pull={answer.value} route={route} viewOf={viewOf} />}
          {tab === "commits" && <PullCommits pull={answer.value} route={route} />}
          {tab === "checks" && (
            <ChecksTab commit={answer.value.head.commit} checks={checks} route={route} viewOf={viewOf} />
          )}
          {tab === "files" && <PullChanges pull={answer.value} route={route} viewOf={viewOf} />}
        </>
      )}
    </div>
  )
}

const Tabs = ({
  checks,
  pull: { changedFiles, comments, commits },
  route: { number, owner, repo, tab }
}: {
  readonly pull: PullRequestApi.PullRequest
  readonly checks: ExplorerClient.RequestState<PullRequestApi.Checks>
  readonly route: Route.Pull
}) => {
  const pull = { _tag: "Pull", owner, repo, number } as const // the tag must stay a literal
  const count = checks._tag === "Ready" ? checks.value.totalRuns + checks.value.totalStatuses : undefined
  const tabs: ReadonlyArray<readonly [tab: Route.Pull["tab"], title: string, count: number | undefined]> = [
    [undefined, "Conversation", comments],
    ["commits", "Commits", commits],
    ["checks", "Checks", count],
    ["files", "Files changed", changedFiles]
  ]
  return (
    <nav className="issue-tabs pull-tabs" aria-label="Pull request">
      {tabs.map(([name, title, count]) => (
        <Link
          key={title}
          to={name === undefined ? pull : { ...pull, tab: name }}
          aria-current={name === tab ? "page" : undefined}
        >
          {title} {count !== undefined && <span className="tab-count">{NumberFormat.format(count)}</span>}
        </Link>
      ))}
    </nav>
  )
}
