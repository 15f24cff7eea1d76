/**
 * Database rows of the webhook outbox, which is also the log of deliveries. The transaction of an event adds a row for
 * each delivery. A process leases the row before sending, so that processes share the outbox and a crash loses no
 * delivery. The times of leases are those of the database, so the clocks of the processes may differ.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as ElapsedTime from "../base/ElapsedTime.ts"
import { timestamp } from "../base/Time.ts"
import * as CircuitBreaker from "./CircuitBreaker.ts"
import { HookRow, HookRows } from "./HookRows.ts"
import { decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import * as StoreTime from "../storage/StoreTime.ts"

const Headers = Schema.NullOr(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))

const summaryFields = {
  id: Schema.Int,
  hook_id: Schema.Int,
  guid: Schema.String,
  redelivery: Schema.Int,
  event: Schema.String,
  action: Schema.NullOr(Schema.String),
  repository_id: Schema.NullOr(Schema.Int),
  installation_id: Schema.NullOr(Schema.Int)
}

/** A delivery in a list, without headers and payload. */
export const DeliverySummaryRow = Schema.Struct({
  ...summaryFields,
  delivered_at: Schema.String,
  /** Duration of the attempt, in seconds. */
  duration: Schema.Finite,
  status: Schema.String,
  status_code: Schema.Int
})
export type DeliverySummaryRow = typeof DeliverySummaryRow.Type

/** A delivery with request and response. */
export const DeliveryRow = Schema.Struct({
  ...DeliverySummaryRow.fields,
  payload: Schema.String,
  url: Schema.NullOr(Schema.String),
  request_headers: Headers,
  response_headers: Headers,
  response_body: Schema.NullOr(Schema.String)
})
export type DeliveryRow = typeof DeliveryRow.Type

/** A delivery to send, on which this process holds a lease. `leased_until` identifies the lease. */
const ClaimedRow = Schema.Struct({
  ...summaryFields,
  payload: Schema.String,
  created_at: Schema.Int,
  leased_until: Schema.Int
})
export interface LeasedDelivery {
  readonly delivery: typeof ClaimedRow.Type
  readonly hook: HookRow
  /** False once another process may have leased the delivery, for example because this process was stopped. */
  readonly isLeased: () => boolean
}

export interface NewDelivery {
  readonly hookId: number
  readonly guid: string
  readonly redelivery?: boolean
  readonly event: string
  readonly action: string | null
  readonly repositoryId: number | null
  /** The installation of an app whose event this is. */
  readonly installationId?: number | null
  /** Payload as JSON in the `service` dialect. */
  readonly payload: string
}

/** The result of an attempt. `code` is the HTTP status, or 0 without a response. */
export interface DeliveryOutcome {
  readonly code: number
  /** True if the receiver responded, with any status. */
  readonly isAnswered: boolean
  readonly status: string
  /** Columns of the webhook's `last_response`. */
  readonly last: { readonly last_code: number; readonly last_status: string; readonly last_message: string }
  readonly startedAt: number
  /** Duration of the attempt, in seconds. */
  readonly duration: number
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>> | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: string | null
}

/** A position in the list of deliveries: before or after the delivery with an id. */
export type DeliveryCursor = { readonly before: number } | { readonly after: number }

/** Selects a page of a webhook's deliveries. */
export interface DeliveryPage {
  readonly hookId: number
  /** Position in the list. Undefined for the newest deliveries. */
  readonly position: DeliveryCursor | undefined
  readonly outcome: "success" | "failure" | undefined
  readonly limit: number
}

const DeliveryBacklog = Schema.Struct({ waiting: Schema.Int, oldest: Schema.NullOr(Schema.Int) })
export type DeliveryBacklog = typeof DeliveryBacklog.Type

/** Maximum time that an open circuit breaker delays a delivery, in milliseconds. */
const MAX_WAIT_MILLIS = 24 * 60 * 60 * 1_000

/** Status code in the log for an abandoned delivery: Bad Gateway. */
const UNSENT = 502

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

const columnsOf = ({
  action,
  event,
  guid,
  hookId,
  installationId = null,
  payload,
  redelivery,
  repositoryId
}: NewDelivery) => ({
  hook_id: hookId,
  guid,
  redelivery: redelivery === true ? 1 : 0,
  event,
  action,
  repository_id: repositoryId,
  installation_id: installationId,
  payload
})

const outcomeColumns = (outcome: Omit<DeliveryOutcome, "isAnswered" | "last">) => ({
  status: outcome.status,
  status_code: outcome.code,
  delivered_at: timestamp(outcome.startedAt),
  duration: outcome.duration,
  url: outcome.url,
  request_headers: json(outcome.requestHeaders),
  response_headers: json(outcome.responseHeaders),
  response_body: outcome.responseBody
})

const sent = decodeRows(DeliverySummaryRow)
const record = decodeFirstRow(DeliveryRow)
const claimed = decodeFirstRow(ClaimedRow)
const hookOf = decodeFirstRow(HookRow)
const backlogOf = decodeFirstRow(DeliveryBacklog)

