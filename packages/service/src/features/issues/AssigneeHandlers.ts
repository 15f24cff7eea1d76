import * as Effect from "effect/Effect"
import { Assignees } from "@tongs/core/contract/groups/Assignees"
import { UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { AssigneeRows } from "../../issues/AssigneeRows.ts"
import type { IssueRow } from "../../issues/IssueRows.ts"
import { Issues } from "../../issues/Issues.ts"
import * as IssueViews from "../../issues/IssueViews.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as IssueTarget from "./IssueTarget.ts"

/** Handlers of assignees. */
export const make = Effect.gen(function* () {
  const assignees = yield* AssigneeRows
  const users = yield* UserRows
  const issues = yield* Issues
  const target = yield* IssueTarget.make
  const transaction = yield* Transaction.make
  const views = yield* IssueViews.make

  /** Finds the accounts with these logins that can be assigned. */
  const assignable = Effect.fnUntraced(function* (
    logins: ReadonlyArray<string>,
    { repository }: RepositoryContext,
    issue?: IssueRow
  ) {
    return yield* assignees.among(repository.row, yield* users.byLogins(logins), issue?.id)
  })

  const requireAssignable = Effect.fnUntraced(function* (login: string, context: RepositoryContext, issue?: IssueRow) {
    if ((yield* assignable([login], context, issue)).length === 0) return yield* ApiError.notFound()
  })

  /** Sets the assignees of an issue to what `choose` makes of its present ones. */
  const set = Effect.fnUntraced(function* <E>(
    number: number,
    context: SignedInRepositoryContext,
    choose: (row: IssueRow) => Effect.Effect<IssueRow["assignees"], E>
  ) {
    const at = { actor: context.caller.user, repository: context.repository }
    const changed = yield* transaction(
      Effect.gen(function* () {
        const row = yield* target.find(number, context)
        return yield* issues.update(at, row, { assignees: yield* choose(row) })
      })
    )
    const [issue] = yield* views.issues([changed], context.repository, context)
    return issue ?? (yield* ApiError.notFound())
  })

  return group(Assignees)({
    *listForRepo(_, { page, repository, urls }) {
      const { items, total } = yield* assignees.list(repository.row, page)
      return { items: items.map((row) => Shapes.userSummary(row, urls)), total }
    },

    *check({ assignee }, context) {
      yield* requireAssignable(assignee, context)
    },

    *checkForIssue({ assignee, issue_number }, context) {
      yield* requireAssignable(assignee, context, yield* target.find(issue_number, context))
    },

    *add({ assignees: logins, issue_number }, context) {
      return yield* set(
        issue_number,
        context,
        Effect.fnUntraced(function* (row) {
          const added = (yield* assignable(logins, context, row)).filter(
            ({ id }) => !row.assignees.some((one) => one.id === id)
          )
          const wanted = [...row.assignees, ...added]
          if (wanted.length > IssueTarget.MAX_ASSIGNEES)
            return yield* IssueTarget.invalid("assignees", `more than ${IssueTarget.MAX_ASSIGNEES} assignees`)
          return wanted
        })
      )
    },

    *remove({ assignees: logins, issue_number }, context) {
      const removed = new Set(logins.map((login) => login.toLowerCase()))
      return yield* set(issue_number, context, (row) =>
        Effect.succeed(row.assignees.filter(({ login }) => !removed.has(login.toLowerCase())))
      )
    }
  })
})
