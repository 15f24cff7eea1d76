import * as Effect from "effect/Effect"
import { Followers } from "@tongs/core/contract/groups/Followers"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import type { Slice } from "../../base/Paging.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { BlockRows } from "../../accounts/BlockRows.ts"
import { FollowerRows } from "./FollowerRows.ts"

const cannotFollow = (message: string) =>
  ApiError.invalid(message, [{ resource: "User", field: "username", code: "unprocessable", message }])

const shapes = ({ items, total }: Slice<UserRow>, urls: Urls) => ({
  items: items.map((row) => Shapes.userSummary(row, urls)),
  total
})

/** Handlers of followers. */
export const make = Effect.gen(function* () {
  const blocks = yield* BlockRows
  const rows = yield* FollowerRows
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  const account = (login: string) =>
    Effect.flatMap(users.byLogin(login), (row) =>
      row === undefined ? Effect.fail(ApiError.notFound()) : Effect.succeed(row)
    )

  return group(Followers)({
    *listForAuthenticatedUser(_, { caller, page, urls }) {
      return shapes(yield* rows.followers(caller.user.id, page), urls)
    },

    *listFollowedByAuthenticatedUser(_, { caller, page, urls }) {
      return shapes(yield* rows.following(caller.user.id, page), urls)
    },

    *check({ username }, { caller }) {
      const { id } = yield* account(username)
      if (!(yield* rows.has(id, caller.user.id))) return yield* ApiError.notFound()
    },

    *follow({ username }, { caller: { user } }) {
      const { id, login, type } = yield* account(username)
      if (id === user.id) return yield* cannotFollow("You cannot follow yourself")
      if (type !== "User") return yield* cannotFollow(`${login} is not a user. Only users can be followed`)
      yield* transaction(
        Effect.gen(function* () {
          if (yield* blocks.has(id, user.id)) return yield* ApiError.forbidden("User is blocked")
          if (yield* blocks.has(user.id, id)) return yield* cannotFollow("You have blocked this account")
          yield* rows.add(id, user.id)
        })
      )
    },

    *unfollow({ username }, { caller }) {
      const { id } = yield* account(username)
      yield* rows.remove(id, caller.user.id)
    },

    *listForUser({ username }, { page, urls }) {
      return shapes(yield* rows.followers((yield* account(username)).id, page), urls)
    },

    *listFollowedByUser({ username }, { page, urls }) {
      return shapes(yield* rows.following((yield* account(username)).id, page), urls)
    },

    *checkForUser({ target_user, username }) {
      const follower = yield* account(username)
      const followed = yield* account(target_user)
      if (!(yield* rows.has(followed.id, follower.id))) return yield* ApiError.notFound()
    }
  })
})