/** Milliseconds by which a time may be later than the clock allows, for example after a correction of the clock. */
const CLOCK_SLACK = 60_000

/** Milliseconds before the end of a lease at which the process no longer uses the lease. */
const LEASE_MARGIN = 500

export interface ClaimOptions {
  readonly allowSlow: boolean
  readonly inOrder?: boolean | undefined
}

export class DeliveryRows extends Context.Service<
  DeliveryRows,
  {
    add(delivery: NewDelivery): Effect.Effect<void>
    /** Adds a finished delivery to the log, without sending the delivery. */
    record(delivery: NewDelivery, outcome: Omit<DeliveryOutcome, "isAnswered" | "last">): Effect.Effect<void>
    /** Returns a page of deliveries, ordered by distance from `position`. */
    page(page: DeliveryPage): Effect.Effect<ReadonlyArray<DeliverySummaryRow>>
    find(hookId: number, id: number): Effect.Effect<DeliveryRow | undefined>
    /**
     * Leases the next due delivery for `leaseMillis`. Webhooks whose circuit breaker permits a delivery take turns.
     * Without `allowSlow`, skips webhooks whose receiver is slow or does not respond. With `inOrder`, no webhook has two
     * deliveries at a time.
     */
    claim(leaseMillis: number, options: ClaimOptions): Effect.Effect<LeasedDelivery | undefined>
    /** Records the outcome. Returns false, and records nothing, if another process has leased the delivery since. */
    settle(claimed: LeasedDelivery, outcome: DeliveryOutcome): Effect.Effect<boolean>
    /** Releases a lease, so that any process can send the delivery. */
    release(claimed: LeasedDelivery): Effect.Effect<void>
    /** Records deliveries as failed after a delay of a day by an open circuit breaker. Users can redeliver. */
    readonly giveUp: Effect.Effect<void>
    /** Deletes deliveries older than `before` from the log. */
    forget(before: number): Effect.Effect<void>
    /** Number of unsent deliveries, and when the oldest one was created, in epoch milliseconds. */
    readonly backlog: Effect.Effect<DeliveryBacklog>
  }
