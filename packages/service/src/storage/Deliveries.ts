/**
 * The outbox of webhooks, and the record of what was sent. A delivery is a row from the moment of its event; whoever
 * sends it holds a lease meanwhile, so that processes share the outbox, and one that dies leaves nothing unsent.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { timestamp } from "../http/Time.ts"
import { HookRow, Hooks } from "./Hooks.ts"
import { stored, storedRows } from "./Stored.ts"

const Headers = Schema.NullOr(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))

const summaryFields = {
  id: Schema.Int,
  hook_id: Schema.Int,
  guid: Schema.String,
  redelivery: Schema.Int,
  event: Schema.String,
  action: Schema.NullOr(Schema.String),
  repository_id: Schema.NullOr(Schema.Int)
}

/** What was sent, in brief. */
export const SentRow = Schema.Struct({
  ...summaryFields,
  delivered_at: Schema.String,
  /** In seconds. */
  duration: Schema.Finite,
  status: Schema.String,
  status_code: Schema.Int
})
export type SentRow = typeof SentRow.Type

/** What was sent, and what came back. */
export const RecordRow = Schema.Struct({
  ...SentRow.fields,
  payload: Schema.String,
  url: Schema.NullOr(Schema.String),
  request_headers: Headers,
  response_headers: Headers,
  response_body: Schema.NullOr(Schema.String)
})
export type RecordRow = typeof RecordRow.Type

/** What is to be sent now, and where to. */
const ClaimedRow = Schema.Struct({ ...summaryFields, payload: Schema.String })
export interface Claimed {
  readonly delivery: typeof ClaimedRow.Type
  readonly hook: HookRow
}

export interface NewDelivery {
  readonly hookId: number
  readonly guid: string
  readonly redelivery?: boolean
  readonly event: string
  readonly action: string | null
  readonly repositoryId: number | null
  /** JSON, in the documents' vocabulary. */
  readonly payload: string
}

/** What came of sending. `code` 0 stands for none; `delivered_at` and `duration` are the sender's. */
export interface Outcome {
  readonly code: number
  readonly status: string
  /** What the hook tells of it. */
  readonly last: Pick<HookRow, "last_code" | "last_status" | "last_message">
  readonly startedAt: number
  /** In seconds. */
  readonly duration: number
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>> | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: string | null
}

/** Which deliveries of a hook: newest first, before one that was seen already. */
export interface SentPage {
  readonly hookId: number
  readonly before: number | undefined
  readonly outcome: "success" | "failure" | undefined
  readonly limit: number
}

/** How many deliveries of one hook are sent at one time, so that a slow receiver does not keep the others waiting. */
const maxPerHook = 4

const sent = storedRows(SentRow)
const record = stored(RecordRow)
const claimed = stored(ClaimedRow)
const hookOf = stored(HookRow)

export class Deliveries extends Context.Service<
  Deliveries,
  {
    add(delivery: NewDelivery): Effect.Effect<void>
    page(page: SentPage): Effect.Effect<ReadonlyArray<SentRow>>
    find(hookId: number, id: number): Effect.Effect<Option.Option<RecordRow>>
    /** Takes the next one to send, for `leaseMillis`. */
    claim(leaseMillis: number): Effect.Effect<Option.Option<Claimed>>
    settle(claimed: Claimed, outcome: Outcome): Effect.Effect<void>
    /** Gives up a lease: somebody else is to send it. */
    release(id: number): Effect.Effect<void>
    /** Drops records of deliveries before a moment. */
    forget(before: number): Effect.Effect<void>
  }
>()("@tongs/service/storage/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const hooks = yield* Hooks
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

      /** Nothing is written where nothing is to be sent: looking is cheap, and keeps no other process waiting. */
      const next = (now: number) => sql`
        SELECT d.id FROM deliveries d WHERE d.status IS NULL AND d.leased_until <= ${now}
          AND (SELECT count(*) FROM deliveries l
            WHERE l.hook_id = d.hook_id AND l.status IS NULL AND l.leased_until > ${now}) < ${maxPerHook}
        ORDER BY d.id LIMIT 1`

      return Deliveries.of({
        add: (delivery) =>
          run(
            sql`INSERT INTO deliveries ${sql.insert({
              hook_id: delivery.hookId,
              guid: delivery.guid,
              redelivery: delivery.redelivery === true ? 1 : 0,
              event: delivery.event,
              action: delivery.action,
              repository_id: delivery.repositoryId,
              payload: delivery.payload
            })}`
          ),
        page: ({ before, hookId, limit, outcome }) =>
          sent(sql`
            SELECT * FROM deliveries WHERE hook_id = ${hookId} AND status IS NOT NULL
              AND ${before === undefined ? sql`true` : sql`id < ${before}`}
              AND ${outcome === undefined ? sql`true` : outcome === "success" ? sql`status_code BETWEEN 200 AND 399` : sql`status_code NOT BETWEEN 200 AND 399`}
            ORDER BY id DESC LIMIT ${limit}`),
        find: (hookId, id) =>
          record(sql`SELECT * FROM deliveries WHERE hook_id = ${hookId} AND id = ${id} AND status IS NOT NULL`),
        claim: Effect.fn("Deliveries.claim")(function* (leaseMillis: number) {
          const now = yield* Clock.currentTimeMillis
          if ((yield* Effect.orDie(next(now))).length === 0) return Option.none()
          const row = yield* claimed(sql`
            UPDATE deliveries SET leased_until = ${now + leaseMillis} WHERE id = (${next(now)}) RETURNING *`)
          if (Option.isNone(row)) return Option.none()
          const hook = yield* hookOf(sql`SELECT * FROM hooks WHERE id = ${row.value.hook_id}`)
          return Option.map(hook, (hook) => ({ delivery: row.value, hook }))
        }),
        settle: Effect.fn("Deliveries.settle")(function* ({ delivery, hook }: Claimed, outcome: Outcome) {
          const row = {
            status: outcome.status,
            status_code: outcome.code,
            delivered_at: timestamp(outcome.startedAt),
            duration: outcome.duration,
            url: outcome.url,
            request_headers: json(outcome.requestHeaders),
            response_headers: json(outcome.responseHeaders),
            response_body: outcome.responseBody
          }
          yield* Effect.all([
            run(sql`UPDATE deliveries SET ${sql.update(row)} WHERE id = ${delivery.id}`),
            hooks.answered(hook.id, outcome.last)
          ]).pipe(sql.withTransaction, Effect.orDie)
        }),
        release: (id) => run(sql`UPDATE deliveries SET leased_until = 0 WHERE id = ${id} AND status IS NULL`),
        forget: (before) => run(sql`DELETE FROM deliveries WHERE delivered_at < ${timestamp(before)}`)
      })
    })
  )
}
