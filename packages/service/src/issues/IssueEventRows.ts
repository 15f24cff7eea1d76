/** Database rows of the events of issues. Timelines show them with the comments. */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { issuesRead } from "@tongs/core/contract/IssueAccess"
import type { Caller } from "../access/Caller.ts"
import * as ReadableRepositories from "../access/ReadableRepositories.ts"
import { NestedTeamRow, teamObject } from "../accounts/TeamRows.ts"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest } from "../base/Paging.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { type IssueCommentRow, IssueCommentRows } from "./IssueCommentRows.ts"

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
  /** The assigned account, or the requested reviewer. */
  assignee: Account,
  /** The requested team. Null also for a secret one, which only its members see. */
  team: Schema.NullOr(Schema.fromJsonString(NestedTeamRow))
})
export type IssueEventRow = typeof IssueEventRow.Type

/** A new event. */
export interface NewIssueEvent {
  readonly issue: { readonly id: number; readonly repository_id: number }
  readonly actorId: number | null
  readonly event: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly assigneeId?: number
  readonly teamId?: number
  readonly commit?: { readonly id: string; readonly repositoryId: number }
  readonly otherIssueId?: number
  readonly commentId?: number
}

/** A submitted review, of which a timeline needs the time. */
export interface TimelineReview {
  readonly id: number
  readonly submitted_at: string | null
}

/** An item of a timeline. */
export type TimelineEntry<R extends TimelineReview> =
  | { readonly kind: "event"; readonly row: IssueEventRow }
  | { readonly kind: "comment"; readonly row: IssueCommentRow }
  | { readonly kind: "review"; readonly row: R }

/** Rows per statement. Both databases limit the number of values. */
const ROWS_PER_INSERT = 1000

const events = decodeRows(IssueEventRow)
const pageRows = decodeRows(Schema.Struct({ ...IssueEventRow.fields, total: Schema.Int }))
const counted = decodeFirstRow(Schema.Struct({ total: Schema.Int }))
const timelineRows = decodeRows(Schema.Struct({ ...IssueEventRow.fields, total: Schema.Int, reviews: Schema.Int }))
const timelineCounts = decodeFirstRow(Schema.Struct({ total: Schema.Int, reviews: Schema.Int }))

type EventPage = Effect.Effect<{ readonly items: ReadonlyArray<IssueEventRow>; readonly total: number }>

/** Reads and writes events of issues. A reader sees no events that name an issue of a repository hidden from the reader. */
export class IssueEventRows extends Context.Service<
  IssueEventRows,
  {
    /** Adds events, in one statement for up to 1,000. */
    add(events: ReadonlyArray<NewIssueEvent>, createdAt: string): Effect.Effect<void>
    /** Returns events of an issue, the oldest first, without references from other issues. */
    list(issueId: number | Fragment, reader: Caller, page: PageRequest): EventPage
    /** Returns events of a repository, the newest first, without references from other issues. */
    listForRepo(repositoryId: number, reader: Caller, page: PageRequest): EventPage
    find(repositoryId: number, id: number, reader: Caller): Effect.Effect<IssueEventRow | undefined>
    /**
     * Returns a page of the comments, events and submitted reviews of an issue, the oldest first. `reviews` reads the
     * reviews whose ids a subquery selects.
     */
    timeline<R extends TimelineReview>(
      issueId: number | Fragment,
      reader: Caller,
      page: PageRequest,
      reviews: (ids: Fragment) => Effect.Effect<ReadonlyArray<R>>
    ): Effect.Effect<{ readonly items: ReadonlyArray<TimelineEntry<R>>; readonly total: number }>
    /** Moves the events of a transferred issue. */
    move(issueId: number, repositoryId: number): Effect.Effect<void>
  }