>()("@tongs/service/webhooks/DeliveryRows") {
  static readonly layer = Layer.effect(
    DeliveryRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { indexedBy } = SqlFragments.make(sql)
      const hooks = yield* HookRows
      const storeTime = yield* StoreTime.make
      const elapsed = ElapsedTime.make(yield* Clock.Clock)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))

      /**
       * True for a future time, at most `millis` from now. A much later time was set before the clock went back, and
       * would delay deliveries until the clock has caught up.
       */
      const isAhead = (column: string, now: number, millis: number) =>
        sql`(${sql(column)} > ${now} AND ${sql(column)} <= ${now + millis + CLOCK_SLACK})`

      /** Query for the webhooks with pending deliveries, which takes one index seek per webhook. */
      const pending = sql`
        WITH RECURSIVE pending (hook_id) AS (
          SELECT min(hook_id) FROM deliveries WHERE status IS NULL
          UNION ALL
          SELECT (SELECT min(hook_id) FROM deliveries WHERE status IS NULL AND hook_id > pending.hook_id)
          FROM pending WHERE hook_id IS NOT NULL)`

      /**
       * Query for the next due delivery. Only reads, so that an idle worker blocks no other process. Starts with
       * SELECT, because `Sqlite` counts other statements as writes, which invalidate all cached responses. Names the
       * indexes, because SQLite would otherwise read all pending rows of a webhook, perhaps a hundred thousand.
       */
      const next = (now: number, leaseMillis: number, { allowSlow, inOrder = false }: ClaimOptions) => sql`
        SELECT delivery FROM (${pending}
        SELECT h.id AS hook, CASE WHEN NOT ${isAhead("h.retry_at", now, CircuitBreaker.MAX_DELAY_MILLIS)}
            THEN (SELECT id FROM deliveries d ${indexedBy("deliveries_pending")}
              WHERE d.hook_id = h.id AND status IS NULL AND NOT ${isAhead("leased_until", now, leaseMillis)}
              ORDER BY id LIMIT 1)
            ELSE (SELECT id FROM deliveries d ${indexedBy("deliveries_requested")}
              WHERE d.hook_id = h.id AND status IS NULL AND (redelivery = 1 OR event = 'ping')
                AND NOT ${isAhead("leased_until", now, leaseMillis)}
              ORDER BY id LIMIT 1)
          END AS delivery
        FROM pending JOIN hooks h ON h.id = pending.hook_id
        WHERE ${allowSlow ? sql`true` : sql`h.is_slow = 0`}
          AND (SELECT count(*) FROM deliveries l
            WHERE l.hook_id = h.id AND ${isAhead("l.leased_until", now, leaseMillis)} AND l.status IS NULL)
            < CASE WHEN h.is_slow = 1 OR h.last_status = 'unused' THEN ${CircuitBreaker.MAX_OTHER} ELSE ${inOrder ? 1 : CircuitBreaker.MAX_FAST} END
        ) AS due
        WHERE delivery IS NOT NULL
        ORDER BY (SELECT max(leased_until) FROM deliveries l WHERE l.hook_id = due.hook), delivery LIMIT 1`

      return DeliveryRows.of({
        add: Effect.fn("Deliveries.add")(function* (delivery: NewDelivery) {
          const created_at = yield* Clock.currentTimeMillis
          yield* run(sql`INSERT INTO deliveries ${sql.insert({ created_at, ...columnsOf(delivery) })}`)
        }),
        record: (delivery, outcome) =>
          run(
            sql`INSERT INTO deliveries ${sql.insert({
              created_at: outcome.startedAt,
              ...columnsOf(delivery),
              ...outcomeColumns(outcome)
            })}`
          ),
        page: ({ hookId, limit, outcome, position }) => {
          const isNewer = position !== undefined && "after" in position
          const within =
            position === undefined ? sql`true` : isNewer ? sql`id > ${position.after}` : sql`id < ${position.before}`
          return sent(sql`
            SELECT * FROM deliveries WHERE hook_id = ${hookId} AND status IS NOT NULL AND ${within}
              AND ${outcome === undefined ? sql`true` : outcome === "success" ? sql`status_code BETWEEN 200 AND 399` : sql`status_code NOT BETWEEN 200 AND 399`}
            ORDER BY id ${sql.literal(isNewer ? "ASC" : "DESC")} LIMIT ${limit}`)
        },
        find: (hookId, id) =>
          record(sql`SELECT * FROM deliveries WHERE hook_id = ${hookId} AND id = ${id} AND status IS NOT NULL`),
        claim: Effect.fn("Deliveries.claim")(function* (leaseMillis: number, options: ClaimOptions) {
          const due = next(yield* storeTime, leaseMillis, options)
          if ((yield* Effect.orDie(due)).length === 0) return undefined
          // Another process may take the delivery in between, and the transaction may have waited for other writes.
          const lease = Effect.flatMap(
            storeTime,
            (now) => sql`
              UPDATE deliveries SET leased_until = ${now + leaseMillis}
              WHERE id = (${next(now, leaseMillis, options)}) RETURNING *`
          )
          const row = yield* claimed(Effect.orDie(sql.withTransaction(lease)))
          if (row === undefined) return undefined
          const askedAt = elapsed()
          const left = row.leased_until - (yield* storeTime) - LEASE_MARGIN
          const hook = yield* hookOf(sql`SELECT * FROM hooks WHERE id = ${row.hook_id}`)
          return hook === undefined ? undefined : { delivery: row, hook, isLeased: () => elapsed() - askedAt < left }
        }),
        settle: Effect.fn("Deliveries.settle")(function* (
          { delivery, hook }: LeasedDelivery,
          outcome: DeliveryOutcome
        ) {
          const settled = Effect.gen(function* () {
            const now = yield* storeTime
            // Reads the webhook again, because another delivery may have changed the breaker, or a user deleted the
            // webhook.
            const before = yield* hookOf(sql`SELECT * FROM hooks WHERE id = ${hook.id}`)
            if (before === undefined) return true
            const after = CircuitBreaker.next(before, { ...outcome, now })
            const times = { createdAt: delivery.created_at, startedAt: outcome.startedAt, now }
            const note = CircuitBreaker.delayNote(hook, after, times)
            const row = {
              ...outcomeColumns(outcome),
              status: outcome.status + note,
              leased_until: now
            }
            const updated = yield* sql`
              UPDATE deliveries SET ${sql.update(row)}
              WHERE id = ${delivery.id} AND status IS NULL AND leased_until = ${delivery.leased_until} RETURNING id`
            if (updated.length === 0) return false
            const last_message = outcome.last.last_message + note
            yield* hooks.answered(hook.id, { ...outcome.last, last_message, ...after })
            return true
          })
          return yield* settled.pipe(sql.withTransaction, Effect.orDie)
        }),
        release: ({ delivery }) =>
          run(sql`
            UPDATE deliveries SET leased_until = 0
            WHERE id = ${delivery.id} AND status IS NULL AND leased_until = ${delivery.leased_until}`),
        giveUp: Effect.gen(function* () {
          const now = yield* storeTime
          const status = "not sent: the receiver did not answer for a day. Redeliver it once the receiver answers"
          yield* run(sql`
            UPDATE deliveries SET status = ${status}, status_code = ${UNSENT}, delivered_at = ${timestamp(now)}, duration = 0
            WHERE status IS NULL AND leased_until <= ${now} AND created_at < ${now - MAX_WAIT_MILLIS}
              AND hook_id IN (SELECT id FROM hooks WHERE retry_at > 0)`)
        }),
        forget: (before) => run(sql`DELETE FROM deliveries WHERE delivered_at < ${timestamp(before)}`),
        backlog: Effect.map(
          backlogOf(
            sql`SELECT count(*) AS waiting, min(created_at) AS oldest FROM deliveries d ${indexedBy("deliveries_pending")}
              WHERE status IS NULL`
          ),
          (backlog) => backlog ?? { waiting: 0, oldest: null }
        )
      })
    })
  )
}
