/** The changes of an issue: columns, events and webhook actions of the differences. */
import type { UserRow } from "../accounts/UserRows.ts"
import type { EventContext } from "../events/NewEvent.ts"
import type { NewIssueEvent } from "./IssueEventRows.ts"
import type { IssueColumns, IssueRow, IssueTypeRow } from "./IssueRows.ts"
import type { LabelRow } from "./LabelRows.ts"
import type { MilestoneRow } from "./MilestoneRows.ts"

/** The members of an issue to change. Absent members stay. */
export interface IssueChange {
  readonly title?: string
  readonly body?: string | null
  readonly state?: "open" | "closed"
  /** Reason of a new state; `completed` or `reopened` by default. */
  readonly stateReason?: string | undefined
  /** Id of the issue that this one repeats. */
  readonly duplicateOfId?: number | undefined
  readonly milestone?: MilestoneRow | null
  readonly labels?: ReadonlyArray<LabelRow>
  readonly assignees?: ReadonlyArray<UserRow>
  readonly type?: IssueTypeRow | null
  /** The commit whose message closes the issue. */
  readonly commit?: NewIssueEvent["commit"]
}

/** A webhook's action with the members that only this action has. */
export interface IssueAction {
  readonly action: string
  /** The previous values. */
  readonly changes?: Readonly<Record<string, unknown>>
  readonly label?: LabelRow
  readonly assignee?: UserRow
  readonly type?: IssueTypeRow
  readonly milestone?: MilestoneRow
  /** Further members, for example the commits before and after a push. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** The state of an issue before a change. */
export type IssueBefore = Pick<
  IssueRow,
  | "id"
  | "repository_id"
  | "title"
  | "body"
  | "state"
  | "state_reason"
  | "closed_at"
  | "milestone"
  | "labels"
  | "assignees"
  | "type"
  | "is_pull_request"
>

interface Difference {
  readonly columns: Partial<IssueColumns>
  readonly events: ReadonlyArray<NewIssueEvent>
  readonly actions: ReadonlyArray<IssueAction>
}

const none: Difference = { columns: {}, events: [], actions: [] }

/** Returns the differences that a change makes, in the order in which GitHub lists them. */
export const changeOf = (at: EventContext, before: IssueBefore, change: IssueChange, now = ""): Difference => {
  const event = (name: string, more: Partial<NewIssueEvent> = {}): NewIssueEvent => ({
    issue: before,
    actorId: at.actor.id,
    event: name,
    ...more
  })
  const parts = [
    texts(before, change, event),
    state(at.actor, before, change, event, now),
    milestone(before, change, event),
    labels(before, change, event),
    assignees(at.actor, before, change, event),
    type(before, change, event)
  ]
  return {
    columns: Object.assign({}, ...parts.map((part) => part.columns)),
    events: parts.flatMap((part) => part.events),
    actions: parts.flatMap((part) => part.actions)
  }
}

type MakeEvent = (name: string, more?: Partial<NewIssueEvent>) => NewIssueEvent

const texts = (before: IssueBefore, { body, title }: IssueChange, event: MakeEvent): Difference => {
  const isRenamed = title !== undefined && title !== before.title
  const isEdited = body !== undefined && body !== before.body
  if (!isRenamed && !isEdited) return none
  const changes = {
    ...(isRenamed ? { title: { from: before.title } } : {}),
    ...(isEdited ? { body: { from: before.body ?? "" } } : {})
  }
  return {
    columns: { ...(isRenamed ? { title } : {}), ...(isEdited ? { body } : {}) },
    events: isRenamed ? [event("renamed", { data: { rename: { from: before.title, to: title } } })] : [],
    actions: [{ action: "edited", changes }]
  }
}

const state = (
  actor: UserRow,
  before: IssueBefore,
  { commit, duplicateOfId, state, stateReason }: IssueChange,
  event: MakeEvent,
  now: string
): Difference => {
  if (state === undefined) return none
  if (state === "open") {
    if (before.state === "open") return none
    const isPull = before.is_pull_request === 1
    const columns = {
      state,
      state_reason: isPull ? null : "reopened",
      closed_at: null,
      closed_by_id: null,
      duplicate_of_id: null
    }
    return { columns, events: [event("reopened")], actions: [{ action: "reopened" }] }
  }
  const reason = before.is_pull_request === 1 ? null : reasonOf(stateReason)
  // Closing a closed issue again only changes the reason.
  if (before.state === "closed" && (stateReason === undefined || reason === before.state_reason)) return none
  const columns = {
    state,
    state_reason: reason,
    closed_at: before.closed_at ?? now,
    closed_by_id: actor.id,
    duplicate_of_id: reason === "duplicate" ? (duplicateOfId ?? null) : null
  }
  const closed = event("closed", { data: { state_reason: reason }, ...(commit === undefined ? {} : { commit }) })
  const duplicate =
    columns.duplicate_of_id === null ? [] : [event("marked_as_duplicate", { otherIssueId: columns.duplicate_of_id })]
  return { columns, events: [closed, ...duplicate], actions: [{ action: "closed" }] }
}

const reasonOf = (reason: string | undefined) => (reason === undefined || reason === "reopened" ? "completed" : reason)

const milestone = (before: IssueBefore, { milestone }: IssueChange, event: MakeEvent): Difference => {
  const id = milestone?.id ?? null
  if (milestone === undefined || id === (before.milestone?.id ?? null)) return none
  const removed = before.milestone === null ? [] : [event("demilestoned", titled(before.milestone))]
  const added = milestone === null ? [] : [event("milestoned", titled(milestone))]
  const actions = [
    ...(before.milestone === null ? [] : [{ action: "demilestoned", milestone: before.milestone }]),
    ...(milestone === null ? [] : [{ action: "milestoned", milestone }])
  ]
  return { columns: { milestone_id: id }, events: [...removed, ...added], actions }
}

const titled = ({ title }: MilestoneRow) => ({ data: { milestone: { title } } })

const without = <A extends { readonly id: number }>(all: ReadonlyArray<A>, others: ReadonlyArray<A>) =>
  all.filter(({ id }) => !others.some((other) => other.id === id))

const labels = (before: IssueBefore, { labels }: IssueChange, event: MakeEvent): Difference => {
  if (labels === undefined) return none
  const of = (kind: "labeled" | "unlabeled", rows: ReadonlyArray<LabelRow>) => ({
    events: rows.map(({ color, name }) => event(kind, { data: { label: { name, color } } })),
    actions: rows.map((label): IssueAction => ({ action: kind, label }))
  })
  return joined(of("labeled", without(labels, before.labels)), of("unlabeled", without(before.labels, labels)))
}

const assignees = (actor: UserRow, before: IssueBefore, { assignees }: IssueChange, event: MakeEvent): Difference => {
  if (assignees === undefined) return none
  const of = (kind: "assigned" | "unassigned", users: ReadonlyArray<UserRow>) => ({
    events: users.map(({ id }) => event(kind, { assigneeId: id, data: { assigner_id: actor.id } })),
    actions: users.map((assignee): IssueAction => ({ action: kind, assignee }))
  })
  return joined(
    of("assigned", without(assignees, before.assignees)),
    of("unassigned", without(before.assignees, assignees))
  )
}

const joined = (...parts: ReadonlyArray<Pick<Difference, "events" | "actions">>): Difference => ({
  columns: {},
  events: parts.flatMap((part) => part.events),
  actions: parts.flatMap((part) => part.actions)
})

const type = (before: IssueBefore, { type }: IssueChange, event: MakeEvent): Difference => {
  if (type === undefined || type?.id === before.type?.id) return none
  const named = (one: IssueTypeRow | null) => (one === null ? null : { id: one.id, name: one.name, color: one.color })
  const shown = type ?? before.type
  const kind = type === null ? "removed" : before.type === null ? "added" : "changed"
  const data = {
    ...(type === null ? {} : { issue_type: named(type) }),
    ...(before.type === null ? {} : { prev_issue_type: named(before.type) })
  }
  return {
    columns: { type_id: type?.id ?? null },
    events: [event(`issue_type_${kind}`, { data })],
    actions: shown === null ? [] : [{ action: type === null ? "untyped" : "typed", type: shown }]
  }
}
