/**
 * Changes issues. Each change runs in one transaction with the events of the issue, the deliveries of webhooks, and the
 * references in its texts.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { UserRow } from "../accounts/UserRows.ts"
import { timestamp } from "../base/Time.ts"
import type { EventContext } from "../events/NewEvent.ts"
import type { GitError } from "../git/values/GitError.ts"
import { Notifications } from "../notifications/Notifications.ts"
import * as Transaction from "../storage/Transaction.ts"
import * as AutoMerges from "./AutoMerges.ts"
import { CrossReferences } from "./CrossReferences.ts"
import * as IssueAnnouncements from "./IssueAnnouncements.ts"
import { IssueCommentRows } from "./IssueCommentRows.ts"
import { type IssueChange, changeOf } from "./IssueChange.ts"
import { IssueEventRows } from "./IssueEventRows.ts"
import { type IssueRow, IssueRows, type IssueTypeRow } from "./IssueRows.ts"
import { type LabelRow, LabelRows } from "./LabelRows.ts"
import { type MilestoneRow, MilestoneRows } from "./MilestoneRows.ts"
import { type NewPullRequestColumns, PullRequestRows } from "./PullRequestRows.ts"

/** The members of a new issue. */
export interface NewIssue {
  readonly title: string
  readonly body: string | null
  readonly labels?: ReadonlyArray<LabelRow>
  readonly assignees?: ReadonlyArray<UserRow>
  readonly milestone?: MilestoneRow | undefined
  readonly type?: IssueTypeRow | undefined
  /** What makes the issue a pull request. */
  readonly pull?: NewPullRequestColumns | undefined
}

type Changed = Effect.Effect<IssueRow, GitError>

export class Issues extends Context.Service<
  Issues,
  {
    create(at: EventContext, issue: NewIssue): Changed
    /** Applies a change. Members that stay equal have no event. */
    update(at: EventContext, issue: IssueRow, change: IssueChange): Changed
    lock(at: EventContext, issue: IssueRow, reason: string | null): Changed
    unlock(at: EventContext, issue: IssueRow): Changed
    pin(at: EventContext, issue: IssueRow): Changed
    unpin(at: EventContext, issue: IssueRow): Changed
    /**
     * Moves an issue with its conversation to another repository of the same owner, in which it has a new number. The
     * issue keeps the labels with names that the repository has, and the milestone if one has its title and date.
     */
    transfer(at: EventContext, issue: IssueRow, to: EventContext["repository"]): Changed
    remove(at: EventContext, issue: IssueRow): Effect.Effect<void, GitError>
  }
