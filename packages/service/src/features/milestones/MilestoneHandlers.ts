import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Milestone, type MilestoneUpdate, Milestones } from "@tongs/core/contract/groups/Milestones"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Characters from "../../base/Characters.ts"
import { revisionOf } from "../../base/ObjectRevisions.ts"
import { timestamp } from "../../base/Time.ts"
import { Events } from "../../events/Events.ts"
import { MAX_BODY } from "../../issues/CommentRules.ts"
import * as IssueShapes from "../../issues/IssueShapes.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { type MilestoneContent, type MilestoneRow, MilestoneRows } from "../../issues/MilestoneRows.ts"

const shape = (row: MilestoneRow, { repository, urls }: Pick<RepositoryContext, "repository" | "urls">): Milestone =>
  IssueShapes.milestone(row, repository.fullName, urls)

/** Maximum length of a title, in characters. */
const MAX_TITLE = 256

const invalid = (field: string, code: "already_exists" | "missing_field" | "invalid") =>
  ApiError.invalid("Validation Failed", [{ resource: "Milestone", field, code }])

/** Reads a date or a timestamp. Undefined for another text. */
const dateOf = (text: string) => {
  const time = /^\d{4}-\d\d-\d\d(T|$)/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : timestamp(time)
}

/** The webhook's actions for the differences between two versions of a milestone, with the previous values. */
const edits = (from: MilestoneRow, to: MilestoneRow) => {
  const changed = (["title", "description", "due_on"] as const).filter((name) => from[name] !== to[name]) // names
  const changes = Object.fromEntries(changed.map((name) => [name, { from: from[name] ?? "" }]))
  const wasOpen = from.closed_at === null
  return [
    ...(changed.length === 0 ? [] : [{ action: "edited", changes }]),
    ...(wasOpen === (to.closed_at === null) ? [] : [{ action: wasOpen ? "closed" : "opened" }])
  ]
}

/** Handlers of milestones. */
export const make = Effect.gen(function* () {
  const rows = yield* MilestoneRows
  const events = yield* Events
  const transaction = yield* Transaction.make

  const find = Effect.fnUntraced(function* (number: number, { repository }: RepositoryContext) {
    return (yield* rows.find(repository.row.id, number)) ?? (yield* ApiError.notFound())
  })

  /** The members to store. Members that `given` lacks stay as they are. */
  const contentOf = Effect.fnUntraced(function* (given: MilestoneUpdate, before: MilestoneContent) {
    const { title = before.title } = given
    if (title.trim() === "") return yield* invalid("title", "missing_field")
    if (Characters.exceed(title, MAX_TITLE)) return yield* invalid("title", "invalid")
    const now = timestamp(yield* Clock.currentTimeMillis)
    const closed_at =
      given.state === undefined ? before.closed_at : given.state === "open" ? null : (before.closed_at ?? now)
    const { description = before.description, due_on = before.due_on } = given
    if (Characters.exceed(description ?? "", MAX_BODY)) return yield* invalid("description", "invalid")
    const due = due_on === null ? null : dateOf(due_on)
    if (due === undefined) return yield* invalid("due_on", "invalid")
    return { title, description, due_on: due, closed_at }
  })

  const announce = (
    actor: UserRow,
    context: RepositoryContext,
    row: MilestoneRow,
    edit: { readonly action: string }
  ) => {
    const { action, ...changes } = edit
    const payload = { milestone: shape(row, context), ...changes }
    return events.announce({ actor, repository: context.repository, event: "milestone", action, payload })
  }

  return group(Milestones)({
    *listForRepo({ direction = "asc", sort = "due_on", state = "open" }, context) {
      const { items, total } = yield* rows.list(context.repository.row.id, { direction, sort, state }, context.page)
      const keyOf = (value: object) => `${revisionOf(value)} ${context.repository.fullName}`
      const keyed = () => items.map((row) => ({ key: keyOf(row), make: () => shape(row, context) }))
      return { key: keyOf(items), keyed, total }
    },

    *create(body, context) {
      const { caller, repository } = context
      const { user } = caller
      const content = yield* contentOf(body, { title: "", description: null, due_on: null, closed_at: null })
      const row = yield* transaction(
        Effect.gen(function* () {
          const row = yield* rows.add(repository.row.id, user.id, content)
          yield* announce(user, context, row, { action: "created" })
          return row
        })
      ).pipe(Effect.catchTag("MilestoneTitleTaken", () => Effect.fail(invalid("title", "already_exists"))))
      return shape(row, context)
    },

    *get({ milestone_number }, context) {
      return shape(yield* find(milestone_number, context), context)
    },

    *update({ milestone_number, ...body }, context) {
      const { caller, repository } = context
      const { user } = caller
      const row = yield* transaction(
        Effect.gen(function* () {
          const before = yield* find(milestone_number, context)
          const content = yield* contentOf(body, before)
          const row = yield* rows.set(repository.row.id, milestone_number, content)
          for (const edit of edits(before, row)) yield* announce(user, context, row, edit)
          return row
        })
      ).pipe(Effect.catchTag("MilestoneTitleTaken", () => Effect.fail(invalid("title", "already_exists"))))
      return shape(row, context)
    },

    *delete({ milestone_number }, context) {
      const { caller, repository } = context
      const { user } = caller
      yield* transaction(
        Effect.gen(function* () {
          const row = yield* find(milestone_number, context)
          yield* rows.remove(repository.row.id, milestone_number)
          yield* announce(user, context, row, { action: "deleted" })
        })
      )
    }
  })
})
