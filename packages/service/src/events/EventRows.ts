/** Database rows of events, and of reference changes in progress. */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeCount, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { ghost } from "../accounts/Ghost.ts"
import { accountJson, UserRow } from "../accounts/UserRows.ts"

export const EventRow = Schema.Struct({
  id: Schema.Int,
  type: Schema.String,
  public: Schema.Int,
  payload: Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)),
  created_at: Schema.String,
  /** `ghost` if the account was deleted. */
  actor: Schema.fromJsonString(UserRow),
  repository_id: Schema.Int
})
export type EventRow = typeof EventRow.Type

export interface NewEventRow {
  readonly type: string
  readonly actor_id: number
  readonly repository_id: number
  readonly public: 0 | 1
  readonly payload: string
  /** Unique id of the cause of the event, for example of a reference change. */
  readonly change: string | null
  readonly created_at: string
}

/** Selects events: all, or the events of a repository, of an owner, by the acting user or for a receiving user. */
export type EventFilter =
  | { readonly _tag: "Everything" }
  | { readonly _tag: "Repository" | "Owner" | "Actor" | "Received"; readonly id: number }

/**
 * Ids of repositories whose events the caller can read: `whole` for all events, `publicOnly` for public events only. Only
 * those of `withIssues` show events of issues.
 */
export interface ReadableRepositories {
  readonly whole: ReadonlyArray<number>
  readonly publicOnly: ReadonlyArray<number>
  readonly withIssues: ReadonlyArray<number>
}

/** A reference change in progress. `before` is null for a creation, `after` for a deletion. */
export const RefChangeRow = Schema.Struct({
  id: Schema.String,
  repository_id: Schema.Int,
  /** Null if the account was deleted. */
  actor_id: Schema.NullOr(Schema.Int),
  ref: Schema.String,
  before: Schema.NullOr(Schema.String),
  after: Schema.NullOr(Schema.String),
  /** Base URL of API links in the event, as in `Urls`. */
  api: Schema.String,
  html: Schema.String,
  /** Id of the process that changes the reference, and the start of the change in epoch milliseconds. */
  process: Schema.Int,
  begun_at: Schema.Int,
  /** Id of the git process that can outlive `process`, for example `git receive-pack`. Null if git ends at once. */
  git: Schema.NullOr(Schema.Int),
  /** Address of the process in its cluster, where ids of other machines' processes mean nothing. Null without a cluster. */
  runner: Schema.NullOr(Schema.String),
  /** 1 if a later change found the reference at `after`, which proves this change. */
  moved: Schema.Int
})
export type RefChangeRow = typeof RefChangeRow.Type

const BegunRefChange = Schema.Struct({
  ...RefChangeRow.fields,
  actor: Schema.fromJsonString(UserRow),
  owner: Schema.String,
  name: Schema.String
})
export type BegunRefChange = typeof BegunRefChange.Type

const begunChanges = decodeRows(BegunRefChange)

/** Rows per statement. SQLite limits the number of values. */
const ROWS_PER_INSERT = 1000

const events = decodeRows(EventRow)
const ids = decodeRows(Schema.Struct({ id: Schema.Int }))

export class EventRows extends Context.Service<
  EventRows,
  {
    /**
     * Inserts an event and returns the id, or none if an event for the same change exists. The actor can be deleted.
     */
    insert(event: NewEventRow): Effect.Effect<number | undefined>
    /** Returns the ids of the repositories with matching events. */
    repositories(about: EventFilter): Effect.Effect<ReadonlyArray<number>>
    count(about: EventFilter, readable: ReadableRepositories): Effect.Effect<number>
    /** Returns a page of the matching events, newest first. */
    page(
      about: EventFilter,
      readable: ReadableRepositories,
      offset: number,
      limit: number
    ): Effect.Effect<ReadonlyArray<EventRow>>
    /** Finds the newest event of a type in a repository. */
    newest(repositoryId: number, type: string): Effect.Effect<EventRow | undefined>
    /** Inserts reference changes in progress, all or none. */
    begin(changes: ReadonlyArray<RefChangeRow>): Effect.Effect<void>
    end(id: string): Effect.Effect<void>
    /** Marks the changes in progress that moved a reference to the target found by a later change. */
    markMoved(repositoryId: number, ref: string, target: string | null): Effect.Effect<void>
    /** Reference changes in progress, oldest first, with user, owner and name of the repository. */
    readonly begun: Effect.Effect<ReadonlyArray<BegunRefChange>>
  }
