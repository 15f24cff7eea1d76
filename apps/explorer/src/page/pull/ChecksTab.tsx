import type { ReactNode } from "react"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as PullRequestApi from "../../PullRequestApi.ts"
import type { RequestState } from "../api/ExplorerClient.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { useNow } from "../hooks/useNow.ts"
import { useScrollRestoration } from "../hooks/useRoute.ts"
import type { ViewOf } from "../issue/ForgeLinks.ts"
import { Moment } from "../issue/IssueParts.tsx"
import * as CheckResults from "../model/CheckResults.ts"
import { displayText } from "../model/displayText.ts"
import * as Route from "../model/Route.ts"
import { CheckMark } from "./CheckMark.tsx"
import { CheckRunItem } from "./CheckRunItem.tsx"
import { DetailsLink } from "./DetailsLink.tsx"

/** The check suites with their runs, and the statuses of the newest commit. */
export const ChecksTab = ({
  checks,
  commit,
  route,
  viewOf
}: {
  readonly checks: RequestState<PullRequestApi.Checks>
  readonly commit: string
  readonly route: Route.Pull
  readonly viewOf: ViewOf
}) => {
  const { owner, repo } = route
  useScrollRestoration(Route.href(route), checks._tag === "Ready")
  const now = useNow(false)
  if (checks._tag === "Loading") return <Skeleton rows={4} isSlow={checks.slow} activity="Loading the checks" />
  if (checks._tag === "Failed") return <FailureNotice {...checks} />
  const { runs, statuses, suites, totalRuns, totalStatuses } = checks.value
  const id = <code>{AbbreviatedId.of(commit)}</code>
  if (suites.length + runs.length + statuses.length === 0)
    return (
      <Notice title="No checks">
        <p>No app and no service has reported a result for the commit {id}.</p>
      </Notice>
    )
  const known = new Set(suites.map(({ id }) => id))
  const others = runs.filter(({ suite }) => suite === null || !known.has(suite))
  const itemsOf = (runs: ReadonlyArray<PullRequestApi.CheckRun>) =>
    runs.map((run) => (
      <CheckRunItem key={run.id} run={run} commit={commit} repository={{ owner, repo }} now={now} viewOf={viewOf} />
    ))
  return (
    <div className="checks">
      <p className="dim">
        Results for the commit <Link to={{ _tag: "Commit", owner, repo, ref: commit }}>{id}</Link>
      </p>
      {suites.map((suite) => (
        <Group
          key={suite.id}
          title={suite.app === null ? "Deleted app" : displayText(suite.app)}
          state={displayText(CheckResults.words(suite.conclusion ?? suite.status ?? "queued"))}
          empty="No check runs yet."
        >
          {itemsOf(runs.filter((run) => run.suite === suite.id))}
        </Group>
      ))}
      {others.length > 0 && <Group title="Other check runs">{itemsOf(others)}</Group>}
      <Rest listed={runs.length} total={totalRuns} noun="check run" />
      {statuses.length > 0 && (
        <Group title="Statuses">
          {statuses.map((status) => (
            <li key={status.context}>
              <div className="check-line">
                <CheckMark result={CheckResults.ofStatus(status)} />
                <span className="check-name">
                  <bdi>{displayText(status.context)}</bdi>
                </span>
                <span className="dim">
                  {displayText(CheckResults.words(status.state))} <Moment at={status.updatedAt} now={now} />
                </span>
                <DetailsLink url={status.url} about={status.context} viewOf={viewOf} />
              </div>
              {status.description !== null && <p className="check-title">{displayText(status.description)}</p>}
            </li>
          ))}
        </Group>
      )}
      <Rest listed={statuses.length} total={totalStatuses} noun="status" plural="statuses" />
    </div>
  )
}

const Group = ({
  children,
  empty,
  state,
  title
}: {
  readonly title: string
  readonly state?: string
  /** Shown without items. */
  readonly empty?: string
  readonly children: ReadonlyArray<ReactNode>
}) => (
  <section className="check-group" aria-label={title}>
    <header>
      <h2>
        <bdi>{title}</bdi>
      </h2>
      {state !== undefined && <span className="dim">{state}</span>}
    </header>
    {children.length === 0 ? <p className="dim">{empty}</p> : <ul>{children}</ul>}
  </section>
)

/** Says how many items a long list leaves out. */
const Rest = ({
  listed,
  noun,
  plural = `${noun}s`,
  total
}: {
  readonly listed: number
  readonly total: number
  readonly noun: string
  readonly plural?: string
}) =>
  listed < total && (
    <p className="dim">
      These are {NumberFormat.format(listed)} of {NumberFormat.quantity(total, noun, plural)}.
    </p>
  )
