/**
 * Gates of jobs that deploy to an environment: the branch policies, which refuse a job, and the rules for which it waits.
 * The deployment of a job has the state of the job.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Glob from "@tongs/core/text/Glob"
import * as ApiError from "../api/ApiError.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import * as Shapes from "../api/Shapes.ts"
import { timestamp } from "../base/Time.ts"
import { BranchPolicyRows } from "../deployments/BranchPolicyRows.ts"
import * as DeploymentChanges from "../deployments/DeploymentChanges.ts"
import { DeploymentRows } from "../deployments/DeploymentRows.ts"
import * as DeploymentShapes from "../deployments/DeploymentShapes.ts"
import { type DeploymentStatusRow, DeploymentStatusRows, MAX_STATUSES } from "../deployments/DeploymentStatusRows.ts"
import * as EnvironmentLimits from "../deployments/EnvironmentLimits.ts"
import { type EnvironmentRow, EnvironmentRows } from "../deployments/EnvironmentRows.ts"
import { ProtectionRuleRows } from "../deployments/ProtectionRuleRows.ts"
import { Events } from "../events/Events.ts"
import type { EventContext } from "../events/NewEvent.ts"
import * as RefName from "../git/values/RefName.ts"
import { Enforcement } from "../rules/Enforcement.ts"
import { type ApprovalRow, type JobGateRow, JobGateRows } from "./JobGateRows.ts"
import * as RunAnnouncements from "./RunAnnouncements.ts"
import type { WorkflowJobRow } from "./WorkflowJobRows.ts"
import type { WorkflowRunRow } from "./WorkflowRunRows.ts"

/** The rules of an environment that a job still waits for. */
export interface PendingRules {
  readonly needsReview: boolean
  /** Ids of the apps of custom rules that have not approved. */
  readonly apps: ReadonlyArray<number>
  /** End of the wait timer. */
  readonly waitsUntil: string | undefined
}

/** What the environment of a new job lets it do. */
export type Admission =
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "waiting" | "open"; readonly environment: EnvironmentRow; readonly pending: PendingRules }

/** All branch policies of an environment, of which it has at most 500. */
const allPolicies = { page: 1, perPage: 500, offset: 0 }

/** A waiting job fails after 30 days. */
const MAX_WAIT = 30 * 24 * 3_600_000

const MINUTE = 60_000

const PRODUCTION = "production"

/** The state of a deployment by that of its job. */
const stateOf = ({ conclusion, status }: WorkflowJobRow): DeploymentStatusRow["state"] => {
  if (status === "waiting") return "pending"
  if (status !== "completed") return status === "in_progress" ? "in_progress" : "queued"
  switch (conclusion) {
    case "success":
    case "neutral":
      return "success"
    case "skipped":
      return "inactive"
    case "cancelled":
      return "error"
    default:
      return "failure"
  }
}

/** True if no rule of the environment is pending. */
export const isClear = ({ apps, needsReview, waitsUntil }: PendingRules): boolean =>
  !needsReview && apps.length === 0 && waitsUntil === undefined

/** When a gate fails if nobody reviews it. */
export const expiryOf = ({ created_at }: Pick<JobGateRow, "created_at">): string =>
  timestamp(Date.parse(created_at) + MAX_WAIT)

/** When a waiting gate is tested again. */
export const dueOf = (gate: Pick<JobGateRow, "created_at">, { waitsUntil }: PendingRules): string =>
  waitsUntil ?? expiryOf(gate)

