/** Database rows of the events of issues. Timelines show them with the comments. */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest } from "../base/Paging.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

const Account = Schema.NullOr(Schema.fromJsonString(UserRow))

/** An event of an issue. */
export const IssueEventRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  issue_id: Schema.Int,
  event: Schema.String,
  /** Members of the event's resource that depend on its kind, as they were at the time of the event. */
  data: Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)),
  commit_id: Schema.NullOr(Schema.String),
  /** Owner and name of the repository of the commit. */
  commit_repository: Schema.NullOr(Schema.String),
  /** The other issue of a reference, a sub-issue or a dependency. */
  other_issue_id: Schema.NullOr(Schema.Int),
  created_at: Schema.String,
  /** Null if the account was deleted. */
  actor: Account,
  assignee: Account
})
export type IssueEventRow = typeof IssueEventRow.Type

/** A new event. */
export interface NewIssueEvent {
  readonly issue: { readonly id: number; readonly repository_id: number }
  readonly actorId: number | null
  readonly event: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly assigneeId?: number
  readonly commit?: { readonly id: string; readonly repositoryId: number }
  readonly otherIssueId?: number
  readonly commentId?: number
}

/** An item of a timeline: the id of an event or of a comment. */
const TimelineEntry = Schema.Struct({ kind: Schema.Literals(["event", "comment"]), id: Schema.Int })

/** Rows per statement. Both databases limit the number of values. */
const ROWS_PER_INSERT = 1000

const events = decodeRows(IssueEventRow)
const pageRows = decodeRows(Schema.Struct({ ...IssueEventRow.fields, total: Schema.Int }))
const counted = decodeFirstRow(Schema.Struct({ total: Schema.Int }))
const ids = decodeRows(Schema.Struct({ id: Schema.Int }))
const entries = decodeRows(Schema.Struct({ ...TimelineEntry.fields, total: Schema.Int }))

type EventPage = Effect.Effect<{ readonly items: ReadonlyArray<IssueEventRow>; readonly total: number }>

