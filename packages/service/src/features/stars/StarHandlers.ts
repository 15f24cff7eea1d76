import * as Effect from "effect/Effect"
import { Stars } from "@tongs/core/contract/groups/Stars"
import type { Caller } from "../../access/Caller.ts"
import { Roles } from "../../access/Roles.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as GitFacts from "../../api/GitFacts.ts"
import { group } from "../../api/Handlers.ts"
import type { RequestContext } from "../../api/RequestContext.ts"
import * as RepositorySummaries from "../../api/RepositorySummaries.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as Paging from "../../base/Paging.ts"
import { parseTimestamp } from "../../base/Time.ts"
import { Events } from "../../events/Events.ts"
import * as CacheDependencies from "../../git/values/CacheDependencies.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { BlockRows } from "../../accounts/BlockRows.ts"
import { StarRows } from "./StarRows.ts"

/** Number of repositories that are read concurrently. */
const CONCURRENCY = 8

interface Order {
  readonly sort?: "created" | "updated"
  readonly direction?: "asc" | "desc"
}

interface Starred {
  readonly row: RepositoryRow
  readonly starredAt: string
}

/** Handlers of stars. */
export const make = Effect.gen(function* () {
  const blocks = yield* BlockRows
  const events = yield* Events
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const stars = yield* StarRows
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  /** Finds a repository that the caller can see. */
  const repository = Effect.fnUntraced(function* (owner: string, repo: string, caller: Caller) {
    const found = (yield* registry.find(owner, repo)) ?? (yield* registry.findRenamed(owner, repo))
    if (found === undefined || (yield* roles.onRepository(caller, found.row)) === "none")
      return yield* ApiError.notFound()
    return found
  })

  /** Sorts by the newest commit of the default branch, oldest first. */
  const byPush = Effect.fnUntraced(function* (starred: ReadonlyArray<Starred>) {
    const byId = new Map(starred.map((one) => [one.row.id, one]))
    const dated = yield* Effect.forEach(
      yield* registry.open(starred.map(({ row }) => row)),
      (served) =>
        Effect.map(CacheDependencies.optional(GitFacts.read(served)), (facts) => ({
          id: served.row.id,
          pushedAt: facts?.pushedAt ?? 0
        })),
      { concurrency: CONCURRENCY }
    )
    return dated.sort((a, b) => a.pushedAt - b.pushedAt).flatMap(({ id }) => byId.get(id) ?? [])
  })

  /** Returns a page of the repositories that an account starred and the caller can see. */
  const list = Effect.fnUntraced(function* (user: UserRow, { direction, sort }: Order, context: RequestContext) {
    const { caller, mediaType, page, urls } = context
    const times = new Map((yield* stars.ofUser(user.id)).map((star) => [star.repository_id, star.created_at]))
    const visible = yield* roles.visible(
      caller,
      (yield* registry.list).filter(({ id }) => times.has(id))
    )
    const rows = new Map(visible.map((row) => [row.id, row]))
    const starred = [...times].flatMap(([id, starredAt]): ReadonlyArray<Starred> => {
      const row = rows.get(id)
      return row === undefined ? [] : [{ row, starredAt }]
    })
    const sorted = sort === "updated" ? yield* byPush(starred) : starred
    const { items, total } = Paging.slice(direction === "asc" ? sorted : sorted.toReversed(), page)
    const served = yield* registry.open(items.map(({ row }) => row))
    const roleOf = (row: RepositoryRow) => roles.onRepository(caller, row)
    if (mediaType !== "star") {
      const keyed = yield* RepositorySummaries.readSummaries(served, roleOf, urls)
      return { keyed: () => keyed, total }
    }
    const timed = yield* Effect.forEach(
      served,
      (one) =>
        Effect.map(RepositorySummaries.readSummaries([one], roleOf, urls), (summaries) =>
          summaries.map(({ make }) => ({
            starred_at: parseTimestamp(times.get(one.row.id) ?? ""),
            repo: make()
          }))
        ),
      { concurrency: CONCURRENCY }
    )
    return { items: timed.flat(), total }
  })

  return group(Stars)({
    *listForAuthenticatedUser(order, context) {
      return yield* list(context.caller.user, order, context)
    },

    *check({ owner, repo }, { caller }) {
      const { row } = yield* repository(owner, repo, caller)
      if (!(yield* stars.has(caller.user.id, row.id))) return yield* ApiError.notFound()
    },

    *star({ owner, repo }, { caller: { user }, caller }) {
      const found = yield* repository(owner, repo, caller)
      const at = { actor: user, repository: found }
      yield* transaction(
        Effect.gen(function* () {
          if (yield* blocks.has(found.row.owner.id, user.id))
            return yield* ApiError.forbidden("The owner of the repository has blocked you")
          const added = yield* stars.add(user.id, found.row.id)
          if (added === undefined) return
          yield* events.record({ ...at, type: "WatchEvent", payload: { action: "started" } })
          const payload = { starred_at: parseTimestamp(added.created_at) }
          yield* events.announce({ ...at, event: "star", action: "created", payload })
        })
      )
    },

    *unstar({ owner, repo }, { caller: { user }, caller }) {
      const found = yield* repository(owner, repo, caller)
      const at = { actor: user, repository: found }
      yield* transaction(
        Effect.gen(function* () {
          if (!(yield* stars.remove(user.id, found.row.id))) return
          yield* events.announce({ ...at, event: "star", action: "deleted", payload: { starred_at: null } })
        })
      )
    },

    *listForUser({ username, ...order }, context) {
      const user = (yield* users.byLogin(username)) ?? (yield* ApiError.notFound())
      return yield* list(user, order, context)
    },

    *listStargazers(_, { mediaType, page, repository: { row }, urls }) {
      const { items, total } = yield* stars.ofRepository(row.id, page)
      return {
        items: items.map(({ starred_at, ...user }) => {
          const summary = Shapes.userSummary(user, urls)
          return mediaType === "star" ? { starred_at: parseTimestamp(starred_at), user: summary } : summary
        }),
        total
      }
    },

    *getCount(_, { repository }) {
      return yield* Effect.succeed({ count: repository.row.stars })
    }
  })
})
