import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import type * as RunApi from "../../RunApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { useNow } from "../hooks/useNow.ts"
import { navigate, useScrollRestoration } from "../hooks/useRoute.ts"
import { Account, Moment } from "../issue/IssueParts.tsx"
import * as CheckResults from "../model/CheckResults.ts"
import { displayText } from "../model/displayText.ts"
import * as Route from "../model/Route.ts"
import { CheckMark } from "../pull/CheckMark.tsx"
import { JobLogView } from "./JobLogView.tsx"
import { RunCrumbs } from "./RunCrumbs.tsx"
import * as RunParts from "./RunParts.tsx"
import { usePolled } from "./usePolled.ts"
import "../issue/issue.css"
import "../pull/pull.css"
import "./run.css"

/** A run with its jobs and their steps, or one job with its log. */
export const RunView = ({
  connection,
  route
}: {
  readonly route: Route.Run
  readonly connection: ExplorerApi.Connection
}) => {
  const { id, job, owner, repo } = route
  const answer = usePolled(ExplorerClient.run, ViewRequests.run(route), connection, ({ run }) =>
    RunParts.isRunning(run)
  )
  const { line: _, ...view } = route
  useScrollRestoration(Route.href(view), answer._tag === "Ready" && job === undefined)
  useKeyboardShortcuts({
    u: () => navigate(job === undefined ? { _tag: "Runs", owner, repo } : { _tag: "Run", owner, repo, id })
  })
  const details = answer._tag === "Ready" ? answer.value : undefined
  const now = useNow(details !== undefined && RunParts.isRunning(details.run))
  const chosen = details?.jobs.find((one) => one.id === job)
  return (
    <div className="issue run">
      <RunCrumbs repository={route} isList={false} />
      {answer._tag === "Loading" && (
        <>
          <h1 className="visually-hidden">Run {id}</h1>
          <Skeleton rows={4} isSlow={answer.slow} activity="Loading the run" />
        </>
      )}
      {answer._tag === "Failed" && (
        <>
          <h1 className="visually-hidden">Run {id}</h1>
          <FailureNotice {...answer}>
            <p className="alternatives">
              <Link to={{ _tag: "Runs", owner, repo }}>Open the list of runs</Link>
            </p>
          </FailureNotice>
        </>
      )}
      {details !== undefined && (
        <>
          <Head run={details.run} route={route} now={now} />
          {job === undefined ? (
            <Jobs details={details} route={route} now={now} />
          ) : (
            <div className="run-columns">
              <JobLinks details={details} route={route} />
              {chosen === undefined ? (
                <Notice title="No such job">
                  <p>The latest attempt of this run has no job with the id {job}.</p>
                </Notice>
              ) : (
                <div className="run-job">
                  <JobItem job={chosen} route={route} now={now} isLinked={false} />
                  <JobLogView key={chosen.id} job={chosen} route={route} connection={connection} />
                </div>
              )}
            </div>
          )}
        </>
      )}
    </div>
  )
}

const Head = ({
  now,
  route: { owner, repo },
  run
}: {
  readonly run: RunApi.Run
  readonly route: Route.Run
  readonly now: number
}) => {
  const { actor, attempt, branch, commit, createdAt, event, file, number, pulls, status, title, workflow } = run
  const duration = RunParts.durationText(run, now)
  return (
    <>
      <h1 className="issue-title">
        <bdi>{displayText(title)}</bdi> <span className="dim">#{number}</span>
      </h1>
      <div className="issue-status run-status">
        <span className="run-state" role="status">
          <CheckMark result={CheckResults.ofRun(run)} /> {RunParts.stateText(run)}
          {duration !== undefined && status !== "queued" && (status === "completed" ? ` after ${duration}` : "")}
        </span>
        <span>
          <Link to={{ _tag: "Runs", owner, repo, workflow: file }}>
            <bdi>{displayText(workflow)}</bdi>
          </Link>
          {", "}
          {displayText(event)} by <Account login={actor} /> <Moment at={createdAt} now={now} />
        </span>
        <span className="pull">
          {branch !== null && (
            <Link to={{ _tag: "Tree", owner, repo, path: "", ref: branch }}>
              <code className="branch">{displayText(branch)}</code>
            </Link>
          )}{" "}
          <Link to={{ _tag: "Commit", owner, repo, ref: commit }}>
            <code>{AbbreviatedId.of(commit)}</code>
          </Link>
        </span>
        {pulls.map((number) => (
          <Link key={number} to={{ _tag: "Pull", owner, repo, number }}>
            Pull request #{number}
          </Link>
        ))}
        {attempt > 1 && <span className="tag">attempt {attempt}</span>}
      </div>
    </>
  )
}

const Jobs = ({
  details: { jobs, run, totalJobs },
  now,
  route
}: {
  readonly details: RunApi.RunDetails
  readonly route: Route.Run
  readonly now: number
}) => {
  if (jobs.length === 0)
    return (
      <Notice title="No jobs">
        <p>
          {RunParts.isRunning(run)
            ? "No runner has reported a job yet. This page shows it as soon as one does."
            : "No runner has reported a job."}
        </p>
      </Notice>
    )
  return (
    <div className="checks">
      {jobs.map((job) => (
        <JobItem key={job.id} job={job} route={route} now={now} isLinked />
      ))}
      {jobs.length < totalJobs && (
        <p className="dim">
          These are {NumberFormat.format(jobs.length)} of {NumberFormat.quantity(totalJobs, "job")}.
        </p>
      )}
    </div>
  )
}

/** The jobs of the run beside the chosen one. */
const JobLinks = ({
  details: { jobs },
  route: { id, job: chosen, owner, repo }
}: {
  readonly details: RunApi.RunDetails
  readonly route: Route.Run
}) => (
  <nav className="run-jobs" aria-label="Jobs">
    <ul>
      <li>
        <Link to={{ _tag: "Run", owner, repo, id }}>Summary</Link>
      </li>
      {jobs.map((job) => (
        <li key={job.id}>
          <CheckMark result={CheckResults.ofRun(job)} />
          <Link
            to={{ _tag: "Run", owner, repo, id, job: job.id }}
            aria-current={job.id === chosen ? "page" : undefined}
          >
            <bdi>{displayText(job.name)}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

/** A job with its steps. `isLinked` makes the name a link to the job's log. */
const JobItem = ({
  isLinked,
  job,
  now,
  route: { id, owner, repo }
}: {
  readonly job: RunApi.Job
  readonly route: Route.Run
  readonly now: number
  readonly isLinked: boolean
}) => {
  const duration = RunParts.durationText(job, now)
  const name = <bdi>{displayText(job.name)}</bdi>
  return (
    <section className="check-group" aria-label={`Job ${displayText(job.name)}`}>
      <header>
        <h2 className="run-state">
          <CheckMark result={CheckResults.ofRun(job)} />
          {isLinked ? <Link to={{ _tag: "Run", owner, repo, id, job: job.id }}>{name}</Link> : name}
        </h2>
        <span className="dim">
          {RunParts.stateText(job)}
          {duration !== undefined && ` ${job.completedAt === null ? "for" : "after"} ${duration}`}
          {job.runner !== null && <> on {<bdi>{displayText(job.runner)}</bdi>}</>}
        </span>
      </header>
      {job.steps.length > 0 && (
        <ol className="run-steps">
          {job.steps.map((step) => (
            <li key={step.number}>
              <CheckMark result={CheckResults.ofRun(step)} />
              <span>
                <bdi>{displayText(step.name)}</bdi>
              </span>
              <span className="dim">{RunParts.durationText(step, now)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