>()("@tongs/service/issues/Issues") {
  static readonly layer = Layer.effect(
    Issues,
    Effect.gen(function* () {
      const rows = yield* IssueRows
      const comments = yield* IssueCommentRows
      const events = yield* IssueEventRows
      const labels = yield* LabelRows
      const milestones = yield* MilestoneRows
      const pulls = yield* PullRequestRows
      const references = yield* CrossReferences
      const notifications = yield* Notifications
      const announcements = yield* IssueAnnouncements.make
      const autoMerges = yield* AutoMerges.make
      const transaction = yield* Transaction.make
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      /** Sets columns, and adds an event and an announcement with the name of the action. */
      const setWith = (
        columns: (at: string) => Parameters<IssueRows["Service"]["update"]>[1],
        event: string,
        data: Readonly<Record<string, unknown>> = {}
      ) =>
        Effect.fnUntraced(function* (at: EventContext, issue: IssueRow) {
          const time = yield* now
          yield* rows.update(issue.id, { ...columns(time), updated_at: time })
          yield* events.add([{ issue, actorId: at.actor.id, event, data }], time)
          return yield* announcements.changed(at, issue.id, [{ action: event }])
        })

      /** Finds the milestone of a repository with the title and the date of another repository's milestone. */
      const sameMilestone = Effect.fnUntraced(function* (id: number | null, repositoryId: number) {
        const former = id === null ? undefined : (yield* milestones.byIds([id])).get(id)
        if (former === undefined) return null
        const found = yield* milestones.byTitle(repositoryId, former.title)
        return found?.due_on === former.due_on ? found.id : null
      })

      return Issues.of({
        create: Effect.fn("Issues.create")((at, { assignees = [], labels = [], milestone, pull, type, ...texts }) =>
          transaction(
            Effect.gen(function* () {
              const time = yield* now
              const id = yield* rows.add({
                ...texts,
                is_pull_request: pull === undefined ? 0 : 1,
                repository_id: at.repository.row.id,
                author_id: at.actor.id,
                milestone_id: milestone?.id ?? null,
                type_id: type?.id ?? null,
                created_at: time,
                updated_at: time
              })
              if (pull !== undefined) yield* pulls.add(id, pull)
              if (labels.length > 0) yield* rows.setLabels(id, idsOf(labels))
              if (assignees.length > 0) yield* rows.setAssignees(id, idsOf(assignees))
              const change = changeOf(
                at,
                { id, repository_id: at.repository.row.id, ...blank },
                {
                  labels,
                  assignees,
                  milestone: milestone ?? null,
                  type: type ?? null
                }
              )
              yield* events.add(change.events, time)
              const source = { issue: { id, repository_id: at.repository.row.id } }
              const mentions = yield* references.record(at, source, texts.body, null, time)
              yield* notifications.notify({
                issue: source.issue,
                actorId: at.actor.id,
                at: time,
                addressed: { author: [at.actor.id], assign: idsOf(assignees), ...mentions }
              })
              return yield* announcements.changed(at, id, [{ action: "opened" }, ...change.actions])
            })
          )
        ),

        update: Effect.fn("Issues.update")((at, issue, change) =>
          transaction(
            Effect.gen(function* () {
              const time = yield* now
              const { actions, columns, events: added } = changeOf(at, issue, change, time)
              if (added.length === 0 && actions.length === 0) return issue
              yield* rows.update(issue.id, { ...columns, updated_at: time })
              if (change.labels !== undefined) yield* rows.setLabels(issue.id, idsOf(change.labels))
              if (change.assignees !== undefined) yield* rows.setAssignees(issue.id, idsOf(change.assignees))
              yield* events.add(added, time)
              const { body } = change
              const mentions = body === undefined ? {} : yield* references.record(at, { issue }, body, issue.body, time)
              const assigned = added.flatMap(({ assigneeId, event }) =>
                event === "assigned" && assigneeId !== undefined ? [assigneeId] : []
              )
              const isStateChange = columns.state !== undefined && columns.state !== issue.state
              yield* notifications.notify({
                issue,
                actorId: at.actor.id,
                at: time,
                addressed: {
                  ...(isStateChange ? { state_change: [at.actor.id] } : {}),
                  assign: assigned,
                  ...mentions
                },
                onlyAddressed: !isStateChange
              })
              if (issue.is_pull_request === 1 && isStateChange && columns.state === "closed")
                yield* autoMerges.disable(at, issue.id, "Pull request was closed")
              return yield* announcements.changed(at, issue.id, actions)
            })
          )
        ),

        lock: (at, issue, reason) =>
          transaction(
            setWith(() => ({ locked: 1, active_lock_reason: reason }), "locked", { lock_reason: reason })(at, issue)
          ),
        unlock: (at, issue) =>
          issue.locked === 0
            ? Effect.succeed(issue)
            : transaction(setWith(() => ({ locked: 0, active_lock_reason: null }), "unlocked")(at, issue)),
        pin: (at, issue) =>
          issue.pinned_at !== null
            ? Effect.succeed(issue)
            : transaction(setWith((time) => ({ pinned_at: time }), "pinned")(at, issue)),
        unpin: (at, issue) =>
          issue.pinned_at === null
            ? Effect.succeed(issue)
            : transaction(setWith(() => ({ pinned_at: null }), "unpinned")(at, issue)),

        transfer: Effect.fn("Issues.transfer")((at, issue, to) =>
          transaction(
            Effect.gen(function* () {
              const time = yield* now
              const names = issue.labels.map(({ name }) => name)
              const kept = yield* labels.byNames(to.row.id, names)
              const before = yield* announcements.shape(at, issue)
              const number = yield* rows.nextNumber(to.row.id)
              yield* rows.addTransferred(issue.repository_id, issue.number, issue.id)
              yield* rows.update(issue.id, {
                repository_id: to.row.id,
                number,
                milestone_id: yield* sameMilestone(issue.milestone_id, to.row.id),
                pinned_at: null,
                updated_at: time
              })
              yield* rows.setLabels(issue.id, idsOf(kept))
              yield* comments.move(issue.id, to.row.id)
              yield* events.move(issue.id, to.row.id)
              yield* notifications.move(issue.id, to.row.id)
              yield* events.add(
                [
                  {
                    issue: { id: issue.id, repository_id: to.row.id },
                    actorId: at.actor.id,
                    event: "transferred",
                    data: { from: `${at.repository.fullName}#${issue.number}` }
                  }
                ],
                time
              )
              const next = { ...at, repository: to }
              const moved = yield* announcements.changed(next, issue.id, [])
              yield* announcements.transferred(at, before, next, moved)
              return yield* announcements.changed(next, issue.id, [{ action: "opened" }])
            })
          )
        ),

        remove: Effect.fn("Issues.remove")((at, issue) =>
          transaction(
            Effect.gen(function* () {
              yield* announcements.changed(at, issue.id, [{ action: "deleted" }])
              yield* rows.remove(issue.id)
            })
          )
        )
      })
    })
  )
}

const idsOf = (rows: ReadonlyArray<{ readonly id: number }>) => rows.map(({ id }) => id)

/** The state of an issue before its creation. */
const blank = {
  title: "",
  body: null,
  state: "open",
  state_reason: null,
  closed_at: null,
  milestone: null,
  labels: [],
  assignees: [],
  type: null,
  is_pull_request: 0
} as const // empty lists of any type
