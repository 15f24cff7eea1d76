import * as Effect from "effect/Effect"
import { type Autolink, Autolinks } from "@tongs/core/contract/groups/Autolinks"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { parseTimestamp } from "../../base/Time.ts"
import { type AutolinkRow, AutolinkRows } from "../../issues/AutolinkRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as AutolinkInput from "./AutolinkInput.ts"

/** Maximum number of autolinks of a repository. */
const MAX_AUTOLINKS = 500

const shape = (row: AutolinkRow): Autolink => ({
  id: row.id,
  key_prefix: row.key_prefix,
  url_template: row.url_template,
  is_alphanumeric: row.is_alphanumeric === 1,
  updated_at: parseTimestamp(row.updated_at)
})

/** Handlers of autolinks. */
export const make = Effect.gen(function* () {
  const rows = yield* AutolinkRows
  const transaction = yield* Transaction.make

  const find = Effect.fnUntraced(function* (id: number, { repository }: RepositoryContext) {
    return (yield* rows.find(repository.row.id, id)) ?? (yield* ApiError.notFound())
  })

  return group(Autolinks)({
    *list(_, { repository }) {
      return (yield* rows.list([repository.row.id])).map(shape)
    },

    *create({ is_alphanumeric = true, key_prefix, url_template }, { repository }) {
      const problems = AutolinkInput.problems(key_prefix, url_template)
      if (problems.length > 0) return yield* AutolinkInput.invalid(problems)
      const { id } = repository.row
      const adding = Effect.gen(function* () {
        const present = yield* rows.list([id])
        if (present.length >= MAX_AUTOLINKS) {
          return yield* AutolinkInput.invalid([
            { field: "key_prefix", message: `a repository can have at most ${MAX_AUTOLINKS} autolinks` }
          ])
        }
        const other = present.find((one) => AutolinkInput.overlaps(one.key_prefix, key_prefix))
        if (other !== undefined) {
          const message = `key_prefix overlaps with the autolink ${other.key_prefix}`
          return yield* AutolinkInput.invalid([{ field: "key_prefix", message }])
        }
        const flag = is_alphanumeric ? 1 : 0
        const row = yield* rows.add({ repository_id: id, key_prefix, url_template, is_alphanumeric: flag })
        return row ?? (yield* AutolinkInput.invalid([{ field: "key_prefix", message: "key_prefix is taken" }]))
      })
      return shape(yield* transaction(adding))
    },

    *get({ autolink_id }, context) {
      return shape(yield* find(autolink_id, context))
    },

    *delete({ autolink_id }, context) {
      yield* rows.remove((yield* find(autolink_id, context)).id)
    }
  })
})
