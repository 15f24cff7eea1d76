import * as Effect from "effect/Effect"
import { type IssueEvent, IssueEvents, type TimelineItem } from "@tongs/core/contract/groups/IssueEvents"
import type { IssueComment } from "@tongs/core/contract/groups/IssueComments"
import type { Issue } from "@tongs/core/contract/groups/Issue"
import * as ApiError from "../../api/ApiError.ts"
import { nodeId } from "../../api/NodeId.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { parseTimestamp } from "../../base/Time.ts"
import { IssueCommentRows } from "../../issues/IssueCommentRows.ts"
import { type IssueEventRow, IssueEventRows } from "../../issues/IssueEventRows.ts"
import { type IssueRow, IssueRows } from "../../issues/IssueRows.ts"
import * as IssueViews from "../../issues/IssueViews.ts"
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
  const comments = yield* IssueCommentRows
  const lists = yield* IssueLists.make
  const target = yield* IssueTarget.make
  const views = yield* IssueViews.make

  /** The other issues that events name, by id. */
  const others = Effect.fnUntraced(function* (events: ReadonlyArray<IssueEventRow>, context: RepositoryContext) {
    const ids = events.flatMap(({ other_issue_id }) => other_issue_id ?? [])
    const found = [...(yield* issues.byIds([...new Set(ids)])).values()]
    if (found.length === 0) return new Map<number, Issue>()
    const shown = yield* lists.across(found, context)
    return new Map(shown.map((issue) => [issue.id, issue]))
  })

  const event = (
    row: IssueEventRow,
    known: ReadonlyMap<number, Issue>,
    { repository, urls }: RepositoryContext
  ): IssueEvent => {
    const { actor, assignee, commit_id, commit_repository, data, id, other_issue_id } = row
    const { assigner_id: _, from: __, ...members } = data
    const other = other_issue_id === null ? undefined : known.get(other_issue_id)
    const member = related[row.event]
    const isAssignment = row.event === "assigned" || row.event === "unassigned"
    const acting = actor === null ? null : Shapes.userSummary(actor, urls)
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
      ...(isAssignment
        ? { assignee: assignee === null ? null : Shapes.userSummary(assignee, urls), assigner: acting }
        : {}),
      ...(member === undefined ? {} : { [member]: other === undefined ? null : summary(other) })
    }
  }

  const list = Effect.fnUntraced(function* (
    { items, total }: { readonly items: ReadonlyArray<IssueEventRow>; readonly total: number },
    context: RepositoryContext
  ) {
    const known = yield* others(items, context)
    return { items: items.map((row) => event(row, known, context)), total }
  })

  /** Events with their issues. */
  const withIssues = Effect.fnUntraced(function* (items: ReadonlyArray<IssueEventRow>, context: RepositoryContext) {
    const known = yield* others(items, context)
    const found = [...(yield* issues.byIds([...new Set(items.map(({ issue_id }) => issue_id))])).values()]
    const shown = yield* views.issues(found, context.repository, context)
    const byId = new Map(shown.map((issue) => [issue.id, issue]))
    return items.map((row) => ({ ...event(row, known, context), issue: byId.get(row.issue_id) ?? null }))
  })

  const comment = (one: IssueComment): TimelineItem => ({
    ...one,
    event: "commented",
    actor: one.user
  })

  const timeline = Effect.fnUntraced(function* (issue: IssueRow, context: RepositoryContext) {
    const { caller, page, repository, urls } = context
    const { items, total } = yield* rows.timeline(issue.id, caller, page)
    const idsOf = (kind: string) => items.filter((item) => item.kind === kind).map(({ id }) => id)
    const events = yield* rows.byIds(idsOf("event"))
    const known = yield* others([...events.values()], context)
    const said = yield* comments.byIds(idsOf("comment"))
    const shown = yield* views.comments([...said.values()], repository, context)
    const commentsById = new Map(shown.map((one) => [one.id, one]))
    return {
      items: items.flatMap(({ id, kind }): ReadonlyArray<TimelineItem> => {
        if (kind === "comment") {
          const one = commentsById.get(id)
          return one === undefined ? [] : [comment(one)]
        }
        const row = events.get(id)
        if (row === undefined) return []
        if (row.event !== "cross-referenced") return [event(row, known, context)]
        const source = row.other_issue_id === null ? undefined : known.get(row.other_issue_id)
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
      return yield* timeline(yield* target.find(issue_number, context), context)
    },

    *list({ issue_number }, context) {
      const issue = yield* target.find(issue_number, context)
      return yield* list(yield* rows.list(issue.id, context.caller, context.page), context)
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
