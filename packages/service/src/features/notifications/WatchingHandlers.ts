import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type RepositorySubscription, Watching } from "@tongs/core/contract/groups/Watching"
import { Roles } from "../../access/Roles.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import * as RepositorySummaries from "../../api/RepositorySummaries.ts"
import type { RequestContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { parseTimestamp, timestamp } from "../../base/Time.ts"
import { type RepositorySubscriptionRow, SubscriptionRows } from "../../notifications/SubscriptionRows.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { Caller } from "../../access/Caller.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { BlockRows } from "../../accounts/BlockRows.ts"

/** Handlers of watched repositories. */
export const make = Effect.gen(function* () {
  const blocks = yield* BlockRows
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const rows = yield* SubscriptionRows
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  const shape = (
    { created_at, ignored }: RepositorySubscriptionRow,
    { repository, urls }: SignedInRepositoryContext
  ): RepositorySubscription => {
    const url = Shapes.repositoryUrl(repository, urls)
    return {
      subscribed: ignored === 0,
      ignored: ignored === 1,
      reason: null,
      created_at: parseTimestamp(created_at),
      url: `${url}/subscription`,
      repository_url: url
    }
  }

  const own = Effect.fnUntraced(function* (context: SignedInRepositoryContext) {
    const row = yield* rows.watching(context.caller.user.id, context.repository.row.id)
    return row === undefined ? yield* ApiError.notFound() : shape(row, context)
  })

  /** A page of the repositories that a user watches and `reader` may read. */
  const watched = Effect.fnUntraced(function* (userId: number, reader: Caller, { caller, page, urls }: RequestContext) {
    const { items, total } = yield* rows.watched(userId, reader, page)
    const ids = new Set(items)
    const served = yield* registry.open(yield* registry.byIds(ids))
    const found = yield* roles.onRepositories(
      caller,
      served.map(({ row }) => row)
    )
    const keyed = yield* RepositorySummaries.readSummaries(
      served.toSorted((one, other) => one.row.id - other.row.id),
      ({ id }) => Effect.succeed(found.get(id) ?? "none"),
      urls
    )
    return { keyed: () => keyed, total }
  })

  return group(Watching)({
    *listForRepo(_, { page, repository, urls }) {
      const { items, total } = yield* rows.watchers(repository.row.id, page)
      return { items: items.map((row) => Shapes.userSummary(row, urls)), total }
    },

    *get(_, context) {
      return yield* own(context)
    },

    *set({ ignored = false, subscribed = !ignored }, context) {
      const { caller, repository } = context
      const { id } = repository.row
      const now = timestamp(yield* Clock.currentTimeMillis)
      if (!ignored && !subscribed) {
        yield* rows.unwatch(caller.user.id, id)
        return { ...shape({ ignored: 0, created_at: now }, context), subscribed: false }
      }
      yield* transaction(
        Effect.gen(function* () {
          if (!ignored && (yield* blocks.has(repository.row.owner.id, caller.user.id)))
            return yield* ApiError.forbidden("The owner of the repository has blocked you")
          yield* rows.watch(caller.user.id, id, ignored, now)
        })
      )
      return yield* own(context)
    },

    *delete(_, { caller, repository }) {
      yield* rows.unwatch(caller.user.id, repository.row.id)
    },

    *listForAuthenticatedUser(_, context) {
      return yield* watched(context.caller.user.id, context.caller, context)
    },

    *listForUser({ username }, context) {
      const user = yield* users.byLogin(username)
      // Others see only what everyone can read.
      return user === undefined ? yield* ApiError.notFound() : yield* watched(user.id, { kind: "anonymous" }, context)
    }
  })
})
