/** Workflows, runs, jobs and caches as resources of the API. */
import type { ActionsCache } from "@tongs/core/contract/groups/ActionsCaches"
import type { WorkflowJob } from "@tongs/core/contract/groups/WorkflowJobs"
import type { WorkflowRun } from "@tongs/core/contract/groups/WorkflowRuns"
import type { Workflow } from "@tongs/core/contract/groups/Workflows"
import { nodeId } from "../api/NodeId.ts"
import * as Shapes from "../api/Shapes.ts"
import { encodePath, type Urls } from "../api/Urls.ts"
import { parseTimestamp } from "../base/Time.ts"
import type { CheckPullRequestRow } from "../checks/CheckPullRequests.ts"
import * as CheckShapes from "../checks/CheckShapes.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { ActionsCacheRow } from "./ActionsCacheRows.ts"
import type { StepRow, WorkflowJobRow } from "./WorkflowJobRows.ts"
import type { WorkflowRow } from "./WorkflowRows.ts"
import type { WorkflowRunRow } from "./WorkflowRunRows.ts"

const time = (text: string | null) => (text === null ? null : parseTimestamp(text))

export const workflow = (row: WorkflowRow, served: ServedRepository, branch: string, urls: Urls): Workflow => {
  const page = `${urls.html}/${served.fullName}`
  return {
    id: row.id,
    node_id: nodeId("Workflow", row.id),
    name: row.name,
    path: row.path,
    state: row.state,
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.updated_at),
    url: `${Shapes.repositoryUrl(served, urls)}/actions/workflows/${row.id}`,
    html_url: `${page}/blob/${encodePath(branch)}/${encodePath(row.path)}`,
    badge_url: `${page}/actions/workflows/${encodeURIComponent(row.path.slice(row.path.lastIndexOf("/") + 1))}/badge.svg`,
    ...(row.state === "deleted" ? { deleted_at: parseTimestamp(row.updated_at) } : {})
  }
}

/** Creates a run with the state of an attempt. */
export const run = (
  row: WorkflowRunRow,
  pulls: ReadonlyArray<CheckPullRequestRow>,
  served: ServedRepository,
  urls: Urls
): WorkflowRun => {
  const repository = Shapes.repositoryUrl(served, urls)
  const url = `${repository}/actions/runs/${row.id}`
  const summary = Shapes.repositorySummary(served, urls)
  const { head_commit: commit } = row
  return {
    id: row.id,
    name: row.workflow_name,
    node_id: nodeId("WorkflowRun", row.id),
    head_branch: row.head_branch,
    head_sha: row.head_sha,
    path: row.workflow_path,
    display_title: row.display_title,
    run_number: row.run_number,
    run_attempt: row.attempt,
    event: row.event,
    status: row.status,
    conclusion: row.conclusion,
    workflow_id: row.workflow_id,
    check_suite_id: row.suite_id,
    check_suite_node_id: nodeId("CheckSuite", row.suite_id),
    url,
    html_url: `${urls.html}/${served.fullName}/actions/runs/${row.id}`,
    pull_requests: pulls.map((pull) => CheckShapes.pullRequest(pull, served, urls)),
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.updated_at),
    ...(row.actor === null ? {} : { actor: Shapes.userSummary(row.actor, urls) }),
    ...(row.triggering_actor === null ? {} : { triggering_actor: Shapes.userSummary(row.triggering_actor, urls) }),
    run_started_at: parseTimestamp(row.started_at),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${repository}/check-suites/${row.suite_id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: row.attempt > 1 ? `${url}/attempts/${row.attempt - 1}` : null,
    workflow_url: `${repository}/actions/workflows/${row.workflow_id}`,
    head_commit: { ...commit, id: row.head_sha, timestamp: parseTimestamp(commit.timestamp) },
    repository: summary,
    head_repository: summary
  }
}

const step = ({ completed_at, log_offset: _offset, started_at, ...row }: StepRow) => ({
  ...row,
  started_at: time(started_at),
  completed_at: time(completed_at)
})

export const job = (row: WorkflowJobRow, served: ServedRepository, urls: Urls): WorkflowJob => {
  const repository = Shapes.repositoryUrl(served, urls)
  return {
    id: row.id,
    run_id: row.run_id,
    workflow_name: row.workflow_name,
    head_branch: row.head_branch,
    run_url: `${repository}/actions/runs/${row.run_id}`,
    run_attempt: row.attempt,
    node_id: nodeId("CheckRun", row.id),
    head_sha: row.head_sha,
    url: `${repository}/actions/jobs/${row.id}`,
    html_url: `${urls.html}/${served.fullName}/actions/runs/${row.run_id}/job/${row.id}`,
    status: row.status,
    conclusion: row.conclusion,
    created_at: parseTimestamp(row.created_at),
    started_at: parseTimestamp(row.started_at ?? row.created_at),
    completed_at: time(row.completed_at),
    name: row.name,
    steps: row.steps.map(step),
    check_run_url: `${repository}/check-runs/${row.id}`,
    labels: row.labels,
    runner_id: null,
    runner_name: row.runner_name,
    runner_group_id: null,
    runner_group_name: null
  }
}

export const cache = (row: ActionsCacheRow): ActionsCache => ({
  id: row.id,
  ref: row.ref,
  key: row.key,
  version: row.version,
  last_accessed_at: parseTimestamp(row.last_accessed_at),
  created_at: parseTimestamp(row.created_at),
  size_in_bytes: row.size_in_bytes
})
