/** Records the public events of issues and queues the deliveries of webhooks. */
import * as Effect from "effect/Effect"
import type { Issue } from "@tongs/core/contract/groups/Issue"
import type { UserRow } from "../accounts/UserRows.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import * as Shapes from "../api/Shapes.ts"
import { Events } from "../events/Events.ts"
import type { EventContext } from "../events/NewEvent.ts"
import * as WebhookPayloads from "../events/WebhookPayloads.ts"
import { type ServedRepository, RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { requireRow } from "../storage/RowDecoder.ts"
import { AuthorAssociations } from "./AuthorAssociation.ts"
import type { IssueAction } from "./IssueChange.ts"
import type { IssueCommentRow } from "./IssueCommentRows.ts"
import { type IssueRow, IssueRows } from "./IssueRows.ts"
import * as IssueShapes from "./IssueShapes.ts"
import type { LabelRow } from "./LabelRows.ts"
import { PullRequestRows } from "./PullRequestRows.ts"
import * as PullRequestShapes from "./PullRequestShapes.ts"

/** Actions that lists of events show. Webhooks receive the others, too. */
const listed: ReadonlySet<string> = new Set(["opened", "closed", "reopened"])

/** Relations in webhooks: the event, and for both issues the name of the member and of the action. */
const relations = {
  subIssue: { event: "sub_issues", ends: ["parent_issue", "sub_issue"], actions: ["sub_issue", "parent_issue"] },
  blocker: {
    event: "issue_dependencies",
    ends: ["blocked_issue", "blocking_issue"],
    actions: ["blocked_by", "blocking"]
  }
} as const // pairs of names

/** An issue of a relation. */
interface End {
  readonly name: string
  readonly row: IssueRow
  readonly repository: ServedRepository
}

export const make = Effect.gen(function* () {
  const rows = yield* IssueRows
  const pulls = yield* PullRequestRows
  const events = yield* Events
  const publicUrl = yield* PublicUrl
  const registry = yield* RepositoryRegistry
  const { association } = yield* AuthorAssociations

  /** Creates the issue of a payload, without what only some readers may see. */
  const shape = Effect.fnUntraced(function* ({ repository }: EventContext, row: IssueRow) {
    const details = {
      fullName: repository.fullName,
      association: yield* association(repository, row.author, row.standing),
      isReadable: () => false,
      body: { body: row.body }
    }
    return IssueShapes.issue(row, details, yield* publicUrl.urls)
  })

  /** Shows the rows in an action as resources. */
  const members = Effect.fnUntraced(function* (
    { repository }: EventContext,
    { assignee, changes, label, milestone, more, type }: IssueAction
  ) {
    const urls = yield* publicUrl.urls
    return {
      ...(changes === undefined ? {} : { changes }),
      ...more,
      ...(assignee === undefined ? {} : { assignee: Shapes.userSummary(assignee, urls) }),
      ...(label === undefined ? {} : { label: IssueShapes.label(label, repository.fullName, urls) }),
      ...(milestone === undefined ? {} : { milestone: IssueShapes.milestone(milestone, repository.fullName, urls) }),
      ...(type === undefined ? {} : { type: IssueShapes.issueType(type) })
    }
  })

  /** Reads the pull request of a payload, as everyone may see it. */
  const pullOf = Effect.fnUntraced(function* ({ repository }: EventContext, row: IssueRow) {
    const urls = yield* publicUrl.urls
    const pull = yield* requireRow(Effect.map(pulls.byIssues([row.id]), (found) => found.get(row.id)))
    const { head_repository_id: id } = pull
    const [head] =
      id === repository.row.id ? [repository] : yield* registry.open(yield* registry.byIds(id === null ? [] : [id]))
    const details = {
      fullName: repository.fullName,
      owner: repository.row.owner,
      association: yield* association(repository, row.author, row.standing),
      body: { body: row.body },
      base: yield* WebhookPayloads.repository(repository, urls),
      head: head === undefined ? null : yield* WebhookPayloads.repository(head, urls)
    }
    return { pull, details, urls }
  })

  const pullShape = (at: EventContext, row: IssueRow) =>
    Effect.map(pullOf(at, row), ({ details, pull, urls }) => PullRequestShapes.pullRequest(row, pull, details, urls))

  /** Creates the pull request of a list, as everyone may see it. */
  const pullSummary = (at: EventContext, row: IssueRow) =>
    Effect.map(pullOf(at, row), ({ details, pull, urls }) => PullRequestShapes.summary(row, pull, details, urls))

  /** What the actions on an issue, or on a pull request, are called, and the resource in their payloads. */
  const subject = Effect.fnUntraced(function* (at: EventContext, row: IssueRow) {
    return row.is_pull_request === 1
      ? {
          type: "PullRequestEvent",
          event: "pull_request",
          resource: { number: row.number, pull_request: yield* pullShape(at, row) }
        }
      : { type: "IssuesEvent", event: "issues", resource: { issue: yield* shape(at, row) } }
  })

  const announceOne = Effect.fnUntraced(function* (
    at: EventContext,
    { event, resource, type }: Effect.Success<ReturnType<typeof subject>>,
    action: IssueAction
  ) {
    const { action: name } = action
    const payload = { action: name, ...resource, ...(yield* members(at, action)) }
    yield* listed.has(name)
      ? events.record({ ...at, type, payload })
      : events.announce({ ...at, event, action: name, payload })
  })

  /** Creates the payload for the webhooks of one issue. The other one is left out if only its readers may see it. */
  const relationPayload = Effect.fnUntraced(function* (actor: UserRow, own: End, other: End) {
    const isVisible = other.repository.row.id === own.repository.row.id || other.repository.row.private === 0
    const issue = ({ repository, row }: End) => shape({ actor, repository }, row)
    return {
      [`${own.name}_id`]: own.row.id,
      [own.name]: yield* issue(own),
      ...(isVisible
        ? {
            [`${other.name}_id`]: other.row.id,
            [other.name]: yield* issue(other),
            [`${other.name}_repo`]: yield* WebhookPayloads.repository(other.repository, yield* publicUrl.urls)
          }
        : {})
    }
  })

  return {
    shape,
    pullSummary,

    /** Announces a relation that was added or removed, to the webhooks of both issues. */
    related: Effect.fnUntraced(function* (
      actor: UserRow,
      kind: keyof typeof relations,
      change: "added" | "removed",
      ids: readonly [number, number]
    ) {
      const { actions, ends, event } = relations[kind]
      const found = yield* rows.byIds(ids)
      const end = Effect.fnUntraced(function* (index: 0 | 1) {
        const row = found.get(ids[index])
        const [repository] = yield* registry.open(row === undefined ? [] : yield* registry.byIds([row.repository_id]))
        return row === undefined || repository === undefined ? undefined : { name: ends[index], row, repository }
      })
      const first = yield* end(0)
      const second = yield* end(1)
      if (first === undefined || second === undefined) return // without git data
      const pairs = [
        [first, second, actions[0]],
        [second, first, actions[1]]
      ] as const // tuples
      for (const [own, other, name] of pairs) {
        const action = `${name}_${change}`
        const payload = { action, ...(yield* relationPayload(actor, own, other)) }
        yield* events.announce({ actor, repository: own.repository, event, action, payload })
      }
    }),

    /** Announces an action on a label. */
    label: Effect.fnUntraced(function* (at: EventContext, row: LabelRow, action: string, more: object = {}) {
      const label = IssueShapes.label(row, at.repository.fullName, yield* publicUrl.urls)
      yield* events.announce({ ...at, event: "label", action, payload: { label, ...more } })
    }),

    /** Announces actions on an issue, and returns the issue as it is now. */
    changed: Effect.fnUntraced(function* (at: EventContext, id: number, actions: ReadonlyArray<IssueAction>) {
      const row = yield* requireRow(Effect.map(rows.byIds([id]), (found) => found.get(id)))
      if (actions.length === 0) return row
      const about = yield* subject(at, row)
      for (const action of actions) yield* announceOne(at, about, action)
      return row
    }),

    /** Announces the transfer of an issue. The new issue is left out if only readers of its repository may see it. */
    transferred: Effect.fnUntraced(function* (at: EventContext, issue: Issue, to: EventContext, row: IssueRow) {
      const changes =
        to.repository.row.private === 1
          ? {}
          : {
              new_issue: yield* shape(to, row),
              new_repository: yield* WebhookPayloads.repository(to.repository, yield* publicUrl.urls)
            }
      const about = { type: "IssuesEvent", event: "issues", resource: { issue } }
      yield* announceOne(at, about, { action: "transferred", changes })
    }),

    /** Announces an action on a comment. */
    commented: Effect.fnUntraced(function* (
      at: EventContext,
      issue: IssueRow,
      comment: IssueCommentRow,
      action: string,
      more: Readonly<Record<string, unknown>> = {}
    ) {
      const details = {
        fullName: at.repository.fullName,
        association: yield* association(at.repository, comment.author, comment.standing),
        body: { body: comment.body }
      }
      const shown = IssueShapes.comment(comment, details, yield* publicUrl.urls)
      const payload = { action, issue: yield* shape(at, issue), comment: shown, ...more }
      yield* action === "created"
        ? events.record({ ...at, type: "IssueCommentEvent", payload })
        : events.announce({ ...at, event: "issue_comment", action, payload })
    })
  }
})
