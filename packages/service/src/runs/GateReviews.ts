/** Reviews of deployments that wait for the protection rules of environments, and the jobs that go on or fail. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { Forbidden, NotFound, ValidationFailed } from "@tongs/core/contract/Failure"
import { TeamRows } from "../accounts/TeamRows.ts"
import type { UserRow } from "../accounts/UserRows.ts"
import * as ApiError from "../api/ApiError.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import * as Shapes from "../api/Shapes.ts"
import { timestamp } from "../base/Time.ts"
import * as SuiteState from "../checks/SuiteState.ts"
import * as DeploymentShapes from "../deployments/DeploymentShapes.ts"
import { type EnvironmentRow, EnvironmentRows } from "../deployments/EnvironmentRows.ts"
import { ProtectionRuleRows } from "../deployments/ProtectionRuleRows.ts"
import { Events } from "../events/Events.ts"
import type { EventContext } from "../events/NewEvent.ts"
import type { GitError } from "../git/values/GitError.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import * as Transaction from "../storage/Transaction.ts"
import { type GateReviewRow, type JobGateRow, JobGateRows, MAX_REVIEWS } from "./JobGateRows.ts"
import * as JobChanges from "./JobChanges.ts"
import * as JobGates from "./JobGates.ts"
import * as RunAnnouncements from "./RunAnnouncements.ts"
import { type WorkflowJobRow, WorkflowJobRows } from "./WorkflowJobRows.ts"
import { type WorkflowRunRow, WorkflowRunRows } from "./WorkflowRunRows.ts"

/** An environment that jobs of a run wait for. */
export interface PendingEnvironment {
  readonly environment: EnvironmentRow
  readonly gates: ReadonlyArray<JobGateRow>
  readonly canApprove: boolean
}

/** The decision of a reviewer or of an app. */
export interface Decision {
  readonly state: GateReviewRow["state"]
  readonly comment: string
}

/** Interval of the tests of due gates. Wait timers are in minutes. */
const SWEEP_INTERVAL = "30 seconds"

type Failures = Forbidden | NotFound | ValidationFailed | GitError

const invalid = (field: string, message: string) =>
  ApiError.invalid(`Validation Failed: ${message}`, [
    { resource: "PendingDeployment", field, code: "invalid", message }
  ])

export class GateReviews extends Context.Service<
  GateReviews,
  {
    /** Returns the environments that jobs of a run wait for, and whether the user may approve. */
    pending(run: WorkflowRunRow, user: UserRow | undefined): Effect.Effect<ReadonlyArray<PendingEnvironment>>
    /** Approves or rejects the waiting jobs of environments. The actor must be a reviewer. Returns the jobs. */
    review(
      at: EventContext,
      run: WorkflowRunRow,
      environmentIds: ReadonlyArray<number>,
      decision: Decision
    ): Effect.Effect<ReadonlyArray<WorkflowJobRow>, Failures>
    /** Records what the app of a custom rule decides about an environment. */
    decide(
      at: EventContext,
      run: WorkflowRunRow,
      appId: number,
      environmentName: string,
      decision: Decision
    ): Effect.Effect<void, Failures>
    /** Tests the waiting jobs of an environment after a change of its rules. */
    retest(at: EventContext, environmentId: number): Effect.Effect<void, GitError>
    /** Fails the waiting jobs of an environment. */
    failAll(at: EventContext, environment: EnvironmentRow): Effect.Effect<void, GitError>
  }
