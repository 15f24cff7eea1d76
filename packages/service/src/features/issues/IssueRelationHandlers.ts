import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { IssueDependencies, SubIssues } from "@tongs/core/contract/groups/IssueRelations"
import type { UserRow } from "../../accounts/UserRows.ts"
import { atLeast, Roles } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as Paging from "../../base/Paging.ts"
import * as IssueAnnouncements from "../../issues/IssueAnnouncements.ts"
import { IssueRelations, MAX_LEVELS, MAX_SUB_ISSUES } from "../../issues/IssueRelations.ts"
import { type IssueRow, IssueRows } from "../../issues/IssueRows.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as IssueLists from "./IssueLists.ts"
import * as IssueTarget from "./IssueTarget.ts"

const invalid = (field: string, message: string) =>
  ApiError.invalid("Validation Failed", [{ resource: "Issue", field, code: "custom", message }])

/** Handlers of sub-issues and dependencies. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const lists = yield* IssueLists.make
  const registry = yield* RepositoryRegistry
  const relations = yield* IssueRelations
  const roles = yield* Roles
  const rows = yield* IssueRows
  const target = yield* IssueTarget.make
  const announcements = yield* IssueAnnouncements.make
  const transaction = yield* Transaction.make

  const one = Effect.fnUntraced(function* (id: number, context: RepositoryContext) {
    const [issue] = yield* lists.across([yield* lists.requireVisible(id, context)], context)
    return issue ?? (yield* ApiError.notFound())
  })

  /** A page of the related issues that the caller may see. A relation has at most some hundred issues. */
  const related = Effect.fnUntraced(function* (where: Fragment, order: Fragment, context: RepositoryContext) {
    const { items } = yield* rows.page(where, order, { page: 1, perPage: MAX_RELATED, offset: 0 })
    const ids = new Set(items.map(({ repository_id }) => repository_id))
    const known = new Set((yield* lists.readable(context, ({ id }) => ids.has(id))).map(({ id }) => id))
    const visible = Paging.slice(
      items.filter(({ repository_id }) => known.has(repository_id)),
      context.page
    )
    return { items: yield* lists.across(visible.items, context), total: visible.total }
  })

  /** Finds the other issue of a new relation: the caller sees it, and may change it if `isChanged`. */
  const other = Effect.fnUntraced(function* (id: number, context: SignedInRepositoryContext, isChanged: boolean) {
    const row = yield* lists.requireVisible(id, context)
    if (!isChanged || row.repository_id === context.repository.row.id) return row
    const [repository] = yield* registry.byIds([row.repository_id])
    const role = repository === undefined ? "none" : yield* roles.onRepository(context.caller, repository)
    if (repository?.owner.id !== context.repository.row.owner.id)
      return yield* invalid("sub_issue_id", "Sub-issues must belong to a repository of the same owner")
    if (repository.archived === 1) return yield* ApiError.archived()
    return atLeast(role, "triage")
      ? row
      : yield* ApiError.forbidden("A sub-issue of another repository needs the triage role there")
  })

  /** Runs a change in a transaction. Returns the issue whose id the change returns. */
  const changed = <E>(context: SignedInRepositoryContext, change: Effect.Effect<number, E>) =>
    Effect.flatMap(transaction(change), (id) => one(id, context))

  const detach = Effect.fnUntraced(function* (user: UserRow, parent: IssueRow, child: IssueRow) {
    yield* relations.removeSubIssue(user, parent, child)
    yield* announcements.related(user, "subIssue", "removed", [parent.id, child.id])
  })

  const subIssues = group(SubIssues)({
    *list({ issue_number }, context) {
      const { id } = yield* target.find(issue_number, context)
      return yield* related(sql`i.parent_id = ${id}`, sql`i.parent_position, i.id`, context)
    },

    *getParent({ issue_number }, context) {
      const { parent_id } = yield* target.find(issue_number, context)
      // A hidden parent has the same error as none.
      return yield* one(parent_id ?? 0, context)
    },

    *add({ issue_number, replace_parent = false, sub_issue_id }, context) {
      return yield* changed(
        context,
        Effect.gen(function* () {
          const parent = yield* target.find(issue_number, context)
          const child = yield* other(sub_issue_id, context, true)
          if (child.parent_id !== null && (!replace_parent || child.parent_id === parent.id))
            return yield* invalid(
              "sub_issue_id",
              "Issue may not contain duplicate sub-issues or have more than one parent"
            )
          const ancestors = yield* relations.ancestors(parent.id)
          if (ancestors.includes(child.id))
            return yield* invalid("sub_issue_id", "An issue cannot be its own sub-issue")
          if (ancestors.length + (yield* relations.depth(child.id)) >= MAX_LEVELS)
            return yield* invalid("sub_issue_id", `Sub-issues have at most ${MAX_LEVELS} levels`)
          if ((yield* relations.order(parent.id)).length >= MAX_SUB_ISSUES)
            return yield* invalid("sub_issue_id", `An issue has at most ${MAX_SUB_ISSUES} sub-issues`)
          const { user } = context.caller
          const former =
            child.parent_id === null ? undefined : (yield* rows.byIds([child.parent_id])).get(child.parent_id)
          if (former !== undefined) yield* detach(user, former, child)
          yield* relations.addSubIssue(user, parent, child)
          yield* announcements.related(user, "subIssue", "added", [parent.id, child.id])
          return parent.id
        })
      )
    },

    *remove({ issue_number, sub_issue_id }, context) {
      return yield* changed(
        context,
        Effect.gen(function* () {
          const parent = yield* target.find(issue_number, context)
          const child = yield* lists.requireVisible(sub_issue_id, context)
          if (child.parent_id !== parent.id) return yield* lists.notVisible()
          yield* detach(context.caller.user, parent, child)
          return parent.id
        })
      )
    },

    *reprioritize({ after_id, before_id, issue_number, sub_issue_id }, context) {
      return yield* changed(
        context,
        Effect.gen(function* () {
          const parent = yield* target.find(issue_number, context)
          const order = yield* relations.order(parent.id)
          const [anchor, ...rest] = [after_id, before_id].filter((id) => id !== undefined)
          if (anchor === undefined || rest.length > 0)
            return yield* ApiError.invalid("Pass either after_id or before_id")
          for (const id of [sub_issue_id, anchor]) yield* lists.requireVisible(id, context)
          if (!order.includes(sub_issue_id)) return yield* lists.notVisible()
          const others = order.filter((id) => id !== sub_issue_id)
          const index = others.indexOf(anchor)
          if (index === -1) return yield* ApiError.invalid(`${anchor} is no sub-issue of this issue`)
          yield* relations.reorder(others.toSpliced(after_id === undefined ? index : index + 1, 0, sub_issue_id))
          return sub_issue_id
        })
      )
    }
  })

  const dependencies = group(IssueDependencies)({
    *listBlockedBy({ issue_number }, context) {
      const { id } = yield* target.find(issue_number, context)
      const isBlocker = sql`i.id IN (SELECT d.blocked_by_id FROM issue_dependencies d WHERE d.issue_id = ${id})`
      return yield* related(isBlocker, sql`i.id`, context)
    },

    *listBlocking({ issue_number }, context) {
      const { id } = yield* target.find(issue_number, context)
      const isBlocked = sql`i.id IN (SELECT d.issue_id FROM issue_dependencies d WHERE d.blocked_by_id = ${id})`
      return yield* related(isBlocked, sql`i.id`, context)
    },

    *addBlockedBy({ issue_id, issue_number }, context) {
      return yield* changed(
        context,
        Effect.gen(function* () {
          const row = yield* target.find(issue_number, context)
          const blocker = yield* other(issue_id, context, false)
          if (blocker.id === row.id) return yield* invalid("issue_id", "An issue cannot block itself")
          if (yield* relations.isBlockedBy(blocker.id, row.id))
            return yield* invalid("issue_id", "Issues cannot block each other")
          const tally = row.blocked_by.reduce((sum, { count }) => sum + count, 0)
          if (tally >= MAX_BLOCKERS) return yield* invalid("issue_id", `An issue has at most ${MAX_BLOCKERS} blockers`)
          if (yield* isDirect(row.id, blocker.id))
            return yield* invalid("issue_id", "The issue already blocks this one")
          const { user } = context.caller
          yield* relations.addBlocker(user, row, blocker)
          yield* announcements.related(user, "blocker", "added", [row.id, blocker.id])
          return row.id
        })
      )
    },

    *removeBlockedBy({ issue_id, issue_number }, context) {
      return yield* changed(
        context,
        Effect.gen(function* () {
          const row = yield* target.find(issue_number, context)
          const blocker = yield* lists.requireVisible(issue_id, context)
          if (!(yield* isDirect(row.id, issue_id))) return yield* lists.notVisible()
          const { user } = context.caller
          yield* relations.removeBlocker(user, row, blocker)
          yield* announcements.related(user, "blocker", "removed", [row.id, blocker.id])
          return row.id
        })
      )
    }
  })

  const isDirect = (id: number, blockerId: number) =>
    Effect.map(
      Effect.orDie(sql`SELECT 1 FROM issue_dependencies WHERE issue_id = ${id} AND blocked_by_id = ${blockerId}`),
      (found) => found.length > 0
    )

  return [subIssues, dependencies]
})

/** Maximum number of issues that block an issue. */
const MAX_BLOCKERS = 50

/** Maximum number of related issues that a list reads: more than an issue can have. */
const MAX_RELATED = 1000
