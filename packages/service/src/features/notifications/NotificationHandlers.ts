import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import {
  Notifications,
  type NotificationThread,
  type ThreadSubscription
} from "@tongs/core/contract/groups/Notifications"
import type { Authenticated } from "../../access/Caller.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RequestContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import { parseTimestamp, timestamp } from "../../base/Time.ts"
import { type NotificationRow, NotificationRows } from "../../notifications/NotificationRows.ts"
import { SubscriptionRows } from "../../notifications/SubscriptionRows.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"

interface ListInput {
  readonly all?: "true" | "false"
  readonly participating?: "true" | "false"
  readonly since?: string
  readonly before?: string
}

type SignedIn = RequestContext & { readonly caller: Authenticated }

const threadUrl = (id: number, { api }: Urls) => `${api}/notifications/threads/${id}`

const shape = (row: NotificationRow, repository: ServedRepository, urls: Urls): NotificationThread => {
  const issues = `${Shapes.repositoryUrl(repository, urls)}/issues`
  const url = `${issues}/${row.number}`
  return {
    id: String(row.id),
    repository: Shapes.repositorySummary(repository, urls),
    subject: {
      title: row.title,
      url,
      latest_comment_url: row.comment_id === null ? url : `${issues}/comments/${row.comment_id}`,
      type: "Issue"
    },
    reason: row.reason,
    unread: row.unread === 1,
    updated_at: parseTimestamp(row.updated_at),
    last_read_at: row.last_read_at === null ? null : parseTimestamp(row.last_read_at),
    url: threadUrl(row.id, urls),
    subscription_url: `${threadUrl(row.id, urls)}/subscription`
  }
}

const normal = (time: string | undefined) => (time === undefined ? undefined : timestamp(Date.parse(time)))

/** Handlers of notifications. */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const rows = yield* NotificationRows
  const subscriptions = yield* SubscriptionRows

  const now = Effect.map(Clock.currentTimeMillis, timestamp)

  /** Creates threads. Leaves out repositories without git data. */
  const shapes = Effect.fnUntraced(function* (found: ReadonlyArray<NotificationRow>, urls: Urls) {
    const ids = new Set(found.map((row) => row.repository_id))
    const served = yield* registry.open(yield* registry.byIds(ids))
    const byId = new Map(served.map((repository) => [repository.row.id, repository]))
    return found.flatMap((row) => {
      const repository = byId.get(row.repository_id)
      return repository === undefined ? [] : [shape(row, repository, urls)]
    })
  })

  const list = Effect.fnUntraced(function* (
    { all, before, participating, since }: ListInput,
    { caller, page, urls }: SignedIn,
    repositoryId?: number
  ) {
    const filter = {
      all: all === "true",
      participating: participating === "true",
      since: normal(since),
      before: normal(before),
      repositoryId
    }
    const slice = yield* rows.list(caller, filter, page)
    return { ...slice, items: yield* shapes(slice.items, urls) }
  })

  const find = Effect.fnUntraced(function* (id: number, { caller }: SignedIn) {
    return (yield* rows.find(caller, id)) ?? (yield* ApiError.notFound())
  })

  const subscription = Effect.fnUntraced(function* (row: NotificationRow, { caller, urls }: SignedIn) {
    const found = yield* subscriptions.toIssue(caller.user.id, row.issue_id)
    return {
      subscribed: found?.ignored === 0,
      ignored: found?.ignored === 1,
      reason: found?.reason ?? null,
      created_at: found === undefined ? null : parseTimestamp(found.created_at),
      url: `${threadUrl(row.id, urls)}/subscription`,
      thread_url: threadUrl(row.id, urls)
    } satisfies ThreadSubscription
  })

  return group(Notifications)({
    *list(input, context) {
      return yield* list(input, context)
    },

    *markRead({ last_read_at }, { caller }) {
      yield* rows.markRead(caller.user.id, normal(last_read_at) ?? (yield* now))
    },

    *listForRepo(input, context) {
      return yield* list(input, context, context.repository.row.id)
    },

    *markReadForRepo({ last_read_at }, { caller, repository }) {
      yield* rows.markRead(caller.user.id, normal(last_read_at) ?? (yield* now), { repositoryId: repository.row.id })
    },

    *get({ thread_id }, context) {
      const [thread] = yield* shapes([yield* find(thread_id, context)], context.urls)
      return thread ?? (yield* ApiError.notFound())
    },

    *markThreadRead({ thread_id }, context) {
      const { id } = yield* find(thread_id, context)
      yield* rows.markRead(context.caller.user.id, yield* now, { id })
    },

    *markThreadDone({ thread_id }, context) {
      const { id } = yield* find(thread_id, context)
      yield* rows.markDone(context.caller.user.id, id)
    },

    *getSubscription({ thread_id }, context) {
      return yield* subscription(yield* find(thread_id, context), context)
    },

    *setSubscription({ ignored = false, thread_id }, context) {
      const row = yield* find(thread_id, context)
      yield* subscriptions.subscribe(context.caller.user.id, row.issue_id, ignored, yield* now)
      return yield* subscription(row, context)
    },

    *deleteSubscription({ thread_id }, context) {
      const row = yield* find(thread_id, context)
      yield* subscriptions.unsubscribe(context.caller.user.id, row.issue_id)
    }
  })
})
