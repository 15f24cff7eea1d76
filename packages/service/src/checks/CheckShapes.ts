/** Statuses, check runs and check suites as resources of the API. */
import type { CheckAnnotation, CheckRun } from "@tongs/core/contract/groups/CheckRuns"
import type { PullRequestReference } from "@tongs/core/contract/groups/PullRequestReference"
import type { CheckSuite, HeadCommit } from "@tongs/core/contract/groups/CheckSuites"
import type { CurrentStatus, Status } from "@tongs/core/contract/groups/Statuses"
import type { AppWithKey } from "../access/InstallationRows.ts"
import * as AppShapes from "../api/AppShapes.ts"
import { nodeId } from "../api/NodeId.ts"
import * as Shapes from "../api/Shapes.ts"
import { encodePath, type Urls } from "../api/Urls.ts"
import { parseTimestamp } from "../base/Time.ts"
import type { Commit } from "../git/values/GitObject.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { CheckPullRequestRow } from "./CheckPullRequests.ts"
import type { AnnotationRow, CheckRunRow } from "./CheckRunRows.ts"
import type { CheckSuiteRow } from "./CheckSuiteRows.ts"
import type { StatusRow } from "./StatusRows.ts"

const time = (text: string | null) => (text === null ? null : parseTimestamp(text))

export const currentStatus = (row: StatusRow, served: ServedRepository, urls: Urls): CurrentStatus => ({
  url: `${Shapes.repositoryUrl(served, urls)}/statuses/${row.sha}`,
  avatar_url: row.creator === null ? null : Shapes.userSummary(row.creator, urls).avatar_url,
  id: row.id,
  node_id: nodeId("StatusContext", row.id),
  state: row.state,
  description: row.description,
  target_url: row.target_url,
  context: row.context,
  created_at: parseTimestamp(row.created_at),
  updated_at: parseTimestamp(row.created_at)
})

export const status = (row: StatusRow, served: ServedRepository, urls: Urls): Status => ({
  ...currentStatus(row, served, urls),
  creator: row.creator === null ? null : Shapes.userSummary(row.creator, urls)
})

/** The app and the pull requests of a check. */
export interface CheckDetails {
  readonly app: AppWithKey | undefined
  readonly pulls: ReadonlyArray<CheckPullRequestRow>
}

export const pullRequest = (row: CheckPullRequestRow, served: ServedRepository, urls: Urls): PullRequestReference => {
  const url = Shapes.repositoryUrl(served, urls)
  const repo = { id: served.row.id, url, name: served.row.name }
  return {
    id: row.id,
    number: row.number,
    url: `${url}/pulls/${row.number}`,
    head: { ref: row.head_ref, sha: Shapes.sha(row.head_sha), repo },
    base: { ref: row.base_ref, sha: Shapes.sha(row.base_sha), repo }
  }
}

/** Path of the page of a check run, or of the job, after the path of the repository. */
export const pagePath = ({ id, workflow_run_id }: Pick<CheckRunRow, "id" | "workflow_run_id">): string =>
  workflow_run_id === null ? `/runs/${id}` : `/actions/runs/${workflow_run_id}/job/${id}`

/** Creates a check run. The details of a run without a URL are at the app's page. */
export const run = (row: CheckRunRow, { app, pulls }: CheckDetails, served: ServedRepository, urls: Urls): CheckRun => {
  const url = `${Shapes.repositoryUrl(served, urls)}/check-runs/${row.id}`
  const page = `${urls.html}/${served.fullName}${pagePath(row)}`
  const appShape = app === undefined ? null : AppShapes.app(app, urls)
  return {
    id: row.id,
    name: row.name,
    node_id: nodeId("CheckRun", row.id),
    head_sha: row.head_sha,
    external_id: row.external_id,
    url,
    html_url: page,
    details_url: row.details_url ?? (row.workflow_run_id === null ? (appShape?.external_url ?? null) : page),
    status: row.status,
    conclusion: row.conclusion,
    started_at: time(row.started_at),
    completed_at: time(row.completed_at),
    output: {
      title: row.title,
      summary: row.summary,
      text: row.text,
      annotations_count: row.annotations_count,
      annotations_url: `${url}/annotations`
    },
    check_suite: { id: row.suite_id },
    app: appShape,
    pull_requests: pulls.map((pull) => pullRequest(pull, served, urls))
  }
}

export const annotation = (
  row: AnnotationRow,
  { head_sha }: CheckRunRow,
  served: ServedRepository,
  urls: Urls
): CheckAnnotation => ({
  path: row.path,
  start_line: row.start_line,
  end_line: row.end_line,
  start_column: row.start_column,
  end_column: row.end_column,
  annotation_level: row.annotation_level,
  title: row.title,
  message: row.message,
  raw_details: row.raw_details,
  blob_href: `${urls.html}/${served.fullName}/blob/${head_sha}/${encodePath(row.path)}`
})

/** Creates the commit of a suite. `commit` is undefined if git has lost the commit. */
const headCommit = ({ created_at, head_sha }: CheckSuiteRow, commit: Commit | undefined): HeadCommit =>
  commit === undefined
    ? { id: head_sha, tree_id: "", message: "", timestamp: parseTimestamp(created_at), author: null, committer: null }
    : {
        id: head_sha,
        tree_id: commit.tree,
        message: commit.message,
        timestamp: Shapes.signature(commit.committer).date,
        author: { name: commit.author.name, email: commit.author.email },
        committer: { name: commit.committer.name, email: commit.committer.email }
      }

export const suite = (
  row: CheckSuiteRow,
  { app, pulls }: CheckDetails,
  commit: Commit | undefined,
  served: ServedRepository,
  urls: Urls
): CheckSuite => {
  const url = `${Shapes.repositoryUrl(served, urls)}/check-suites/${row.id}`
  return {
    id: row.id,
    node_id: nodeId("CheckSuite", row.id),
    head_branch: row.head_branch,
    head_sha: row.head_sha,
    status: row.status,
    conclusion: row.conclusion,
    url,
    before: row.before_sha,
    after: row.after_sha,
    pull_requests: pulls.map((pull) => pullRequest(pull, served, urls)),
    app: app === undefined ? null : AppShapes.app(app, urls),
    repository: Shapes.repositorySummary(served, urls),
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.updated_at),
    head_commit: headCommit(row, commit),
    latest_check_runs_count: row.latest_runs,
    check_runs_url: `${url}/check-runs`,
    rerequestable: true,
    runs_rerequestable: true
  }
}
