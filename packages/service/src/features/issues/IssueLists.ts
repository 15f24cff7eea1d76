/** Lists of issues: of a repository, and of the signed-in user in several repositories. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Issue } from "@tongs/core/contract/groups/Issue"
import type { Repository } from "@tongs/core/contract/groups/Repository"
import { readsIssues } from "@tongs/core/contract/IssueAccess"
import { Roles } from "../../access/Roles.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as GitFacts from "../../api/GitFacts.ts"
import type { RepositoryContext, RequestContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { timestamp } from "../../base/Time.ts"
import { type IssueRow, IssueRows } from "../../issues/IssueRows.ts"
import * as IssueConditions from "../../issues/IssueConditions.ts"
import * as IssueViews from "../../issues/IssueViews.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"
import * as IssueTarget from "./IssueTarget.ts"

/** Filters and order that all lists have. */
interface ListInput {
  readonly state?: "open" | "closed" | "all"
  readonly labels?: string
  readonly sort?: "created" | "updated" | "comments"
  readonly direction?: "asc" | "desc"
  readonly since?: string
  readonly type?: string
}

interface InvolvementInput extends ListInput {
  readonly filter?: "assigned" | "created" | "mentioned" | "subscribed" | "repos" | "all"
}

interface RepositoryInput extends ListInput {
  readonly milestone?: string
  readonly assignee?: string
  readonly creator?: string
  readonly mentioned?: string
}

