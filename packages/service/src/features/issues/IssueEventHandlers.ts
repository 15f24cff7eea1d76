import * as Effect from "effect/Effect"
import { type IssueEvent, IssueEvents, type TimelineItem } from "@tongs/core/contract/groups/IssueEvents"
import type { IssueComment } from "@tongs/core/contract/groups/IssueComments"
import type { Issue } from "@tongs/core/contract/groups/Issue"
import type { PullRequestReview } from "@tongs/core/contract/groups/Reviews"
import * as ApiError from "../../api/ApiError.ts"
import { nodeId } from "../../api/NodeId.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { parseTimestamp } from "../../base/Time.ts"
import { type IssueEventRow, IssueEventRows } from "../../issues/IssueEventRows.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import * as IssueViews from "../../issues/IssueViews.ts"
import { ReviewRows } from "../../reviews/ReviewRows.ts"
import * as ReviewViews from "../../reviews/ReviewViews.ts"
import * as IssueLists from "./IssueLists.ts"
import * as IssueTarget from "./IssueTarget.ts"

/** The member of an event that shows the other issue, by kind of event. */
const related: Readonly<Record<string, "sub_issue" | "parent_issue" | "blocked_by" | "blocking">> = {
  sub_issue_added: "sub_issue",
  sub_issue_removed: "sub_issue",
  parent_issue_added: "parent_issue",
  parent_issue_removed: "parent_issue",
  blocked_by_added: "blocked_by",
  blocked_by_removed: "blocked_by",
  blocking_added: "blocking",
  blocking_removed: "blocking"
}

const byId = <A extends { readonly id: number }>(items: ReadonlyArray<A>) =>
  new Map(items.map((item) => [item.id, item]))

/** The short form of an issue whose repository is known. */
const summary = ({ number, repository, state, state_reason = null, title, type = null }: Issue) =>
  repository === undefined
    ? null
    : {
        number,
        title,
        state,
        state_reason,
        repository,
        issue_type: type
      }

