/** Database rows of comments on issues. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest } from "../base/Paging.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as PageCache from "../storage/PageCache.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import { Standing, standing } from "./AuthorAssociation.ts"
import * as IssueTexts from "./IssueTexts.ts"

/** A comment with its author, and the number of its issue. Timestamps are ISO 8601. */
export const IssueCommentRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  issue_id: Schema.Int,
  /** Null if the account was deleted. */
  author_id: Schema.NullOr(Schema.Int),
  body: Schema.String,
  pinned_at: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String,
  number: Schema.Int,
  is_pull_request: Schema.Int,
  author: Schema.NullOr(Schema.fromJsonString(UserRow)),
  /** The relation of the author to the repository that the database knows. */
  standing: Standing,
  pinned_by: Schema.NullOr(Schema.fromJsonString(UserRow)),
  /** Number of reactions by content. */
  reactions: Schema.fromJsonString(Schema.Record(Schema.String, Schema.Int))
})
export type IssueCommentRow = typeof IssueCommentRow.Type

/** A new comment. */
export interface NewIssueComment {
  readonly repository_id: number
  readonly issue_id: number
  readonly author_id: number | null
  readonly body: string
  readonly created_at: string
  readonly updated_at: string
}

const one = decodeFirstRow(IssueCommentRow)
const all = decodeRows(IssueCommentRow)
const inserted = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

type CommentPage = Effect.Effect<PageCache.Page<IssueCommentRow>>

/** Reads and writes comments on issues. `since` is a time, from which on comments were updated. */
export class IssueCommentRows extends Context.Service<
  IssueCommentRows,
  {
    /** Returns comments on an issue, the oldest first. */
    list(issueId: number | Fragment, since: string | undefined, page: PageRequest): CommentPage
    /** Returns comments on all issues of a repository. */
    listForRepo(
      repositoryId: number,
      filter: {
        readonly since: string | undefined
        readonly sort: "created" | "updated"
        readonly direction: "asc" | "desc"
      },
      page: PageRequest
    ): CommentPage
    find(repositoryId: number, id: number): Effect.Effect<IssueCommentRow | undefined>
    byIds(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, IssueCommentRow>>
    /** Returns the comments whose ids a subquery selects. */
    among(ids: Fragment): Effect.Effect<ReadonlyArray<IssueCommentRow>>
    /** Adds a comment and returns its id. */
    add(comment: NewIssueComment): Effect.Effect<number>
    setBody(id: number, body: string, updatedAt: string): Effect.Effect<void>
    /** Pins a comment, instead of another one of its issue. */
    pin(comment: IssueCommentRow, userId: number, pinnedAt: string): Effect.Effect<void>
    unpin(id: number): Effect.Effect<void>
    remove(id: number): Effect.Effect<void>
    /** Moves the comments of a transferred issue. */
    move(issueId: number, repositoryId: number): Effect.Effect<void>
  }
>()("@tongs/service/issues/IssueCommentRows") {
  static readonly layer = Layer.effect(
    IssueCommentRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const { jsonMembers, jsonText } = fragments
      const columns = sql.literal(`
        c.*, i.number, i.is_pull_request, ${accountJson(fragments, "author")} AS author,
        ${standing("author", "repository")} AS standing, ${accountJson(fragments, "pinner")} AS pinned_by,
        (SELECT ${jsonText(jsonMembers("content", "count"))} FROM (
          SELECT content, count(*) AS count FROM reactions r WHERE r.issue_comment_id = c.id GROUP BY content) counts
        ) AS reactions`)
      const from = sql.literal(`issue_comments c JOIN issues i ON i.id = c.issue_id
        JOIN repositories repository ON repository.id = c.repository_id
        LEFT JOIN users author ON author.id = c.author_id LEFT JOIN users pinner ON pinner.id = c.pinned_by_id`)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const texts = IssueTexts.make(sql)

      const pages = PageCache.make(yield* StoreRevision, IssueCommentRow)
      const page = (where: Fragment, order: Fragment, range: PageRequest) => {
        const { offset, perPage } = range
        const count = sql`SELECT count(*) AS count FROM issue_comments c WHERE ${where}`
        return pages({
          key: sql`${where} ORDER BY ${order} LIMIT ${perPage} OFFSET ${offset}`,
          range,
          rows: () => sql`
            SELECT ${columns}, (${count}) AS total FROM ${from} WHERE ${where}
            ORDER BY ${order} LIMIT ${perPage} OFFSET ${offset}`,
          count: () => count
        })
      }

      const updatedSince = (since: string | undefined) =>
        since === undefined ? sql`true` : sql`c.updated_at >= ${since}`

      return IssueCommentRows.of({
        list: (issueId, since, request) =>
          page(sql`c.issue_id = ${issueId} AND ${updatedSince(since)}`, sql`c.id`, request),
        listForRepo: (repositoryId, { direction, since, sort }, request) =>
          page(
            sql`c.repository_id = ${repositoryId} AND ${updatedSince(since)}`,
            sql`${sql.literal(sort === "created" ? "c.created_at" : "c.updated_at")} ${sql.literal(direction)}, c.id ${sql.literal(direction)}`,
            request
          ),
        find: (repositoryId, id) =>
          one(sql`SELECT ${columns} FROM ${from} WHERE c.id = ${id} AND c.repository_id = ${repositoryId}`),
        byIds: (ids) =>
          ids.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                all(sql`SELECT ${columns} FROM ${from} WHERE ${fragments.isOneOf("c.id", ids)}`),
                (found) => new Map(found.map((row) => [row.id, row]))
              ),
        among: (ids) => all(sql`SELECT ${columns} FROM ${from} WHERE c.id IN (${ids})`),
        add: (comment) =>
          Effect.gen(function* () {
            const added = inserted(sql`INSERT INTO issue_comments ${sql.insert({ ...comment })} RETURNING id`)
            const { id } = yield* requireRow(added)
            yield* run(texts.addComment(id, comment.issue_id, comment.body))
            return id
          }),
        setBody: (id, body, updatedAt) =>
          run(
            Effect.andThen(
              sql`UPDATE issue_comments SET body = ${body}, updated_at = ${updatedAt} WHERE id = ${id}`,
              texts.setComment(id, body)
            )
          ),
        pin: ({ id, issue_id }, userId, pinnedAt) =>
          run(sql`
            UPDATE issue_comments SET
              pinned_at = CASE WHEN id = ${id} THEN ${pinnedAt} END,
              pinned_by_id = CASE WHEN id = ${id} THEN ${userId} END
            WHERE issue_id = ${issue_id} AND (id = ${id} OR pinned_at IS NOT NULL)`),
        unpin: (id) => run(sql`UPDATE issue_comments SET pinned_at = NULL, pinned_by_id = NULL WHERE id = ${id}`),
        remove: (id) => run(sql`DELETE FROM issue_comments WHERE id = ${id}`),
        move: (issueId, repositoryId) =>
          run(sql`UPDATE issue_comments SET repository_id = ${repositoryId} WHERE issue_id = ${issueId}`)
      })
    })
  )
}