const orders = { created: "i.created_at", updated: "i.updated_at", comments: "i.comments" } as const // columns

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { hasName, hasOneOfNames, isOneOf } = SqlFragments.make(sql)
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const rows = yield* IssueRows
  const users = yield* UserRows
  const views = yield* IssueViews.make

  const common = ({ labels = "", since, state = "open", type }: ListInput): ReadonlyArray<Fragment> => {
    const names = [...new Set(labels.split(",").map((name) => SqlFragments.lower(name.trim())))].filter(
      (name) => name !== ""
    )
    return [
      ...(state === "all" ? [] : [sql`i.state = ${state}`]),
      ...(since === undefined ? [] : [sql`i.updated_at >= ${timestamp(Date.parse(since))}`]),
      ...(names.length === 0
        ? []
        : [
            sql`(SELECT count(DISTINCT l.id) FROM issue_labels il JOIN labels l ON l.id = il.label_id
              WHERE il.issue_id = i.id AND ${hasOneOfNames("l.name", names)}) = ${names.length}`
          ]),
      ...(type === undefined ? [] : [byType(type)])
    ]
  }

  const byType = (type: string) =>
    type === "*"
      ? sql`i.type_id IS NOT NULL`
      : type === "none"
        ? sql`i.type_id IS NULL`
        : sql`i.type_id IN (SELECT t.id FROM issue_types t WHERE ${hasName("t.name", type)})`

  const order = ({ direction = "desc", sort = "created" }: ListInput) =>
    sql`${sql.literal(orders[sort])} ${sql.literal(direction)}, i.number ${sql.literal(direction)}, i.id ${sql.literal(direction)}`

  const isAssigned = (userId: number) =>
    sql`i.id IN (SELECT a.issue_id FROM issue_assignees a WHERE a.user_id = ${userId})`
  const isMentioned = (userId: number) =>
    sql`i.id IN (SELECT e.issue_id FROM issue_events e WHERE e.actor_id = ${userId} AND e.event = 'mentioned')`
  const isSubscribed = (userId: number) =>
    sql`i.id IN (SELECT s.issue_id FROM issue_subscriptions s WHERE s.user_id = ${userId} AND s.ignored = 0)`

  const accountId = Effect.fnUntraced(function* (field: string, login: string) {
    return (yield* users.byLogin(login))?.id ?? (yield* IssueTarget.invalid(field, login))
  })

  const milestoneIs = Effect.fnUntraced(function* (milestone: string, repositoryId: number) {
    if (milestone === "*") return sql`i.milestone_id IS NOT NULL`
    if (milestone === "none") return sql`i.milestone_id IS NULL`
    if (!/^\d{1,9}$/.test(milestone)) return yield* IssueTarget.invalid("milestone", milestone)
    return sql`i.milestone_id IN (
      SELECT m.id FROM milestones m WHERE m.repository_id = ${repositoryId} AND m.number = ${Number(milestone)})`
  })

  const assigneeIs = Effect.fnUntraced(function* (assignee: string) {
    const any = sql`EXISTS (SELECT 1 FROM issue_assignees a WHERE a.issue_id = i.id)`
    if (assignee === "*") return any
    if (assignee === "none") return sql`NOT ${any}`
    return isAssigned(yield* accountId("assignee", assignee))
  })

  /** The issues of one repository. */
  const ofRepository = Effect.fnUntracedEager(function* (input: RepositoryInput, context: RepositoryContext) {
    const { page, repository } = context
    const { assignee, creator, mentioned, milestone } = input
    const where = [
      sql`i.repository_id = ${repository.row.id}`,
      ...(repository.row.has_issues === 1 ? [] : [sql`i.is_pull_request = 1`]),
      ...common(input),
      ...(milestone === undefined ? [] : [yield* milestoneIs(milestone, repository.row.id)]),
      ...(assignee === undefined ? [] : [yield* assigneeIs(assignee)]),
      ...(creator === undefined ? [] : [sql`i.author_id = ${yield* accountId("creator", creator)}`]),
      ...(mentioned === undefined ? [] : [isMentioned(yield* accountId("mentioned", mentioned))])
    ]
    const { items, total } = yield* rows.page(sql.and(where), order(input), page)
    const keyed = yield* views.keyedIssues(items, repository, context)
    return { keyed: () => keyed, total }
  })

  /** The repositories whose issues the caller's token can read. */
  const readable = Effect.fnUntraced(function* (
    { caller }: RequestContext,
    isIncluded: (row: RepositoryRow) => boolean
  ) {
    return yield* roles.readable(caller, (yield* registry.list).filter(isIncluded), readsIssues.permission.flat())
  })

  /** Creates issues of repositories that the caller can read, each with its repository. */
  const across = Effect.fnUntraced(function* (items: ReadonlyArray<IssueRow>, context: RequestContext) {
    const found = yield* views.across(items, context)
    const shapes = new Map<number, Repository>()
    const repositories = [...new Set(found.map((one) => one.repository))]
    const roleOf = yield* roles.onRepositories(
      context.caller,
      repositories.map(({ row }) => row)
    )
    for (const repository of repositories) {
      const facts = yield* GitFacts.read(repository)
      const role = roleOf.get(repository.row.id) ?? "none"
      shapes.set(repository.row.id, Shapes.repository(repository, facts, role, context.urls))
    }
    return found.map(({ issue, repository: { row } }): Issue => {
      const repository = shapes.get(row.id)
      return repository === undefined ? issue : { ...issue, repository }
    })
  })

  /** The issues in several repositories that involve the signed-in user. */
  const involving = Effect.fnUntraced(function* (
    input: InvolvementInput,
    context: RequestContext,
    isIncluded: (row: RepositoryRow) => boolean
  ) {
    if (context.caller.kind === "anonymous") return yield* Effect.die(new Error("The operation needs a sign-in"))
    const { id } = context.caller.user
    const known = yield* readable(context, isIncluded)
    const { filter = "assigned" } = input
    const isInvolved = {
      assigned: isAssigned(id),
      created: sql`i.author_id = ${id}`,
      mentioned: isMentioned(id),
      subscribed: isSubscribed(id),
      repos: sql`true`,
      all: isSubscribed(id)
    }[filter]
    const where = [
      isOneOf(
        "i.repository_id",
        known.map((row) => row.id)
      ),
      ...IssueConditions.withoutDisabled(sql, known),
      isInvolved,
      ...common(input)
    ]
    const { items, total } = yield* rows.page(sql.and(where), order(input), context.page)
    return { items: yield* across(items, context), total }
  })

  /** 404 for an issue that does not exist, is hidden, or lacks a relation: a caller cannot distinguish them. */
  const notVisible = () => ApiError.notFound("The issue does not exist, or is not visible")

  /** Returns the issue with an id. Fails with 404 unless the caller may see the issue. */
  const requireVisible = Effect.fnUntraced(function* (id: number, context: RepositoryContext) {
    const row = (yield* rows.byIds([id])).get(id)
    const isSeen =
      row?.repository_id === context.repository.row.id ||
      (yield* readable(context, (one) => one.id === row?.repository_id)).length > 0
    return row === undefined || !isSeen ? yield* notVisible() : row
  })

  return { across, involving, notVisible, ofRepository, readable, requireVisible }
})