export const make = Effect.gen(function* () {
  const environments = yield* EnvironmentRows
  const policies = yield* BranchPolicyRows
  const rules = yield* ProtectionRuleRows
  const deployments = yield* DeploymentRows
  const statuses = yield* DeploymentStatusRows
  const changes = yield* DeploymentChanges.make
  const enforcement = yield* Enforcement
  const gates = yield* JobGateRows
  const events = yield* Events
  const publicUrl = yield* PublicUrl
  const announce = yield* RunAnnouncements.make

  /** True if the branch policies of the environment let the run deploy. The branch must contain the commit. */
  const admits = Effect.fnUntraced(function* (
    { repository }: EventContext,
    { head_branch: name, head_sha: sha }: WorkflowRunRow,
    { branch_policy: policy, id }: EnvironmentRow
  ) {
    if (policy === null) return true
    if (name === null) return false
    const { git } = repository
    const branch = yield* git.ref(RefName.branch(name))
    const tag = branch === undefined ? yield* git.ref(`refs/tags/${name}`) : undefined
    const tip = branch ?? tag
    const commit = tip === undefined ? undefined : yield* git.resolve(tip.oid)
    if (tip === undefined || commit === undefined || !(yield* git.isAncestor(sha, commit))) return false
    if (policy === "protected")
      return branch !== undefined && (yield* enforcement.protectedBranches(repository, [branch.name])).size > 0
    const { items } = yield* policies.list(id, allPolicies)
    const kind = branch === undefined ? "tag" : "branch"
    return Glob.compileAny(
      items.filter(({ type }) => type === kind).map((one) => one.name),
      Glob.fnmatch
    )(name)
  })

  const pendingRules = Effect.fnUntraced(function* (
    environment: EnvironmentRow,
    createdAt: string,
    approvals: ReadonlyArray<Omit<ApprovalRow, "job_id">>
  ) {
    const end = Date.parse(createdAt) + environment.wait_timer * MINUTE
    const approved = new Set(approvals.flatMap(({ app_id, kind }) => (kind === "rule" ? (app_id ?? []) : [])))
    const reviewed = approvals.some(({ kind }) => kind === "review")
    const isPending = environment.wait_timer > 0 && end > (yield* Clock.currentTimeMillis)
    return {
      needsReview: !reviewed && (yield* environments.reviewerIds([environment.id])).length > 0,
      apps: (yield* rules.list(environment.id)).map(({ app_id }) => app_id).filter((id) => !approved.has(id)),
      waitsUntil: isPending ? timestamp(end) : undefined
    } satisfies PendingRules
  })

  /** Announces that a gate waits, to the reviewers and to the apps of custom rules. */
  const announceWaiting = Effect.fnUntraced(function* (
    at: EventContext,
    run: WorkflowRunRow,
    job: WorkflowJobRow,
    environment: EnvironmentRow,
    pending: PendingRules
  ) {
    const urls = yield* publicUrl.urls
    if (pending.needsReview) {
      const reviewers = yield* environments.reviewers([environment.id])
      const { workflow_job_runs: _, ...review } = yield* announce.review(at, run, [job])
      const payload = {
        ...review,
        environment: environment.name,
        reviewers: DeploymentShapes.reviewers(reviewers, urls),
        requestor: run.triggering_actor === null ? null : Shapes.userSummary(run.triggering_actor, urls)
      }
      yield* events.announce({ ...at, event: "deployment_review", action: "requested", payload })
    }
    if (pending.apps.length === 0) return
    const deployment = yield* announce.deployment(at, job)
    const { pull_requests } = yield* announce.runShape(at, run)
    const payload = {
      environment: environment.name,
      event: run.event,
      sha: run.head_sha,
      ref: run.head_branch ?? run.head_sha,
      deployment_callback_url: `${Shapes.repositoryUrl(at.repository, urls)}/actions/runs/${run.id}/deployment_protection_rule`,
      deployment,
      pull_requests
    }
    for (const appId of pending.apps)
      yield* events.announce({ ...at, event: "deployment_protection_rule", action: "requested", payload, appId })
  })

  const setStatus = Effect.fnUntraced(function* (at: EventContext, run: WorkflowRunRow, job: WorkflowJobRow) {
    const row = job.deployment_id === null ? undefined : yield* deployments.find(job.repository_id, job.deployment_id)
    if (row === undefined || (yield* statuses.count(row.id)) >= MAX_STATUSES) return
    const { html_url } = yield* announce.jobShape(at, job)
    const content = {
      state: stateOf(job),
      description: "",
      environment: row.environment,
      log_url: html_url ?? "",
      environment_url: ""
    }
    yield* changes.setStatus(at, row, content, {
      appId: run.app_id,
      deactivates: true,
      origin: yield* announce.origin(at, run)
    })
  })

  return {
    pendingRules,

    /** Tests the environment of a new job, and creates a missing one. */
    admit: Effect.fnUntraced(function* (at: EventContext, run: WorkflowRunRow, name: string) {
      const { id } = at.repository.row
      if ((yield* environments.find(id, name)) === undefined) {
        const problem =
          EnvironmentLimits.nameProblem(name) ?? EnvironmentLimits.countProblem(yield* environments.count(id))
        if (problem !== undefined) return yield* problem
      }
      const environment = yield* environments.ensure(id, name)
      if (!(yield* admits(at, run, environment))) {
        const [kind, branch] = run.head_branch === null ? ["Commit", run.head_sha] : ["Branch", run.head_branch]
        const message = `${kind} "${branch}" is not allowed to deploy to ${environment.name} due to environment protection rules.`
        return { kind: "refused", message } satisfies Admission
      }
      const pending = yield* pendingRules(environment, timestamp(yield* Clock.currentTimeMillis), [])
      const kind: "open" | "waiting" = isClear(pending) ? "open" : "waiting"
      return { kind, environment, pending } satisfies Admission
    }),

    /** Adds the gate and the deployment of an admitted job. */
    add: Effect.fnUntraced(function* (
      at: EventContext,
      run: WorkflowRunRow,
      jobId: number,
      { environment, kind, pending }: Exclude<Admission, { readonly kind: "refused" }>
    ) {
      const created_at = timestamp(yield* Clock.currentTimeMillis)
      const deployment = yield* changes.create(
        at,
        {
          sha: run.head_sha,
          ref: run.head_branch ?? run.head_sha,
          task: "deploy",
          payload: "",
          environment: environment.name,
          description: null,
          transient: 0,
          production: environment.name.toLowerCase() === PRODUCTION ? 1 : 0,
          app_id: run.app_id
        },
        { creatorId: run.triggering_actor?.id ?? at.actor.id, origin: yield* announce.origin(at, run) }
      )
      yield* gates.add({
        job_id: jobId,
        repository_id: run.repository_id,
        run_id: run.id,
        attempt: run.latest_attempt,
        environment_id: environment.id,
        environment: environment.name,
        deployment_id: deployment.id,
        state: kind,
        due_at: kind === "open" ? null : dueOf({ created_at }, pending),
        created_at
      })
    }),

    /** Gives the deployment of a changed job the state of the job, and closes the gate of a completed one. */
    follow: Effect.fnUntraced(function* (
      at: EventContext,
      run: WorkflowRunRow,
      before: WorkflowJobRow | undefined,
      job: WorkflowJobRow
    ) {
      if (job.gate === null || job.status === before?.status) return
      if (job.status === "completed") yield* gates.setState(job.id, { state: "closed", due_at: null })
      yield* setStatus(at, run, job)
    }),

    announceWaiting
  }
})

/** The error for a report that a job goes on although it waits. */
export const stillWaits = ({ name }: { readonly name: string }, environment: string) =>
  ApiError.conflict(`Job ${JSON.stringify(name)} waits for the environment ${environment}.`)