/** Handlers of events and timelines of issues. */
export const make = Effect.gen(function* () {
  const rows = yield* IssueEventRows
  const issues = yield* IssueRows
  const lists = yield* IssueLists.make
  const target = yield* IssueTarget.make
  const views = yield* IssueViews.make
  const reviewRows = yield* ReviewRows
  const reviewViews = yield* ReviewViews.make

  /** Creates the issues that events name, and those to which the events belong if `isWhole`, in one statement. */
  const issuesOf = Effect.fnUntraced(function* (
    events: ReadonlyArray<IssueEventRow>,
    context: RepositoryContext,
    isWhole: boolean
  ) {
    const named = new Set(events.flatMap(({ other_issue_id }) => other_issue_id ?? []))
    const own = new Set(isWhole ? events.map(({ issue_id }) => issue_id) : [])
    const found = yield* issues.byIds([...new Set([...named, ...own])])
    const rowsOf = (ids: ReadonlySet<number>) => [...ids].flatMap((id) => found.get(id) ?? [])
    const others = named.size === 0 ? [] : yield* lists.across(rowsOf(named), context)
    return { others: byId(others), own: byId(yield* views.issues(rowsOf(own), context.repository, context)) }
  })

  const event = (
    row: IssueEventRow,
    known: ReadonlyMap<number, Issue>,
    { repository, urls }: RepositoryContext
  ): IssueEvent => {
    const { actor, assignee, commit_id, commit_repository, data, id, other_issue_id, team } = row
    const { assigner_id: _, from: __, ...members } = data
    const other = other_issue_id === null ? undefined : known.get(other_issue_id)
    const member = related[row.event]
    const isAssignment = row.event === "assigned" || row.event === "unassigned"
    const isRequest = row.event === "review_requested" || row.event === "review_request_removed"
    const acting = actor === null ? null : Shapes.userSummary(actor, urls)
    const about = assignee === null ? null : Shapes.userSummary(assignee, urls)
    return {
      id,
      node_id: nodeId("IssueEvent", id),
      url: `${Shapes.repositoryUrl(repository, urls)}/issues/events/${id}`,
      actor: acting,
      event: row.event,
      commit_id,
      commit_url: commit_id === null ? null : `${urls.api}/repos/${commit_repository}/commits/${commit_id}`,
      created_at: parseTimestamp(row.created_at),
      performed_via_github_app: null,
      ...members,
      ...(isAssignment ? { assignee: about, assigner: acting } : {}),
      ...(isRequest ? { review_requester: acting, ...(about === null ? {} : { requested_reviewer: about }) } : {}),
      ...(team === null ? {} : { requested_team: Shapes.team(team, urls) }),
      ...(member === undefined ? {} : { [member]: other === undefined ? null : summary(other) })
    }
  }

  const list = Effect.fnUntraced(function* (
    { items, total }: { readonly items: ReadonlyArray<IssueEventRow>; readonly total: number },
    context: RepositoryContext
  ) {
    const { others } = yield* issuesOf(items, context, false)
    return { items: items.map((row) => event(row, others, context)), total }
  })

  /** Events with their issues. */
  const withIssues = Effect.fnUntraced(function* (items: ReadonlyArray<IssueEventRow>, context: RepositoryContext) {
    const { others, own } = yield* issuesOf(items, context, true)
    return items.map((row) => ({ ...event(row, others, context), issue: own.get(row.issue_id) ?? null }))
  })

  const comment = (one: IssueComment): TimelineItem => ({
    ...one,
    event: "commented",
    actor: one.user
  })

  const review = (one: PullRequestReview): TimelineItem => ({
    ...one,
    event: "reviewed",
    actor: one.user,
    state: one.state.toLowerCase()
  })

  const timeline = Effect.fnUntraced(function* (number: number, context: RepositoryContext) {
    const { caller, page, repository, urls } = context
    const { items, total } = yield* target.list(number, context, (issue) =>
      rows.timeline(issue, caller, page, (ids) => reviewRows.among(ids))
    )
    const events = items.flatMap((item) => (item.kind === "event" ? [item.row] : []))
    const said = items.flatMap((item) => (item.kind === "comment" ? [item.row] : []))
    const reviewed = items.flatMap((item) => (item.kind === "review" ? [item.row] : []))
    const { others } = yield* issuesOf(events, context, false)
    const reviews = byId(yield* reviewViews.reviews(reviewed, repository, context))
    const comments = byId(yield* views.comments(said, repository, context))
    return {
      items: items.flatMap((item): ReadonlyArray<TimelineItem> => {
        if (item.kind === "comment") {
          const one = comments.get(item.row.id)
          return one === undefined ? [] : [comment(one)]
        }
        if (item.kind === "review") {
          const one = reviews.get(item.row.id)
          return one === undefined ? [] : [review(one)]
        }
        const { row } = item
        if (row.event !== "cross-referenced") return [event(row, others, context)]
        const source = row.other_issue_id === null ? undefined : others.get(row.other_issue_id)
        const time = parseTimestamp(row.created_at)
        const actor = row.actor === null ? null : Shapes.userSummary(row.actor, urls)
        return source === undefined
          ? []
          : [{ event: row.event, actor, created_at: time, updated_at: time, source: { type: "issue", issue: source } }]
      }),
      total
    }
  })

  return group(IssueEvents)({
    *listTimeline({ issue_number }, context) {
      return yield* timeline(issue_number, context)
    },

    *list({ issue_number }, context) {
      const page = yield* target.list(issue_number, context, (issue) => rows.list(issue, context.caller, context.page))
      return yield* list(page, context)
    },

    *listForRepo(_, context) {
      const { items, total } = yield* rows.listForRepo(context.repository.row.id, context.caller, context.page)
      return { items: yield* withIssues(items, context), total }
    },

    *get({ event_id }, context) {
      const row = yield* rows.find(context.repository.row.id, event_id, context.caller)
      const [found] = row === undefined ? [] : yield* withIssues([row], context)
      return found ?? (yield* ApiError.notFound())
    }
  })
})
