import { useRef } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import type * as RunApi from "../../RunApi.ts"
import { runStatuses } from "../../RunStatuses.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { RefMenu } from "../components/RefMenu.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { Icon } from "../file/Icon.tsx"
import { moveFocus } from "../hooks/moveFocus.ts"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { useNow } from "../hooks/useNow.ts"
import { navigate, useScrollRestoration } from "../hooks/useRoute.ts"
import { Account, Moment } from "../issue/IssueParts.tsx"
import * as CheckResults from "../model/CheckResults.ts"
import { displayText } from "../model/displayText.ts"
import * as Route from "../model/Route.ts"
import { CheckMark } from "../pull/CheckMark.tsx"
import { RunCrumbs } from "./RunCrumbs.tsx"
import * as RunParts from "./RunParts.tsx"
import { usePolled } from "./usePolled.ts"
import "../issue/issue.css"
import "../pull/pull.css"
import "./run.css"

/** The runs of a repository with filters, the newest first. */
export const RunListView = ({
  connection,
  route
}: {
  readonly route: Route.Runs
  readonly connection: ExplorerApi.Connection
}) => {
  const { owner, page = 1, repo } = route
  const answer = usePolled(ExplorerClient.runs, ViewRequests.runs(route), connection, ({ runs }) =>
    runs.some(RunParts.isRunning)
  )
  useScrollRestoration(Route.href(route), answer._tag === "Ready")
  const list = useRef<HTMLUListElement>(null)
  const step = (by: 1 | -1) => () => moveFocus(list.current, by, ".run-title")
  const openRepository = () => navigate({ _tag: "Tree", owner, repo, path: "" })
  useKeyboardShortcuts({ j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1), u: openRepository })
  const now = useNow(answer._tag === "Ready" && answer.value.runs.some(RunParts.isRunning))
  const isFiltered = route.workflow !== undefined || route.branch !== undefined || route.status !== undefined
  return (
    <div className="issues runs">
      <RunCrumbs repository={route} isList />
      <Filters route={route} workflows={answer._tag === "Ready" ? answer.value.workflows : []} />
      {answer._tag === "Loading" && <Skeleton rows={6} isSlow={answer.slow} activity="Loading the runs" />}
      {answer._tag === "Failed" && <FailureNotice {...answer} />}
      {answer._tag === "Ready" && (
        <>
          <p className="dim" role="status">
            {NumberFormat.quantity(answer.value.total, "run")}
          </p>
          {answer.value.runs.length === 0 ? (
            <Notice title={page > 1 ? "No such page" : "No runs"}>
              <p>
                {page > 1
                  ? `The list has ${NumberFormat.quantity(answer.value.pages, "page")}.`
                  : isFiltered
                    ? "No run matches the filters."
                    : answer.value.workflows.length === 0
                      ? "This repository has no workflows. They are files in .github/workflows."
                      : "No workflow has run yet."}
              </p>
            </Notice>
          ) : (
            <ul ref={list} className="issue-list">
              {answer.value.runs.map((run) => (
                <Row key={run.id} run={run} repository={{ owner, repo }} now={now} />
              ))}
            </ul>
          )}
          <Pages route={route} pages={answer.value.pages} />
        </>
      )}
    </div>
  )
}

const Row = ({
  now,
  repository: { owner, repo },
  run
}: {
  readonly run: RunApi.Run
  readonly repository: ExplorerApi.RepositoryName
  readonly now: number
}) => {
  const duration = RunParts.durationText(run, now)
  return (
    <li>
      <CheckMark result={CheckResults.ofRun(run)} />
      <div>
        <p>
          <Link className="run-title" to={{ _tag: "Run", owner, repo, id: run.id }}>
            <bdi>{displayText(run.title)}</bdi>
          </Link>
        </p>
        <p className="metadata">
          <span>
            <bdi>{displayText(run.workflow)}</bdi> #{run.number}
          </span>
          <span>{RunParts.stateText(run)}</span>
          {run.branch !== null && <code>{displayText(run.branch)}</code>}
          <span>
            {displayText(run.event)} by <Account login={run.actor} /> <Moment at={run.createdAt} now={now} />
          </span>
          {duration !== undefined && run.status !== "queued" && <span>{duration}</span>}
        </p>
      </div>
    </li>
  )
}

const Filters = ({
  route,
  workflows
}: {
  readonly route: Route.Runs
  readonly workflows: ReadonlyArray<RunApi.Workflow>
}) => {
  const { branch, owner, repo, status, workflow } = route
  const filter = (change: Partial<Record<"branch" | "status" | "workflow", string | undefined>>) => {
    const next = { branch, status, workflow, ...change }
    const chosen = runStatuses.find((status) => status === next.status)
    navigate({
      _tag: "Runs",
      owner,
      repo,
      ...(next.workflow === undefined || next.workflow === "" ? {} : { workflow: next.workflow }),
      ...(next.branch === undefined ? {} : { branch: next.branch }),
      ...(chosen === undefined ? {} : { status: chosen })
    })
  }
  const isListed = workflow === undefined || workflows.some(({ file }) => file === workflow)
  return (
    <div className="run-filters" role="group" aria-label="Filters">
      <select
        aria-label="Workflow"
        value={workflow ?? ""}
        onChange={({ target }) => filter({ workflow: target.value })}
      >
        <option value="">All workflows</option>
        {!isListed && <option value={workflow}>{displayText(workflow)}</option>}
        {workflows.map(({ file, id, name }) => (
          <option key={id} value={file}>
            {displayText(name)}
          </option>
        ))}
      </select>
      <select aria-label="Status" value={status ?? ""} onChange={({ target }) => filter({ status: target.value })}>
        <option value="">Any status</option>
        {runStatuses.map((name) => (
          <option key={name} value={name}>
            {CheckResults.words(name)}
          </option>
        ))}
      </select>
      <RefMenu
        repository={{ owner, repo }}
        current={branch}
        name={branch === undefined ? "Branch: all" : `Branch: ${displayText(branch)}`}
        align="start"
        verb="filter by"
        onSelect={(branch) => filter({ branch })}
      >
        <Icon name="branch" />
        <span>{branch === undefined ? "All branches" : displayText(branch)}</span>
        <Icon name="down" />
      </RefMenu>
      {(branch ?? status ?? workflow) !== undefined && (
        <Link to={{ _tag: "Runs", owner, repo }}>Clear the filters</Link>
      )}
    </div>
  )
}

const Pages = ({ pages, route }: { readonly route: Route.Runs; readonly pages: number }) => {
  const { page = 1, ...rest } = route
  if (pages === 1) return null
  const to = (page: number): Route.Runs => ({ ...rest, ...(page === 1 ? {} : { page }) })
  return (
    <nav className="issue-pages" aria-label="Pages">
      {page > 1 && <Link to={to(Math.min(page - 1, pages))}>Newer</Link>}
      <span className="dim">
        Page {NumberFormat.format(page)} of {NumberFormat.format(pages)}
      </span>
      {page < pages && <Link to={to(page + 1)}>Older</Link>}
    </nav>
  )
}
