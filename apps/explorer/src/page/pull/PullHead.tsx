import type { ReactNode } from "react"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as PullRequestApi from "../../PullRequestApi.ts"
import type { RequestState } from "../api/ExplorerClient.ts"
import { Link } from "../components/Link.tsx"
import { useNow } from "../hooks/useNow.ts"
import { Account, LockTag, Moment, StateTag } from "../issue/IssueParts.tsx"
import * as CheckResults from "../model/CheckResults.ts"
import { displayText } from "../model/displayText.ts"
import { CheckMark } from "./CheckMark.tsx"
import * as Mergeability from "../model/Mergeability.ts"

/** The title, state and branches of a pull request, whether it can be merged, and its checks in one line. */
export const PullHead = ({
  checks,
  pull
}: {
  readonly pull: PullRequestApi.PullRequest
  readonly checks: RequestState<PullRequestApi.Checks>
}) => {
  const { mergeability, number, owner, repo, title } = pull
  const results = checks._tag === "Ready" ? CheckResults.all(checks.value) : []
  const result = CheckResults.ofAll(results)
  return (
    <>
      <h1 className="issue-title">
        <bdi>{displayText(title)}</bdi> <span className="dim">#{number}</span>
      </h1>
      <div className="issue-status">
        <StateTag {...pull} />
        <LockTag {...pull} />
        <span className="pull-summary">
          <Summary pull={pull} />
        </span>
      </div>
      {(mergeability !== null || result !== undefined) && (
        <ul className="pull-state" aria-label="State">
          {mergeability !== null && (
            <li role={mergeability === "checking" ? "status" : undefined}>
              <CheckMark result={Mergeability.result(mergeability)} />
              <span>
                {Mergeability.sentence(mergeability, pull)}
                {checks._tag === "Ready" && mergeability === "blocked" && missing(checks.value)}
                {pull.autoMerge !== null && " It is merged automatically as soon as it can be."}
              </span>
            </li>
          )}
          {result !== undefined && (
            <li>
              <CheckMark result={result} />
              <Link to={{ _tag: "Pull", owner, repo, number, tab: "checks" }}>{CheckResults.summary(results)}</Link>
            </li>
          )}
        </ul>
      )}
    </>
  )
}

/** Maximum number of checks to name. */
const MAX_NAMED = 5

/** The checks that have not passed, as a sentence. */
const missing = ({ runs, statuses }: PullRequestApi.Checks): string => {
  const hasNotPassed = (result: CheckResults.CheckResult) => result === "failed" || result === "running"
  const names = [
    ...runs.filter((run) => hasNotPassed(CheckResults.ofRun(run))).map(({ name }) => name),
    ...statuses.filter((status) => hasNotPassed(CheckResults.ofStatus(status))).map(({ context }) => context)
  ]
  const rest = names.length - MAX_NAMED
  const more = rest > 0 ? ` and ${NumberFormat.format(rest)} more` : ""
  return names.length === 0 ? "" : ` Not passed: ${names.slice(0, MAX_NAMED).map(displayText).join(", ")}${more}.`
}

/** Who merges or merged which commits. */
const Summary = ({ pull }: { readonly pull: PullRequestApi.PullRequest }): ReactNode => {
  const { author, base, closedAt, closedBy, commits, head, mergeCommit, mergedAt, mergedBy, owner, repo, state } = pull
  const now = useNow(false)
  const what = (
    <>
      {NumberFormat.quantity(commits, "commit")} into <BranchLink branch={base} of={base} /> from{" "}
      <BranchLink branch={head} of={base} />
    </>
  )
  if (mergedAt !== null)
    return (
      <>
        <Account login={mergedBy} /> merged {what}
        {mergeCommit !== null && (
          <>
            {" as "}
            <Link to={{ _tag: "Commit", owner, repo, ref: mergeCommit }}>
              <code>{AbbreviatedId.of(mergeCommit)}</code>
            </Link>
          </>
        )}{" "}
        <Moment at={mergedAt} now={now} />
      </>
    )
  return (
    <>
      <Account login={author} /> {state === "open" ? "wants" : "wanted"} to merge {what}
      {closedAt !== null && (
        <>
          {"; "}
          <Account login={closedBy} /> closed this <Moment at={closedAt} now={now} />
        </>
      )}
    </>
  )
}

/** A branch, with its owner if it is in another repository than `of`. */
const BranchLink = ({
  branch: { isDeleted, name, owner, repository },
  of
}: {
  readonly branch: PullRequestApi.Branch
  readonly of: PullRequestApi.Branch
}) => {
  const isHere = repository?.owner === of.repository?.owner && repository?.repo === of.repository?.repo
  const label = <code className="branch">{displayText(isHere ? name : `${owner ?? "ghost"}:${name}`)}</code>
  if (repository === null) return <>{label} (unknown repository)</>
  if (isDeleted) return <>{label} (deleted)</>
  return (
    <Link
      to={{ _tag: "Tree", ...repository, path: "", ref: name }}
      title={displayText(`${repository.owner}/${repository.repo}`)}
    >
      {label}
    </Link>
  )
}
