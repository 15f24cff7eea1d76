/**
 * Changes check runs and check suites. Each change runs in one transaction with the state of the suite and the
 * deliveries of webhooks.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewAnnotation } from "@tongs/core/contract/groups/CheckRuns"
import type { ValidationFailed } from "@tongs/core/contract/Failure"
import { type AppWithKey, InstallationRows } from "../access/InstallationRows.ts"
import * as ApiError from "../api/ApiError.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import { timestamp } from "../base/Time.ts"
import { AutoMergeQueue } from "../events/AutoMergeQueue.ts"
import { Events } from "../events/Events.ts"
import type { EventContext } from "../events/NewEvent.ts"
import type { Commit } from "../git/values/GitObject.ts"
import type { GitError } from "../git/values/GitError.ts"
import { requireRow } from "../storage/RowDecoder.ts"
import * as Transaction from "../storage/Transaction.ts"
import { MAX_RUN_ANNOTATIONS } from "./CheckRunContent.ts"
import { type CheckRunContent, type CheckRunRow, CheckRunRows } from "./CheckRunRows.ts"
import { CheckPullRequests } from "./CheckPullRequests.ts"
import * as CheckShapes from "./CheckShapes.ts"
import { type CheckSuiteRow, CheckSuiteRows } from "./CheckSuiteRows.ts"
import * as SuiteState from "./SuiteState.ts"

/** A commit of the repository and its id. */
export interface HeadCommit {
  readonly oid: string
  readonly commit: Commit
}

/** The branch of a suite, and its commits before and after a push. */
export interface SuiteOrigin {
  readonly branch: string | null
  readonly before: string | null
  readonly after: string | null
}

/** A check suite, and whether a change created it. */
export interface EnsuredSuite {
  readonly suite: CheckSuiteRow
  readonly isNew: boolean
}

/** Maximum names of the check runs of a suite. */
const MAX_NAMES = 1000

type Changed<A> = Effect.Effect<A, GitError | ValidationFailed>

export class Checks extends Context.Service<
  Checks,
  {
    /** Returns the suite of an app for a commit. Adds the suite if the app has none. */
    ensureSuite(at: EventContext, appId: number, head: HeadCommit): Effect.Effect<EnsuredSuite, GitError>
    /** Adds the suite of a push and asks the app to check the commit. Does nothing if the app has a suite already. */
    request(at: EventContext, appId: number, head: HeadCommit, origin: SuiteOrigin): Effect.Effect<void, GitError>
    createRun(
      at: EventContext,
      appId: number,
      head: HeadCommit,
      content: CheckRunContent,
      annotations: ReadonlyArray<NewAnnotation>
    ): Changed<CheckRunRow>
    /** Adds the check run of a workflow's job to a suite, without annotations. */
    createJobRun(
      at: EventContext,
      suite: CheckSuiteRow,
      content: CheckRunContent,
      workflow: { readonly id: number; readonly runId: number }
    ): Changed<CheckRunRow>
    /** Deletes the check runs of a workflow run. */
    removeOfWorkflowRun(suiteId: number, workflowRunId: number): Effect.Effect<void>
    updateRun(
      at: EventContext,
      run: CheckRunRow,
      content: CheckRunContent,
      annotations: ReadonlyArray<NewAnnotation>
    ): Changed<CheckRunRow>
    /** Asks the app to run a check again. The suite is queued, and the check run stays as it is. */
    rerequestRun(at: EventContext, run: CheckRunRow): Effect.Effect<void, GitError>
    rerequestSuite(at: EventContext, suite: CheckSuiteRow): Effect.Effect<void, GitError>
  }
