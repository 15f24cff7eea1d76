import * as Effect from "effect/Effect"
import { type IssueUpdate, Issues as IssueGroup } from "@tongs/core/contract/groups/Issues"
import type { SignedInRepositoryContext } from "../../api/RequestContext.ts"
import { atLeast } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { IssueChange } from "../../issues/IssueChange.ts"
import type { IssueRow } from "../../issues/IssueRows.ts"
import { Issues } from "../../issues/Issues.ts"
import * as IssueViews from "../../issues/IssueViews.ts"
import { PullRequestRows } from "../../issues/PullRequestRows.ts"
import * as Reopening from "../../pulls/Reopening.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as IssueSearchHandler from "../search/IssueSearchHandler.ts"
import * as IssueLists from "./IssueLists.ts"
import * as BlockRules from "../../api/BlockRules.ts"
import * as IssueTarget from "./IssueTarget.ts"
import * as IssueText from "./IssueText.ts"

/** Handlers of issues. */
export const make = Effect.gen(function* () {
  const { refuseBlocked } = yield* BlockRules.make
  const issues = yield* Issues
  const lists = yield* IssueLists.make
  const pulls = yield* PullRequestRows
  const reopen = yield* Reopening.make
  const search = yield* IssueSearchHandler.make
  const target = yield* IssueTarget.make
  const transaction = yield* Transaction.make
  const views = yield* IssueViews.make

  const one = Effect.fnUntraced(function* (row: IssueRow, context: SignedInRepositoryContext) {
    const [issue] = yield* views.issues([row], context.repository, context)
    return issue ?? (yield* ApiError.notFound())
  })

  /** The members that need the triage role. Without it they are ignored, as GitHub documents. */
  const managed = Effect.fnUntraced(function* (
    { assignee, assignees, labels, milestone, type }: IssueUpdate,
    context: SignedInRepositoryContext,
    issue?: IssueRow
  ) {
    if (!atLeast(context.role, "triage")) return {}
    const logins = assignees ?? (assignee === undefined ? undefined : assignee === null ? [] : [assignee])
    return {
      ...(labels === undefined ? {} : { labels: yield* target.labels(labels, context) }),
      ...(logins === undefined ? {} : { assignees: yield* target.assignees(logins.filter(isGiven), context, issue) }),
      ...(milestone === undefined ? {} : { milestone: yield* target.milestone(milestone, context) }),
      ...(type === undefined ? {} : { type: yield* target.type(type, context) })
    }
  })

  /** The texts and the state, which the author may change, too. */
  const authored = Effect.fnUntraced(function* (
    { body, duplicate_issue_id, state, state_reason, title }: IssueUpdate,
    issue: IssueRow,
    { caller, role }: SignedInRepositoryContext
  ) {
    const isAuthor = issue.author_id === caller.user.id
    const triages = atLeast(role, "triage")
    if (!isAuthor && !triages)
      return yield* ApiError.forbidden("Only the author, or a user with the triage role, can change an issue")
    const isEdited = (title !== undefined && title !== null) || body !== undefined
    const text =
      isEdited && !isAuthor && !atLeast(role, "write")
        ? yield* ApiError.forbidden("Only the author, or a user with write access, can edit an issue")
        : {
            ...(title === undefined || title === null ? {} : { title: yield* IssueText.title(title) }),
            ...(body === undefined ? {} : { body: yield* IssueText.body(body) })
          }
    if (state === undefined && state_reason === undefined) return text
    const isReopened = state === "open" && issue.state === "closed"
    if (isReopened && !triages && issue.closed_by?.id !== caller.user.id)
      return yield* ApiError.forbidden("Only a user with the triage role can open an issue that another user closed")
    return {
      ...text,
      state: state ?? issue.state,
      ...(state_reason === undefined || state_reason === null ? {} : { stateReason: state_reason }),
      ...(duplicate_issue_id === undefined ? {} : { duplicateOfId: duplicate_issue_id })
    }
  })

  return group(IssueGroup)({
    *listInvolving(input, context) {
      return yield* lists.involving(input, context, () => true)
    },

    *listForAuthenticatedUser(input, context) {
      return yield* lists.involving(input, context, ({ owner }) => owner.type !== "Organization")
    },

    *listForOrg(input, context) {
      const { id } = context.organization
      return yield* lists.involving(input, context, ({ owner }) => owner.id === id)
    },

    *listForRepo(input, context) {
      return yield* lists.ofRepository(input, context)
    },

    *search(input, context) {
      return yield* search(input, context)
    },

    *create(input, context) {
      yield* IssueTarget.requireIssues(context.repository.row, undefined)
      yield* refuseBlocked(context)
      const title = yield* IssueText.title(input.title)
      const body = yield* IssueText.body(input.body ?? null)
      const row = yield* transaction(
        Effect.gen(function* () {
          const { milestone, type, ...rest } = yield* managed({ ...input, title }, context)
          const members = { title, body, milestone: milestone ?? undefined, type: type ?? undefined, ...rest }
          return yield* issues.create(eventContext(context), members)
        })
      )
      return yield* one(row, context)
    },

    *get({ issue_number }, context) {
      const row = yield* target.find(issue_number, context)
      const [issue] = yield* views.issues([row], context.repository, context)
      return issue ?? (yield* ApiError.notFound())
    },

    *update({ issue_number, ...input }, context) {
      const row = yield* transaction(
        Effect.gen(function* () {
          const before = yield* target.find(issue_number, context)
          const change: IssueChange = {
            ...(yield* authored(input, before, context)),
            ...(yield* managed(input, context, before))
          }
          if (before.is_pull_request === 1 && before.state === "closed" && change.state === "open") {
            const pull = (yield* pulls.byIssues([before.id])).get(before.id)
            if (pull !== undefined) yield* reopen(pull, context.repository)
          }
          if (change.duplicateOfId !== undefined) yield* lists.requireVisible(change.duplicateOfId, context)
          return yield* issues.update(eventContext(context), before, change)
        })
      )
      return yield* one(row, context)
    },

    *lock({ issue_number, lock_reason = null }, context) {
      yield* transaction(
        Effect.flatMap(target.find(issue_number, context), (row) =>
          issues.lock(eventContext(context), row, lock_reason)
        )
      )
    },

    *unlock({ issue_number }, context) {
      yield* transaction(
        Effect.flatMap(target.find(issue_number, context), (row) => issues.unlock(eventContext(context), row))
      )
    }
  })
})

const eventContext = ({ caller, repository }: SignedInRepositoryContext) => ({ actor: caller.user, repository })

const isGiven = (login: string) => login !== ""
