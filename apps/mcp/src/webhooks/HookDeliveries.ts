/**
 * Merges the deliveries of several webhooks, newest first. The forge has one list for each webhook, in pages that
 * continue with cursors.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Failure from "@tongs/core/contract/Failure"
import type { HookDeliverySummary } from "@tongs/core/contract/groups/Hooks"
import type { Page } from "@tongs/core/paging/Page"
import type { Position } from "../answer/Answer.ts"
import type { Call } from "../call/Call.ts"

/** Reads a page of the deliveries of a webhook. */
export type Read = (
  hook: number,
  options: { readonly perPage: number; readonly cursor?: string; readonly deadline: number }
) => Effect.Effect<Page<HookDeliverySummary>, Failure.Failure>

/** Deliveries, newest first, and where to continue after the last one; undefined if there are no more. */
export interface Deliveries {
  readonly found: ReadonlyArray<Delivery>
  readonly after: Position | undefined
}

/** A delivery with the webhook, and the position after the delivery. */
export interface Delivery {
  readonly hook: number
  readonly delivery: HookDeliverySummary
  readonly after: Position
}

/** The deliveries of one webhook that are not merged yet. */
interface Queue {
  readonly hook: number
  /** Cursor of the page that `items` come from; undefined for the first page. */
  readonly cursor: string | undefined
  /** Number of items of the page that are merged already. */
  readonly skip: number
  /** Undefined for a page that is not read yet. */
  readonly page: Page<HookDeliverySummary> | undefined
}

/** Number of webhooks whose deliveries are read concurrently. */
const CONCURRENCY = 4

/** Maximum number of requests for deliveries of one call. */
export const MAX_REQUESTS = 100

const PER_PAGE = 30

/**
 * Reads up to `limit` deliveries that `isWanted`, from the position of the call. `keep` receives the deliveries found
 * so far.
 */
export const read = Effect.fnUntraced(function* (
  call: Pick<Call, "deadline" | "position" | "reportProgress">,
  hooks: ReadonlyArray<number>,
  fetch: Read,
  {
    isWanted,
    keep,
    limit
  }: {
    readonly isWanted: (delivery: HookDeliverySummary) => boolean
    readonly keep: (deliveries: Deliveries) => Effect.Effect<void>
    readonly limit: number
  }
) {
  let queues = startOf(call.position) ?? hooks.map((hook) => ({ hook, cursor: undefined, skip: 0, page: undefined }))
  let requests = 0
  const found: Array<Delivery> = []

  const deliveries = (): Deliveries => {
    const isMore = queues.flatMap(atNextItem).length > 0
    return { found: [...found], after: isMore ? positionOf(queues) : undefined }
  }

  const load = (queue: Queue) =>
    queue.page !== undefined
      ? Effect.succeed([queue])
      : fetch(queue.hook, {
          perPage: PER_PAGE,
          deadline: call.deadline,
          ...(queue.cursor === undefined ? {} : { cursor: queue.cursor })
        }).pipe(
          Effect.map((page) => [{ ...queue, page }]),
          // The webhook was deleted.
          Effect.catchTag("NotFound", () => Effect.succeed([]))
        )

  while (found.length < limit) {
    const missing = queues.filter(({ page }) => page === undefined).length
    if (requests + missing > MAX_REQUESTS) break
    if (missing > 0) {
      yield* keep(deliveries())
      yield* call.reportProgress(requests, undefined, "pages of deliveries read")
    }
    requests += missing
    queues = (yield* Effect.forEach(queues, load, { concurrency: CONCURRENCY })).flat().flatMap(atNextItem)
    if (queues.some(({ page }) => page === undefined)) continue
    const newest = queues.reduce<Queue | undefined>(
      (best, queue) => (timeOf(queue) > timeOf(best) ? queue : best),
      undefined
    )
    const delivery = headOf(newest)
    if (newest === undefined || delivery === undefined) break
    queues = queues.map((queue) => (queue === newest ? { ...queue, skip: queue.skip + 1 } : queue))
    if (isWanted(delivery)) found.push({ hook: newest.hook, delivery, after: positionOf(queues) })
  }
  return deliveries()
})

const headOf = (queue: Queue | undefined): HookDeliverySummary | undefined => queue?.page?.items[queue.skip]

const timeOf = (queue: Queue | undefined): number => {
  const delivery = headOf(queue)
  // A delivery without a valid time must not block further deliveries of the webhook.
  return delivery === undefined ? -Infinity : Date.parse(delivery.delivered_at) || Number.MAX_SAFE_INTEGER
}

/** Moves a queue at the end of its page to the next page. Returns nothing after the last page. */
const atNextItem = (queue: Queue): ReadonlyArray<Queue> => {
  if (queue.page === undefined || queue.skip < queue.page.items.length) return [queue]
  const { cursor } = queue.page
  return cursor === undefined ? [] : [{ hook: queue.hook, cursor, skip: 0, page: undefined }]
}

const QueuePositions = Schema.fromJsonString(Schema.Array(Schema.Tuple([Schema.Int, Schema.String, Schema.Int])))

const positionOf = (queues: ReadonlyArray<Queue>): Position => ({
  page: JSON.stringify(queues.map(({ cursor = "", hook, skip }) => [hook, cursor, skip])),
  skip: 0
})

const startOf = (position: Position | undefined): ReadonlyArray<Queue> | undefined =>
  position?.page === undefined
    ? undefined
    : Schema.decodeSync(QueuePositions)(position.page).map(([hook, cursor, skip]) => ({
        hook,
        cursor: cursor === "" ? undefined : cursor,
        skip,
        page: undefined
      }))
