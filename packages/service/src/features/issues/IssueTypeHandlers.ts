import * as Effect from "effect/Effect"
import { IssueTypes, type NewIssueType } from "@tongs/core/contract/groups/IssueTypes"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import * as Characters from "../../base/Characters.ts"
import * as IssueShapes from "../../issues/IssueShapes.ts"
import { type IssueTypeContent, IssueTypeRows } from "../../issues/IssueTypeRows.ts"
import * as Transaction from "../../storage/Transaction.ts"

/** Maximum number of types of an organization. */
const MAX_TYPES = 25

/** Maximum lengths of a name and of a description, in characters. */
const MAX_NAME = 256
const MAX_DESCRIPTION = 1024

const invalid = (problem: string) => ApiError.invalid(`Validation Failed: ${problem}`)

const contentOf = Effect.fnUntraced(function* (given: NewIssueType) {
  const { color = null, description = null, is_enabled, name } = given
  if (name.trim() === "") return yield* invalid("name is blank")
  if (Characters.exceed(name, MAX_NAME)) return yield* invalid(`name is longer than ${MAX_NAME} characters`)
  if (Characters.exceed(description ?? "", MAX_DESCRIPTION))
    return yield* invalid(`description is longer than ${MAX_DESCRIPTION} characters`)
  return { name: name.trim(), color, description, is_enabled: is_enabled ? 1 : 0 } satisfies IssueTypeContent
})

/** Handlers of the types of issues. */
export const make = Effect.gen(function* () {
  const rows = yield* IssueTypeRows
  const transaction = yield* Transaction.make

  const find = Effect.fnUntraced(function* (organizationId: number, id: number) {
    return (yield* rows.find(organizationId, id)) ?? (yield* ApiError.notFound())
  })

  return group(IssueTypes)({
    *listForOrg(_, { organization }) {
      return (yield* rows.list(organization.id)).map(IssueShapes.issueType)
    },

    *createForOrg(given, { organization }) {
      const content = yield* contentOf(given)
      const row = yield* transaction(
        Effect.gen(function* () {
          if ((yield* rows.list(organization.id)).length >= MAX_TYPES)
            return yield* invalid(`an organization has at most ${MAX_TYPES} types of issues`)
          return (yield* rows.add(organization.id, content)) ?? (yield* invalid("name is already in use"))
        })
      )
      return IssueShapes.issueType(row)
    },

    *updateForOrg({ issue_type_id, ...given }, { organization }) {
      const content = yield* contentOf(given)
      const before = yield* find(organization.id, issue_type_id)
      const row = (yield* rows.set(before, content)) ?? (yield* invalid("name is already in use"))
      return IssueShapes.issueType(row)
    },

    *deleteForOrg({ issue_type_id }, { organization }) {
      yield* rows.remove((yield* find(organization.id, issue_type_id)).id)
    },

    *listForRepo(_, { repository }) {
      return (yield* rows.list(repository.row.owner.id)).filter(isEnabled).map(IssueShapes.issueType)
    }
  })
})

const isEnabled = ({ is_enabled }: IssueTypeContent) => is_enabled === 1