>()("@tongs/service/events/EventRows") {
  static readonly layer = Layer.effect(
    EventRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const { isOneOf } = fragments
      const actor = sql`coalesce(${sql.literal(accountJson(fragments, "a"))}, ${JSON.stringify(ghost)}) AS actor`
      const columns = sql.literal("e.id, e.type, e.public, e.payload, e.created_at, e.repository_id")

      const where = (about: EventFilter) => {
        switch (about._tag) {
          case "Everything":
            return sql`true`
          case "Repository":
            return sql`e.repository_id = ${about.id}`
          case "Owner":
            return sql`e.repository_id IN (SELECT id FROM repositories WHERE owner_id = ${about.id})`
          case "Actor":
            return sql`e.actor_id = ${about.id}`
          case "Received":
            return sql`e.repository_id IN (
              SELECT id FROM repositories WHERE owner_id = ${about.id}
              UNION SELECT repository_id FROM collaborators WHERE user_id = ${about.id})`
        }
      }
      const may = ({ publicOnly, whole, withIssues }: ReadableRepositories) => sql`(
        ${isOneOf("e.repository_id", whole)}
        OR (e.public = 1 AND ${isOneOf("e.repository_id", publicOnly)}))
        AND (e.type NOT IN ('IssuesEvent', 'IssueCommentEvent') OR ${isOneOf("e.repository_id", withIssues)})`

      return EventRows.of({
        insert: (event) =>
          Effect.map(
            ids(sql`
              INSERT INTO events (type, actor_id, repository_id, public, payload, change, created_at)
              VALUES (${event.type}, (SELECT id FROM users WHERE id = ${event.actor_id}), ${event.repository_id},
                ${event.public}, ${event.payload}, ${event.change}, ${event.created_at})
              ON CONFLICT (change) DO NOTHING RETURNING id`),
            ([row]) => row?.id
          ),
        repositories: (about) =>
          Effect.map(ids(sql`SELECT DISTINCT e.repository_id AS id FROM events e WHERE ${where(about)}`), (rows) =>
            rows.map(({ id }) => id)
          ),
        count: (about, readable) =>
          decodeCount(sql`SELECT count(*) AS count FROM events e WHERE ${where(about)} AND ${may(readable)}`),
        page: (about, readable, offset, limit) =>
          events(sql`
            SELECT ${columns}, ${actor} FROM events e LEFT JOIN users a ON a.id = e.actor_id
            WHERE ${where(about)} AND ${may(readable)} ORDER BY e.id DESC LIMIT ${limit} OFFSET ${offset}`),
        newest: (repositoryId, type) =>
          Effect.map(
            events(sql`
              SELECT ${columns}, ${actor} FROM events e LEFT JOIN users a ON a.id = e.actor_id
              WHERE e.repository_id = ${repositoryId} AND e.type = ${type} ORDER BY e.id DESC LIMIT 1`),
            ([row]) => row
          ),
        begin: (changes) =>
          Effect.forEach(
            Arr.chunksOf(changes, ROWS_PER_INSERT),
            (rows) => sql`INSERT INTO ref_changes ${sql.insert(Arr.map(rows, (row) => ({ ...row })))}`
          ).pipe(sql.withTransaction, Effect.asVoid, Effect.orDie),
        end: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM ref_changes WHERE id = ${id}`)),
        markMoved: (repositoryId, ref, target) =>
          Effect.orDie(
            Effect.asVoid(sql`
              UPDATE ref_changes SET moved = 1
              WHERE repository_id = ${repositoryId} AND ref = ${ref} AND after IS NOT DISTINCT FROM ${target}`)
          ),
        begun: begunChanges(sql`
          SELECT c.*, ${actor}, u.login AS owner, r.name FROM ref_changes c
          LEFT JOIN users a ON a.id = c.actor_id
          JOIN repositories r ON r.id = c.repository_id JOIN users u ON u.id = r.owner_id
          ORDER BY c.begun_at, c.id`)
      })
    })
  )
}
