import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Key, Keys as Contract } from "@tongs/core/contract/groups/Keys"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { parseTimestamp } from "../../base/Time.ts"
import type { Urls } from "../../api/Urls.ts"
import { type KeyRow, KeyRows } from "../../verification/KeyRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as SshKey from "../../verification/SshKey.ts"

/** Maximum length of a title, in characters. */
const MAX_TITLE = 255

const shape = ({ created_at, id, key, read_only, title, verified }: KeyRow, { api }: Urls): Key => ({
  key,
  id,
  url: `${api}/user/keys/${id}`,
  title,
  created_at: parseTimestamp(created_at),
  verified: verified === 1,
  read_only: read_only === 1
})

const invalidField = (field: string, message: string, code = "custom") =>
  ApiError.invalid("Validation Failed", [{ resource: "PublicKey", field, code, message }])

export const make = Effect.gen(function* () {
  const keys = yield* KeyRows
  const users = yield* UserRows

  return group(Contract)({
    *listForAuthenticatedUser(_, { caller, page, urls }) {
      const { items, total } = yield* keys.list(caller.user.id, page)
      return { items: items.map((row) => shape(row, urls)), total }
    },

    *createForAuthenticatedUser({ key: text, title }, { caller, urls }) {
      const parsed = SshKey.parse(text)
      if (Result.isFailure(parsed)) {
        return yield* invalidField("key", `key is invalid: ${parsed.failure}. Use the OpenSSH public key format`)
      }
      const key = parsed.success
      // The title defaults to the comment of the key, usually user@host.
      const name = title ?? key.comment
      if (name.length > MAX_TITLE)
        return yield* invalidField("title", `title is longer than ${MAX_TITLE} characters`, "invalid")
      const row = yield* keys
        .add({ userId: caller.user.id, title: name, key })
        .pipe(Effect.catch(() => invalidField("key", "key is already in use")))
      return shape(row, urls)
    },

    *getForAuthenticatedUser({ key_id }, { caller, urls }) {
      const row = yield* keys.find(caller.user.id, key_id)
      return row === undefined ? yield* ApiError.notFound() : shape(row, urls)
    },

    *deleteForAuthenticatedUser({ key_id }, { caller }) {
      if (!(yield* keys.remove(caller.user.id, key_id))) return yield* ApiError.notFound()
    },

    *listForUser({ username }, { page }) {
      const user = yield* users.byLogin(username)
      if (user === undefined) return yield* ApiError.notFound()
      const { items, total } = yield* keys.list(user.id, page, "verified")
      return { items: items.map(({ id, key }) => ({ id, key })), total }
    }
  })
})