>()("@tongs/service/runs/GateReviews") {
  static readonly layer = Layer.effect(
    GateReviews,
    Effect.gen(function* () {
      const environments = yield* EnvironmentRows
      const rules = yield* ProtectionRuleRows
      const teams = yield* TeamRows
      const gates = yield* JobGateRows
      const jobs = yield* WorkflowJobRows
      const runs = yield* WorkflowRunRows
      const changes = yield* JobChanges.make
      const { pendingRules } = yield* JobGates.make
      const announce = yield* RunAnnouncements.make
      const events = yield* Events
      const publicUrl = yield* PublicUrl
      const registry = yield* RepositoryRegistry
      const transaction = yield* Transaction.make
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      /** Returns the waiting gates of a run with their environments. */
      const waiting = Effect.fnUntraced(function* (run: WorkflowRunRow) {
        const all = yield* gates.waitingOfRun(run.id)
        const found = yield* environments.byIds([...new Set(all.flatMap(({ environment_id: id }) => id ?? []))])
        return found.map((environment) => ({
          environment,
          gates: all.filter(({ environment_id: id }) => id === environment.id)
        }))
      })

      /** Returns the ids of the environments whose deployments by the run the user may review. */
      const reviewable = Effect.fnUntraced(function* (
        run: WorkflowRunRow,
        found: ReadonlyArray<EnvironmentRow>,
        user: UserRow | undefined
      ) {
        if (user === undefined || found.length === 0) return new Set<number>()
        const reviewers = yield* environments.reviewerIds(found.map(({ id }) => id))
        const own = reviewers.some(({ team_id: id }) => id !== null)
          ? yield* teams.ofMember(user.id)
          : new Set<number>()
        const isSelf = run.triggering_actor?.id === user.id
        return new Set(
          found.flatMap(({ id, prevent_self_review: preventsSelf }) =>
            (preventsSelf === 0 || !isSelf) &&
            reviewers.some(
              (one) =>
                one.environment_id === id && (one.user_id === user.id || (one.team_id !== null && own.has(one.team_id)))
            )
              ? [id]
              : []
          )
        )
      })

      /** Sets the state of a run by its jobs. */
      const settle = Effect.fnUntraced(function* (at: EventContext, before: WorkflowRunRow) {
        const state = SuiteState.of(yield* jobs.ofAttempt(before.id, before.latest_attempt))
        const { started_at } = before
        const row = yield* runs.setState(before, { ...state, started_at, updated_at: yield* now })
        if (row.status === "completed") yield* changes.close(at, row)
        yield* announce.state(at, before, row)
      })

      const jobsOf = (found: ReadonlyArray<JobGateRow>) =>
        Effect.map(
          Effect.forEach(found, ({ job_id, repository_id }) => jobs.find(repository_id, job_id)),
          (rows) => rows.flatMap((row) => row ?? [])
        )

      /** Opens the gates whose rules are fulfilled. The others are tested again when they are due. */
      const test = Effect.fnUntraced(function* (
        at: EventContext,
        run: WorkflowRunRow,
        environment: EnvironmentRow,
        found: ReadonlyArray<JobGateRow>
      ) {
        const approvals = yield* gates.approvals(found.map(({ job_id }) => job_id))
        for (const gate of found) {
          const own = approvals.filter(({ job_id }) => job_id === gate.job_id)
          const pending = yield* pendingRules(environment, gate.created_at, own)
          const isOpen = JobGates.isClear(pending)
          const due_at = isOpen ? null : JobGates.dueOf(gate, pending)
          yield* gates.setState(gate.job_id, { state: isOpen ? "open" : "waiting", due_at })
          if (isOpen) for (const job of yield* jobsOf([gate])) yield* changes.queue(at, run, job)
        }
      })

      const fail = Effect.fnUntraced(function* (
        at: EventContext,
        run: WorkflowRunRow,
        found: ReadonlyArray<JobGateRow>,
        message: string
      ) {
        for (const job of yield* jobsOf(found)) yield* changes.fail(at, run, job, message)
      })

      /** Announces the review of a person. */
      const announceReview = Effect.fnUntraced(function* (
        at: EventContext,
        run: WorkflowRunRow,
        found: ReadonlyArray<WorkflowJobRow>,
        environmentIds: ReadonlyArray<number>,
        { comment, state }: Decision
      ) {
        const urls = yield* publicUrl.urls
        const payload = {
          ...(yield* announce.review(at, run, found)),
          approver: Shapes.userSummary(at.actor, urls),
          comment,
          reviewers: DeploymentShapes.reviewers(yield* environments.reviewers(environmentIds), urls)
        }
        yield* events.announce({ ...at, event: "deployment_review", action: state, payload })
      })

      const addReview = Effect.fnUntraced(function* (
        at: EventContext,
        run: WorkflowRunRow,
        appId: number | null,
        found: ReadonlyArray<JobGateRow>,
        { comment, state }: Decision
      ) {
        if ((yield* gates.reviews(run.id)).length >= MAX_REVIEWS)
          return yield* invalid("comment", `a workflow run has at most ${MAX_REVIEWS} reviews`)
        yield* gates.addReview({
          run_id: run.id,
          kind: appId === null ? "review" : "rule",
          user_id: at.actor.id,
          app_id: appId,
          state,
          comment,
          created_at: yield* now,
          jobs: found.map(({ job_id }) => job_id)
        })
      })

      const review = Effect.fnUntraced(function* (
        at: EventContext,
        run: WorkflowRunRow,
        environmentIds: ReadonlyArray<number>,
        decision: Decision
      ) {
        const ids = new Set(environmentIds)
        const chosen = (yield* waiting(run)).filter(({ environment: { id } }) => ids.has(id))
        if (ids.size === 0 || chosen.length < ids.size)
          return yield* invalid("environment_ids", `workflow run ${run.id} does not wait for all of these environments`)
        const allowed = yield* reviewable(
          run,
          chosen.map(({ environment }) => environment),
          at.actor
        )
        const refused = chosen.find(({ environment: { id } }) => !allowed.has(id))
        if (refused !== undefined)
          return yield* ApiError.forbidden(`You may not review deployments to ${refused.environment.name} of this run.`)
        const found = chosen.flatMap((one) => one.gates)
        yield* addReview(at, run, null, found, decision)
        yield* announceReview(at, run, yield* jobsOf(found), [...ids], decision)
        if (decision.state === "rejected") yield* fail(at, run, found, `${at.actor.login} rejected the deployment.`)
        else for (const { environment, gates: own } of chosen) yield* test(at, run, environment, own)
        yield* settle(at, run)
        return yield* jobsOf(found)
      })

      const decide = Effect.fnUntraced(function* (
        at: EventContext,
        run: WorkflowRunRow,
        appId: number,
        environmentName: string,
        decision: Decision
      ) {
        const chosen = (yield* waiting(run)).find(
          ({ environment: { name } }) => name.toLowerCase() === environmentName.toLowerCase()
        )
        if (chosen === undefined)
          return yield* invalid("environment_name", `workflow run ${run.id} does not wait for this environment`)
        const isOwn = (yield* rules.list(chosen.environment.id)).some(({ app_id }) => app_id === appId)
        if (!isOwn) return yield* ApiError.forbidden("This app has no protection rule of the environment.")
        yield* addReview(at, run, appId, chosen.gates, decision)
        if (decision.state === "pending") return
        if (decision.state === "rejected")
          yield* fail(
            at,
            run,
            chosen.gates,
            decision.comment === "" ? "A protection rule rejected the deployment." : decision.comment
          )
        else yield* test(at, run, chosen.environment, chosen.gates)
        yield* settle(at, run)
      })

      /** Reads a run again in a transaction, because another change may have begun an attempt. */
      const current = (run: WorkflowRunRow) =>
        Effect.flatMap(runs.find(run.repository_id, run.id), (row) =>
          row === undefined ? Effect.fail(ApiError.notFound()) : Effect.succeed(row)
        )

      /** Applies a change to the waiting gates of each run. */
      const ofRuns = Effect.fnUntraced(function* <E>(
        at: EventContext,
        found: ReadonlyArray<JobGateRow>,
        apply: (run: WorkflowRunRow, own: ReadonlyArray<JobGateRow>) => Effect.Effect<void, E>
      ) {
        for (const [runId, own] of Map.groupBy(found, ({ run_id }) => run_id)) {
          const run = yield* runs.find(at.repository.row.id, runId)
          const latest = own.filter(({ attempt }) => attempt === run?.latest_attempt)
          if (run === undefined || latest.length === 0) continue
          yield* apply(run, latest)
          yield* settle(at, run)
        }
      })

      const testDue = Effect.fnUntraced(function* (at: EventContext, due: ReadonlyArray<JobGateRow>) {
        const moment = yield* now
        yield* ofRuns(at, due, (run, own) =>
          Effect.gen(function* () {
            const expired = own.filter((gate) => JobGates.expiryOf(gate) <= moment)
            yield* fail(at, run, expired, "Nobody approved the deployment within 30 days.")
            const rest = own.filter((gate) => !expired.includes(gate))
            for (const environment of yield* environments.byIds(rest.flatMap(({ environment_id: id }) => id ?? [])))
              yield* test(
                at,
                run,
                environment,
                rest.filter(({ environment_id: id }) => id === environment.id)
              )
          })
        )
      })

      /** Opens gates whose wait timers ended, and fails jobs that waited too long. */
      const sweep = Effect.gen(function* () {
        const allDue = Effect.flatMap(now, (moment) => gates.due(moment))
        const ids = new Set((yield* allDue).map(({ repository_id }) => repository_id))
        if (ids.size === 0) return
        for (const repository of yield* registry.open(yield* registry.byIds(ids))) {
          const { id, owner } = repository.row
          // Read again in the transaction, because another process may have tested the gates.
          const tested = Effect.flatMap(allDue, (due) =>
            testDue(
              { actor: owner, repository },
              due.filter(({ repository_id }) => repository_id === id)
            )
          )
          yield* transaction(tested)
        }
      }).pipe(Effect.catchCause((cause) => Effect.logWarning("waiting deployments could not be tested", cause)))
      yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(SWEEP_INTERVAL)))

      return GateReviews.of({
        pending: Effect.fn("GateReviews.pending")(function* (run, user) {
          const found = yield* waiting(run)
          const allowed = yield* reviewable(
            run,
            found.map(({ environment }) => environment),
            user
          )
          return found.map((one) => ({ ...one, canApprove: allowed.has(one.environment.id) }))
        }),
        review: Effect.fn("GateReviews.review")((at, run, ids, decision) =>
          transaction(Effect.flatMap(current(run), (row) => review(at, row, ids, decision)))
        ),
        decide: Effect.fn("GateReviews.decide")((at, run, appId, name, decision) =>
          transaction(Effect.flatMap(current(run), (row) => decide(at, row, appId, name, decision)))
        ),
        retest: Effect.fn("GateReviews.retest")(function* (at, environmentId) {
          const found = yield* gates.waitingOfEnvironment(environmentId)
          const [environment] = yield* environments.byIds([environmentId])
          if (environment !== undefined) yield* ofRuns(at, found, (run, own) => test(at, run, environment, own))
        }),
        failAll: Effect.fn("GateReviews.failAll")(function* (at, { id, name }) {
          const found = yield* gates.waitingOfEnvironment(id)
          yield* ofRuns(at, found, (run, own) => fail(at, run, own, `The environment ${name} was deleted.`))
        })
      })
    })
  )
}
