import * as Effect from "effect/Effect"
import { type SshSigningKey, SshSigningKeys } from "@tongs/core/contract/groups/SshSigningKeys"
import { UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { PageRequest } from "../../base/Paging.ts"
import { parseTimestamp } from "../../base/Time.ts"
import { KeyRows, type SigningKeyRow } from "../../verification/KeyRows.ts"
import * as SshKeyInput from "./SshKeyInput.ts"

const shape = ({ created_at, id, key, title }: SigningKeyRow): SshSigningKey => ({
  key,
  id,
  title,
  created_at: parseTimestamp(created_at)
})

/** Handlers of SSH signing keys. */
export const make = Effect.gen(function* () {
  const keys = yield* KeyRows
  const users = yield* UserRows

  const list = Effect.fnUntraced(function* (userId: number, page: PageRequest) {
    const { items, total } = yield* keys.listSigning(userId, page)
    return { items: items.map(shape), total }
  })

  return group(SshSigningKeys)({
    *listForAuthenticatedUser(_, { caller, page }) {
      return yield* list(caller.user.id, page)
    },

    *createForAuthenticatedUser({ key, title }, { caller }) {
      const parsed = yield* SshKeyInput.parse(key, title)
      const row = yield* keys.addSigning({ userId: caller.user.id, ...parsed }).pipe(Effect.catch(SshKeyInput.inUse))
      return shape(row)
    },

    *getForAuthenticatedUser({ ssh_signing_key_id }, { caller }) {
      const row = yield* keys.findSigning(caller.user.id, ssh_signing_key_id)
      return row === undefined ? yield* ApiError.notFound() : shape(row)
    },

    *deleteForAuthenticatedUser({ ssh_signing_key_id }, { caller }) {
      if (!(yield* keys.removeSigning(caller.user.id, ssh_signing_key_id))) return yield* ApiError.notFound()
    },

    *listForUser({ username }, { page }) {
      const user = (yield* users.byLogin(username)) ?? (yield* ApiError.notFound())
      return yield* list(user.id, page)
    }
  })
})
