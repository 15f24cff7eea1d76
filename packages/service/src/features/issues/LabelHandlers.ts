import { randomInt } from "node:crypto"
import * as Effect from "effect/Effect"
import { Labels, type LabelUpdate } from "@tongs/core/contract/groups/Labels"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as Characters from "../../base/Characters.ts"
import { revisionOf } from "../../base/ObjectRevisions.ts"
import * as Paging from "../../base/Paging.ts"
import * as IssueAnnouncements from "../../issues/IssueAnnouncements.ts"
import type { IssueRow } from "../../issues/IssueRows.ts"
import { Issues } from "../../issues/Issues.ts"
import * as IssueShapes from "../../issues/IssueShapes.ts"
import { type LabelContent, type LabelRow, LabelRows } from "../../issues/LabelRows.ts"
import { MilestoneRows } from "../../issues/MilestoneRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as IssueTarget from "./IssueTarget.ts"
import * as ItemSearchHandlers from "../search/ItemSearchHandlers.ts"

/** Maximum length of a description, in characters. */
const MAX_DESCRIPTION = 100

const invalid = (field: string, code: "already_exists" | "missing_field" | "invalid") =>
  ApiError.invalid("Validation Failed", [{ resource: "Label", field, code }])

const shape = (row: LabelRow, { repository, urls }: Pick<RepositoryContext, "repository" | "urls">) =>
  IssueShapes.label(row, repository.fullName, urls)

const keyed = (row: LabelRow, context: RepositoryContext) => ({
  key: `${revisionOf(row)} ${context.repository.fullName}`,
  make: () => shape(row, context)
})

/** The members to store. Members that `given` lacks stay as they are. */
const contentOf = Effect.fnUntraced(function* (given: LabelUpdate, before: LabelContent) {
  const { color = before.color, description = before.description, new_name: name = before.name } = given
  if (name.trim() === "") return yield* invalid("name", "missing_field")
  if (Characters.exceed(name, IssueTarget.MAX_LABEL_NAME)) return yield* invalid("name", "invalid")
  if (!/^[0-9a-f]{6}$/i.test(color)) return yield* invalid("color", "invalid")
  if (Characters.exceed(description ?? "", MAX_DESCRIPTION)) return yield* invalid("description", "invalid")
  return { name: name.trim(), color: color.toLowerCase(), description }
})

const contextOf = ({ caller, repository }: SignedInRepositoryContext) => ({ actor: caller.user, repository })

const randomColor = () => randomInt(0x1000000).toString(16).padStart(6, "0")

/** Handlers of labels. */
export const make = Effect.gen(function* () {
  const rows = yield* LabelRows
  const milestones = yield* MilestoneRows
  const issues = yield* Issues
  const announcements = yield* IssueAnnouncements.make
  const target = yield* IssueTarget.make
  const searches = yield* ItemSearchHandlers.make
  const transaction = yield* Transaction.make

  const find = Effect.fnUntraced(function* (name: string, { repository }: RepositoryContext) {
    return (yield* rows.find(repository.row.id, name)) ?? (yield* ApiError.notFound())
  })

  /** Sets the labels of an issue to what `choose` makes of its present ones, and returns them. */
  const set = <E>(
    number: number,
    context: SignedInRepositoryContext,
    choose: (row: IssueRow) => Effect.Effect<ReadonlyArray<LabelRow>, E>
  ) =>
    transaction(
      Effect.gen(function* () {
        const row = yield* target.find(number, context)
        const changed = yield* issues.update(contextOf(context), row, { labels: yield* choose(row) })
        return changed.labels.map((label) => shape(label, context))
      })
    )

  return group(Labels)({
    *listForRepo(_, context) {
      const { items, total } = yield* rows.list(context.repository.row.id, context.page)
      const key = `${revisionOf(items)} ${context.repository.fullName}`
      return { key, keyed: () => items.map((row) => keyed(row, context)), total }
    },

    *create({ color = randomColor(), description = null, name }, context) {
      const content = yield* contentOf({ new_name: name, color, description }, { name: "", color, description: null })
      const row = yield* transaction(
        Effect.gen(function* () {
          const added = yield* rows.add(context.repository.row.id, content)
          if (added === undefined) return yield* invalid("name", "already_exists")
          yield* announcements.label(contextOf(context), added, "created")
          return added
        })
      )
      return shape(row, context)
    },

    *get({ name }, context) {
      return shape(yield* find(name, context), context)
    },

    *update({ name, ...given }, context) {
      const row = yield* transaction(
        Effect.gen(function* () {
          const before = yield* find(name, context)
          const content = yield* contentOf(given, before)
          const changed = (["name", "color", "description"] as const).filter((key) => before[key] !== content[key]) // keys
          if (changed.length === 0) return before
          const after = yield* rows.set(before, content)
          if (after === undefined) return yield* invalid("name", "already_exists")
          const changes = Object.fromEntries(changed.map((key) => [key, { from: before[key] ?? "" }]))
          yield* announcements.label(contextOf(context), after, "edited", { changes })
          return after
        })
      )
      return shape(row, context)
    },

    *delete({ name }, context) {
      yield* transaction(
        Effect.gen(function* () {
          const row = yield* find(name, context)
          yield* rows.remove(row.id)
          yield* announcements.label(contextOf(context), row, "deleted")
        })
      )
    },

    *listForMilestone({ milestone_number }, context) {
      const milestone = yield* milestones.find(context.repository.row.id, milestone_number)
      if (milestone === undefined) return yield* ApiError.notFound()
      const { items, total } = yield* rows.listOfMilestone(milestone.id, context.page)
      const key = `${revisionOf(items)} ${context.repository.fullName}`
      return { key, keyed: () => items.map((row) => keyed(row, context)), total }
    },

    *listOnIssue({ issue_number }, context) {
      const { labels } = yield* target.find(issue_number, context)
      return Paging.slice(
        labels.map((label) => shape(label, context)),
        context.page
      )
    },

    *addToIssue({ issue_number, labels }, context) {
      return yield* set(
        issue_number,
        context,
        Effect.fnUntraced(function* (row) {
          const added = yield* target.labels(labels, context)
          const all = [...row.labels.filter(({ id }) => !added.some((label) => label.id === id)), ...added]
          yield* IssueTarget.limitLabels(all)
          return all
        })
      )
    },

    *setOnIssue({ issue_number, labels }, context) {
      return yield* set(issue_number, context, () => target.labels(labels, context))
    },

    *removeAllFromIssue({ issue_number }, context) {
      yield* set(issue_number, context, () => Effect.succeed([]))
    },

    *removeFromIssue({ issue_number, name }, context) {
      return yield* set(issue_number, context, (row) => {
        const others = row.labels.filter((label) => label.name.toLowerCase() !== name.toLowerCase())
        return others.length === row.labels.length
          ? Effect.fail(ApiError.notFound("Label does not exist"))
          : Effect.succeed(others)
      })
    },

    *search(input, context) {
      return yield* searches.labels(input, context)
    }
  })
})