>()("@tongs/service/checks/Checks") {
  static readonly layer = Layer.effect(
    Checks,
    Effect.gen(function* () {
      const suites = yield* CheckSuiteRows
      const runs = yield* CheckRunRows
      const pullRequests = yield* CheckPullRequests
      const installations = yield* InstallationRows
      const autoMerges = yield* AutoMergeQueue
      const events = yield* Events
      const publicUrl = yield* PublicUrl
      const transaction = yield* Transaction.make
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      const appOf = (id: number): Effect.Effect<AppWithKey> =>
        requireRow(Effect.map(installations.appsById([id]), (apps) => apps.get(id)))

      /** Returns the check suite of a payload, without the repository, which each payload has. */
      const suiteShape = Effect.fnUntraced(function* ({ repository }: EventContext, row: CheckSuiteRow) {
        const commit = yield* repository.git.commit(row.head_sha)
        const urls = yield* publicUrl.urls
        const pulls = (yield* pullRequests.of(repository.row.id, [row]))(row)
        const details = { app: yield* appOf(row.app_id), pulls }
        const { repository: _, ...shape } = CheckShapes.suite(row, details, commit, repository, urls)
        return shape
      })

      const announceSuite = Effect.fnUntraced(function* (at: EventContext, action: string, row: CheckSuiteRow) {
        const payload = { check_suite: yield* suiteShape(at, row) }
        yield* events.announce({ ...at, event: "check_suite", action, payload })
      })

      const announceRun = Effect.fnUntraced(function* (
        at: EventContext,
        action: string,
        row: CheckRunRow,
        suite: CheckSuiteRow
      ) {
        const pulls = (yield* pullRequests.of(at.repository.row.id, [row]))(row)
        const details = { app: yield* appOf(row.app_id), pulls }
        const shape = CheckShapes.run(row, details, at.repository, yield* publicUrl.urls)
        const { head_commit: _, ...ofSuite } = yield* suiteShape(at, suite)
        yield* events.announce({
          ...at,
          event: "check_run",
          action,
          payload: { check_run: { ...shape, check_suite: ofSuite } }
        })
      })

      /** Adds a suite. Undefined if the app has one for the commit. */
      const addSuite = Effect.fnUntraced(function* (
        { repository }: EventContext,
        appId: number,
        { oid }: HeadCommit,
        { after, before, branch }: SuiteOrigin
      ) {
        return yield* suites.add({
          repository_id: repository.row.id,
          app_id: appId,
          head_sha: oid,
          head_branch: branch,
          before_sha: before,
          after_sha: after,
          created_at: yield* now
        })
      })

      /** Returns the branch with a commit as its tip: the default branch, or the first one by name. */
      const branchOf = Effect.fnUntraced(function* ({ repository: { git } }: EventContext, oid: string) {
        const tips = (yield* git.refs("refs/heads/")).filter((ref) => ref.oid === oid)
        const names = tips.map(({ name }) => name.slice("refs/heads/".length))
        const head = yield* git.head
        return names.includes(head) ? head : (names[0] ?? null)
      })

      const ensureSuite = Effect.fnUntraced(function* (
        at: EventContext,
        appId: number,
        head: HeadCommit
      ): Effect.fn.Return<EnsuredSuite, GitError> {
        const find = suites.ofApp(at.repository.row.id, head.oid, appId)
        const found = yield* find
        if (found !== undefined) return { suite: found, isNew: false }
        const branch = yield* branchOf(at, head.oid)
        const added = yield* addSuite(at, appId, head, { branch, before: null, after: null })
        return added === undefined ? { suite: yield* requireRow(find), isNew: false } : { suite: added, isNew: true }
      })

      /** Sets the state of a suite by its check runs. */
      const settle = Effect.fnUntraced(function* (suiteId: number) {
        const state = SuiteState.of(yield* runs.states(suiteId))
        return yield* requireRow(suites.setState(suiteId, { ...state, updated_at: yield* now }))
      })

      /** Announces a written check run, and its suite if the check run was the last one to be completed. */
      const announceWritten = Effect.fnUntraced(function* (
        at: EventContext,
        actions: ReadonlyArray<string>,
        row: CheckRunRow
      ) {
        const suite = yield* settle(row.suite_id)
        for (const action of actions) yield* announceRun(at, action, row, suite)
        if (actions.includes("completed") && suite.status === "completed") yield* announceSuite(at, "completed", suite)
        yield* autoMerges.offer({ _tag: "Commit", repositoryId: row.repository_id, oid: row.head_sha })
      })

      const annotate = Effect.fnUntraced(function* (row: CheckRunRow, annotations: ReadonlyArray<NewAnnotation>) {
        if (row.annotations_count + annotations.length > MAX_RUN_ANNOTATIONS) {
          return yield* ApiError.invalid(`A check run can have at most ${MAX_RUN_ANNOTATIONS} annotations`)
        }
        yield* runs.annotate(
          row.id,
          annotations.map(({ end_column, raw_details, start_column, title, ...one }) => ({
            ...one,
            start_column: start_column ?? null,
            end_column: end_column ?? null,
            title: title ?? null,
            raw_details: raw_details ?? null
          }))
        )
        return { ...row, annotations_count: row.annotations_count + annotations.length }
      })

      const queue = Effect.fnUntraced(function* (suiteId: number) {
        return yield* requireRow(
          suites.setState(suiteId, { status: "queued", conclusion: null, updated_at: yield* now })
        )
      })

      /** Adds a check run and announces it. */
      const addRun = Effect.fnUntraced(function* (
        at: EventContext,
        suite: CheckSuiteRow,
        content: CheckRunContent,
        annotations: ReadonlyArray<NewAnnotation>,
        workflow?: { readonly id: number; readonly runId: number }
      ) {
        if ((yield* runs.names(suite.id)) >= MAX_NAMES) {
          return yield* ApiError.invalid(`A check suite can have check runs of at most ${MAX_NAMES} names`)
        }
        const added = yield* runs.add({
          ...content,
          repository_id: at.repository.row.id,
          suite_id: suite.id,
          app_id: suite.app_id,
          head_sha: suite.head_sha,
          created_at: yield* now,
          workflow_id: workflow?.id ?? null,
          workflow_run_id: workflow?.runId ?? null
        })
        const row = yield* annotate(added, annotations)
        yield* announceWritten(at, row.status === "completed" ? ["created", "completed"] : ["created"], row)
        return row
      })

      return Checks.of({
        ensureSuite: Effect.fn("Checks.ensureSuite")((at, appId, head) => transaction(ensureSuite(at, appId, head))),
        request: Effect.fn("Checks.request")((at, appId, head, origin) =>
          transaction(
            Effect.gen(function* () {
              const added = yield* addSuite(at, appId, head, origin)
              if (added !== undefined) yield* announceSuite(at, "requested", added)
            })
          )
        ),
        createRun: Effect.fn("Checks.createRun")((at, appId, head, content, annotations) =>
          transaction(
            Effect.gen(function* () {
              const { suite } = yield* ensureSuite(at, appId, head)
              return yield* addRun(at, suite, content, annotations)
            })
          )
        ),
        createJobRun: Effect.fn("Checks.createJobRun")((at, suite, content, workflow) =>
          transaction(addRun(at, suite, content, [], workflow))
        ),
        removeOfWorkflowRun: Effect.fn("Checks.removeOfWorkflowRun")((suiteId, workflowRunId) =>
          transaction(Effect.andThen(runs.removeOfWorkflowRun(workflowRunId), Effect.asVoid(settle(suiteId))))
        ),
        updateRun: Effect.fn("Checks.updateRun")((at, before, content, annotations) =>
          transaction(
            Effect.gen(function* () {
              const row = yield* annotate(yield* runs.set(before, content), annotations)
              const isDone = row.status === "completed" && before.status !== "completed"
              yield* announceWritten(at, isDone ? ["completed"] : [], row)
              return row
            })
          )
        ),
        rerequestRun: Effect.fn("Checks.rerequestRun")((at, row) =>
          transaction(
            Effect.gen(function* () {
              yield* announceRun(at, "rerequested", row, yield* queue(row.suite_id))
            })
          )
        ),
        rerequestSuite: Effect.fn("Checks.rerequestSuite")((at, suite) =>
          transaction(
            Effect.gen(function* () {
              yield* announceSuite(at, "rerequested", yield* queue(suite.id))
            })
          )
        )
      })
    })
  )
}
