import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type DeployKey, DeployKeys } from "@tongs/core/contract/groups/DeployKeys"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import { parseTimestamp } from "../../base/Time.ts"
import { Events } from "../../events/Events.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as SshKey from "../../verification/SshKey.ts"
import { type DeployKeyRow, DeployKeyRows } from "./DeployKeyRows.ts"

/** Maximum length of a title, in characters. */
const MAX_TITLE = 255

// The forge has no git over SSH, so a key is never used.
const shape = (row: DeployKeyRow, { repository, urls }: RepositoryContext): DeployKey => ({
  id: row.id,
  key: row.key,
  url: `${urls.api}/repos/${repository.fullName}/keys/${row.id}`,
  title: row.title,
  verified: true,
  created_at: parseTimestamp(row.created_at),
  read_only: row.read_only === 1,
  added_by: row.added_by,
  last_used: null,
  enabled: true
})

const invalid = (field: string, message: string) =>
  ApiError.invalid("Validation Failed", [{ resource: "DeployKey", field, code: "custom", message }])

/** Handlers of deploy keys. */
export const make = Effect.gen(function* () {
  const rows = yield* DeployKeyRows
  const events = yield* Events
  const transaction = yield* Transaction.make

  const find = Effect.fnUntraced(function* (id: number, { repository }: RepositoryContext) {
    return (yield* rows.find(repository.row.id, id)) ?? (yield* ApiError.notFound())
  })

  const announce = (action: "created" | "deleted", row: DeployKeyRow, context: SignedInRepositoryContext) =>
    events.announce({
      actor: context.caller.user,
      repository: context.repository,
      event: "deploy_key",
      action,
      payload: { key: shape(row, context) }
    })

  return group(DeployKeys)({
    *list(_, context) {
      const { items, total } = yield* rows.list(context.repository.row.id, context.page)
      return { items: items.map((row) => shape(row, context)), total }
    },

    *create({ key: text, read_only: readOnly = false, title }, context) {
      const parsed = SshKey.parse(text)
      if (Result.isFailure(parsed))
        return yield* invalid("key", `key is invalid: ${parsed.failure}. Use the OpenSSH public key format`)
      const key = parsed.success
      const name = title ?? key.comment
      if (name.length > MAX_TITLE) return yield* invalid("title", `title is longer than ${MAX_TITLE} characters`)
      const { caller, repository } = context
      const row = yield* transaction(
        Effect.gen(function* () {
          const row = yield* rows.add({
            repositoryId: repository.row.id,
            userId: caller.user.id,
            title: name,
            key,
            readOnly
          })
          yield* announce("created", row, context)
          return row
        })
      ).pipe(Effect.catchTag("KeyInUse", () => Effect.fail(invalid("key", "key is already in use"))))
      return shape(row, context)
    },

    *get({ key_id }, context) {
      return shape(yield* find(key_id, context), context)
    },

    *delete({ key_id }, context) {
      yield* transaction(
        Effect.gen(function* () {
          const row = yield* find(key_id, context)
          yield* rows.remove(row.id)
          yield* announce("deleted", row, context)
        })
      )
    }
  })
})