/** Reads and writes events of issues. */
export class IssueEventRows extends Context.Service<
  IssueEventRows,
  {
    /** Adds events, in one statement for up to 1,000. */
    add(events: ReadonlyArray<NewIssueEvent>, createdAt: string): Effect.Effect<void>
    /** Returns events of an issue, the oldest first, without references from other issues. */
    list(issueId: number, page: PageRequest): EventPage
    /** Returns events of a repository, the newest first, without references from other issues. */
    listForRepo(repositoryId: number, page: PageRequest): EventPage
    find(repositoryId: number, id: number): Effect.Effect<IssueEventRow | undefined>
    byIds(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, IssueEventRow>>
    /** Returns the repositories of the other issues that events of an issue name. */
    relatedRepositories(issueId: number): Effect.Effect<ReadonlyArray<number>>
    /**
     * Returns a page of the comments and events of an issue, the oldest first. Events that name an issue of another
     * repository are left out unless the repository is `readable`.
     */
    timeline(
      issue: { readonly id: number; readonly repository_id: number },
      readable: ReadonlyArray<number>,
      page: PageRequest
    ): Effect.Effect<{ readonly items: ReadonlyArray<typeof TimelineEntry.Type>; readonly total: number }>
    /** Moves the events of a transferred issue. */
    move(issueId: number, repositoryId: number): Effect.Effect<void>
  }
>()("@tongs/service/issues/IssueEventRows") {
  static readonly layer = Layer.effect(
    IssueEventRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      // A commit of another repository is shown while that repository is public, whoever the reader is.
      const hasVisibleCommit = sql.literal(`(e.commit_repository_id IS NULL OR e.commit_repository_id = e.repository_id
        OR EXISTS (SELECT 1 FROM repositories c WHERE c.id = e.commit_repository_id AND c.private = 0))`)
      const columns = sql`
        e.id, e.repository_id, e.issue_id, e.event, e.data, e.other_issue_id, e.created_at,
        CASE WHEN ${hasVisibleCommit} THEN e.commit_id END AS commit_id,
        CASE WHEN ${hasVisibleCommit} THEN owner.login || '/' || r.name END AS commit_repository,
        ${sql.literal(accountJson(fragments, "actor"))} AS actor,
        ${sql.literal(accountJson(fragments, "assignee"))} AS assignee`
      const from = sql.literal(`issue_events e
        LEFT JOIN users actor ON actor.id = e.actor_id LEFT JOIN users assignee ON assignee.id = e.assignee_id
        LEFT JOIN repositories r ON r.id = e.commit_repository_id LEFT JOIN users owner ON owner.id = r.owner_id`)
      const hasShownCommit = sql`(e.event <> 'referenced' OR ${hasVisibleCommit})`
      const isShown = sql`e.event <> 'cross-referenced' AND ${hasShownCommit}`

      const page = Effect.fnUntraced(function* (where: Fragment, order: Fragment, { offset, perPage }: PageRequest) {
        const total = sql`(SELECT count(*) FROM issue_events e WHERE ${where})`
        const found = yield* pageRows(sql`
          SELECT ${columns}, ${total} AS total FROM ${from} WHERE ${where}
          ORDER BY ${order} LIMIT ${perPage} OFFSET ${offset}`)
        const [first] = found
        if (first !== undefined || offset === 0) return { items: found, total: first?.total ?? 0 }
        return { items: [], total: (yield* requireRow(counted(sql`SELECT ${total} AS total`))).total }
      })

      return IssueEventRows.of({
        add: (added, createdAt) =>
          Effect.forEach(
            Arr.chunksOf(added, ROWS_PER_INSERT),
            (some) => sql`INSERT INTO issue_events ${sql.insert(Arr.map(some, (event) => rowOf(event, createdAt)))}`
          ).pipe(Effect.asVoid, Effect.orDie),
        list: (issueId, request) => page(sql`e.issue_id = ${issueId} AND ${isShown}`, sql`e.id`, request),
        listForRepo: (repositoryId, request) =>
          page(sql`e.repository_id = ${repositoryId} AND ${isShown}`, sql`e.id DESC`, request),
        find: (repositoryId, id) =>
          Effect.map(
            events(sql`
              SELECT ${columns} FROM ${from}
              WHERE e.id = ${id} AND e.repository_id = ${repositoryId} AND ${isShown}`),
            ([row]) => row
          ),
        byIds: (wanted) =>
          wanted.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                events(sql`SELECT ${columns} FROM ${from} WHERE ${fragments.isOneOf("e.id", wanted)}`),
                (found) => new Map(found.map((row) => [row.id, row]))
              ),
        relatedRepositories: (issueId) =>
          Effect.map(
            ids(sql`
              SELECT DISTINCT o.repository_id AS id FROM issue_events e JOIN issues o ON o.id = e.other_issue_id
              WHERE e.issue_id = ${issueId} AND o.repository_id <> e.repository_id`),
            (found) => found.map(({ id }) => id)
          ),
        timeline: Effect.fn("IssueEventRows.timeline")(function* (issue, readable, { offset, perPage }) {
          const isReadable = sql`(e.other_issue_id IS NULL OR EXISTS (
            SELECT 1 FROM issues o WHERE o.id = e.other_issue_id
              AND (o.repository_id = ${issue.repository_id} OR ${fragments.isOneOf("o.repository_id", readable)})))`
          const where = sql`e.issue_id = ${issue.id} AND ${isReadable} AND ${hasShownCommit}`
          const total = sql`(SELECT count(*) FROM issue_events e WHERE ${where})
            + (SELECT count(*) FROM issue_comments c WHERE c.issue_id = ${issue.id})`
          const found = yield* entries(sql`
            SELECT kind, id, ${total} AS total FROM (
              SELECT 'event' AS kind, e.id, e.created_at FROM issue_events e WHERE ${where}
              UNION ALL SELECT 'comment', c.id, c.created_at FROM issue_comments c WHERE c.issue_id = ${issue.id}
            ) items ORDER BY created_at, kind, id LIMIT ${perPage} OFFSET ${offset}`)
          const [first] = found
          if (first !== undefined || offset === 0) return { items: found, total: first?.total ?? 0 }
          return { items: [], total: (yield* requireRow(counted(sql`SELECT ${total} AS total`))).total }
        }),
        move: (issueId, repositoryId) =>
          Effect.orDie(
            Effect.asVoid(sql`UPDATE issue_events SET repository_id = ${repositoryId} WHERE issue_id = ${issueId}`)
          )
      })
    })
  )
}

const rowOf = ({ data = {}, ...event }: NewIssueEvent, createdAt: string) => ({
  repository_id: event.issue.repository_id,
  issue_id: event.issue.id,
  actor_id: event.actorId,
  event: event.event,
  data: JSON.stringify(data),
  assignee_id: event.assigneeId ?? null,
  commit_id: event.commit?.id ?? null,
  commit_repository_id: event.commit?.repositoryId ?? null,
  other_issue_id: event.otherIssueId ?? null,
  comment_id: event.commentId ?? null,
  created_at: createdAt
})
