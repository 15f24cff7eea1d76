import * as Effect from "effect/Effect"
import { type Key, Keys as Contract } from "@tongs/core/contract/groups/Keys"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { parseTimestamp } from "../../base/Time.ts"
import type { Urls } from "../../api/Urls.ts"
import { type KeyRow, KeyRows } from "../../verification/KeyRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as SshKeyInput from "./SshKeyInput.ts"

const shape = ({ created_at, id, key, read_only, title, verified }: KeyRow, { api }: Urls): Key => ({
  key,
  id,
  url: `${api}/user/keys/${id}`,
  title,
  created_at: parseTimestamp(created_at),
  verified: verified === 1,
  read_only: read_only === 1
})

export const make = Effect.gen(function* () {
  const keys = yield* KeyRows
  const users = yield* UserRows

  return group(Contract)({
    *listForAuthenticatedUser(_, { caller, page, urls }) {
      const { items, total } = yield* keys.list(caller.user.id, page)
      return { items: items.map((row) => shape(row, urls)), total }
    },

    *createForAuthenticatedUser({ key: text, title }, { caller, urls }) {
      const parsed = yield* SshKeyInput.parse(text, title)
      const row = yield* keys.add({ userId: caller.user.id, ...parsed }).pipe(Effect.catch(SshKeyInput.inUse))
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