>()("@tongs/service/issues/IssueEventRows") {
  static readonly layer = Layer.effect(
    IssueEventRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const comments = yield* IssueCommentRows
      // Commits of private repositories are hidden in other repositories, also from callers who can read both.
      const hasVisibleCommit = sql.literal(`(e.commit_repository_id IS NULL OR e.commit_repository_id = e.repository_id
        OR EXISTS (SELECT 1 FROM repositories c WHERE c.id = e.commit_repository_id AND c.private = 0))`)
      const columns = sql`
        e.id, e.repository_id, e.issue_id, e.event, e.data, e.other_issue_id, e.created_at,
        CASE WHEN ${hasVisibleCommit} THEN e.commit_id END AS commit_id,
        CASE WHEN ${hasVisibleCommit} THEN owner.login || '/' || r.name END AS commit_repository,
        ${sql.literal(accountJson(fragments, "actor"))} AS actor,
        ${sql.literal(accountJson(fragments, "assignee"))} AS assignee,
        CASE WHEN team.id IS NULL THEN NULL
          ELSE ${sql.literal(fragments.jsonText(teamObject(fragments, "team", "team_owner", "team_parent")))} END AS team`
      const from = sql.literal(`issue_events e
        LEFT JOIN users actor ON actor.id = e.actor_id LEFT JOIN users assignee ON assignee.id = e.assignee_id
        LEFT JOIN repositories r ON r.id = e.commit_repository_id LEFT JOIN users owner ON owner.id = r.owner_id
        LEFT JOIN teams team ON team.id = e.team_id AND team.privacy = 'closed'
        LEFT JOIN users team_owner ON team_owner.id = team.organization_id
        LEFT JOIN teams team_parent ON team_parent.id = team.parent_id`)
      const hasShownCommit = sql`(e.event <> 'referenced' OR ${hasVisibleCommit})`
      const isShownTo = (reader: Caller) => sql`${hasShownCommit} AND (e.other_issue_id IS NULL OR EXISTS (
        SELECT 1 FROM issues o JOIN repositories other ON other.id = o.repository_id
        WHERE o.id = e.other_issue_id
          AND (other.id = e.repository_id OR ${ReadableRepositories.byCaller(sql, reader, issuesRead, "other")})))`
      const isListedFor = (reader: Caller) => sql`e.event <> 'cross-referenced' AND ${isShownTo(reader)}`

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
        list: (issueId, reader, request) =>
          page(sql`e.issue_id = ${issueId} AND ${isListedFor(reader)}`, sql`e.id`, request),
        listForRepo: (repositoryId, reader, request) =>
          page(sql`e.repository_id = ${repositoryId} AND ${isListedFor(reader)}`, sql`e.id DESC`, request),
        find: (repositoryId, id, reader) =>
          Effect.map(
            events(sql`
              SELECT ${columns} FROM ${from}
              WHERE e.id = ${id} AND e.repository_id = ${repositoryId} AND ${isListedFor(reader)}`),
            ([row]) => row
          ),
        timeline: Effect.fn("IssueEventRows.timeline")(function* <R extends TimelineReview>(
          issueId: number | Fragment,
          reader: Caller,
          { offset, perPage }: PageRequest,
          readReviews: (ids: Fragment) => Effect.Effect<ReadonlyArray<R>>
        ) {
          const where = sql`e.issue_id = ${issueId} AND ${isShownTo(reader)}`
          const reviews = sql`pull_request_reviews v WHERE v.issue_id = ${issueId} AND v.submitted_at IS NOT NULL`
          const reviewCount = sql`(SELECT count(*) FROM ${reviews})`
          const counts = sql`(SELECT count(*) FROM issue_events e WHERE ${where})
            + (SELECT count(*) FROM issue_comments c WHERE c.issue_id = ${issueId}) + ${reviewCount} AS total,
            ${reviewCount} AS reviews`
          const idsOf = (kind: "event" | "comment" | "review") => sql`
            SELECT id FROM (
              SELECT kind, id FROM (
                SELECT 'event' AS kind, e.id, e.created_at FROM issue_events e WHERE ${where}
                UNION ALL SELECT 'comment', c.id, c.created_at FROM issue_comments c WHERE c.issue_id = ${issueId}
                UNION ALL SELECT 'review', v.id, v.submitted_at FROM ${reviews}
              ) items ORDER BY created_at, kind, id LIMIT ${perPage} OFFSET ${offset}) page
            WHERE kind = ${kind}`
          const found = yield* timelineRows(
            sql`SELECT ${columns}, ${counts} FROM ${from} WHERE e.id IN (${idsOf("event")})`
          )
          const said = yield* comments.among(idsOf("comment"))
          const known = found[0] ?? (yield* requireRow(timelineCounts(sql`SELECT ${counts}`)))
          const reviewed = known.reviews === 0 ? [] : yield* readReviews(idsOf("review"))
          const items = [
            ...found.map((row): TimelineEntry<R> => ({ kind: "event", row })),
            ...said.map((row): TimelineEntry<R> => ({ kind: "comment", row })),
            ...reviewed.map((row): TimelineEntry<R> => ({ kind: "review", row }))
          ].sort(byTime)
          return { items, total: known.total }
        }),
        move: (issueId, repositoryId) =>
          Effect.orDie(
            Effect.asVoid(sql`UPDATE issue_events SET repository_id = ${repositoryId} WHERE issue_id = ${issueId}`)
          )
      })
    })
  )
}

const timeOf = <R extends TimelineReview>(one: TimelineEntry<R>) =>
  one.kind === "review" ? (one.row.submitted_at ?? "") : one.row.created_at

const byTime = <R extends TimelineReview>(one: TimelineEntry<R>, other: TimelineEntry<R>) =>
  compare(timeOf(one), timeOf(other)) || compare(one.kind, other.kind) || one.row.id - other.row.id

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

const rowOf = ({ data = {}, ...event }: NewIssueEvent, createdAt: string) => ({
  repository_id: event.issue.repository_id,
  issue_id: event.issue.id,
  actor_id: event.actorId,
  event: event.event,
  data: JSON.stringify(data),
  assignee_id: event.assigneeId ?? null,
  team_id: event.teamId ?? null,
  commit_id: event.commit?.id ?? null,
  commit_repository_id: event.commit?.repositoryId ?? null,
  other_issue_id: event.otherIssueId ?? null,
  comment_id: event.commentId ?? null,
  created_at: createdAt
})
