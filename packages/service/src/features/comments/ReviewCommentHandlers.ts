import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { type ReviewComment, ReviewComments } from "@tongs/core/contract/groups/ReviewComments"
import { nodeId } from "../../api/NodeId.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { parseTimestamp, timestamp } from "../../base/Time.ts"
import type { MarkdownBody } from "../../api/MarkdownBody.ts"
import { MarkdownBodies } from "../../issues/MarkdownBodies.ts"
import { type ReviewCommentRow, ReviewCommentRows as Rows, type ReviewCommentFilter } from "./ReviewCommentRows.ts"
import { type Author, AuthorAssociations } from "../../issues/AuthorAssociation.ts"
import * as CommentRules from "../../issues/CommentRules.ts"
import * as Shapes from "../../api/Shapes.ts"

/** Columns for the values of `sort`. */
const orders = { created: "created_at", created_at: "created_at", updated: "updated_at" } as const

/** Members of comments without a range of lines, null in the API. */
const unsetRange = { start_line: null, original_start_line: null, start_side: null }

/** Place of a comment on a whole file, which has no place in the database: the first line, as on GitHub. */
const wholeFile = { position: 1, original_position: 1, line: 1, original_line: 1, side: "RIGHT" } as const

export const make = Effect.gen(function* () {
  const rows = yield* Rows
  const bodies = yield* MarkdownBodies
  const authors = yield* AuthorAssociations

  const shape = (
    row: ReviewCommentRow,
    body: MarkdownBody,
    { association, user }: Author,
    { repository, urls }: RepositoryContext
  ): ReviewComment => {
    const api = Shapes.repositoryUrl(repository, urls)
    const url = `${api}/pulls/comments/${row.id}`
    const pull = `${api}/pulls/${row.pull_number}`
    const html = `${urls.html}/${repository.fullName}/pull/${row.pull_number}#discussion_r${row.id}`
    return {
      url,
      pull_request_review_id: row.review_id,
      id: row.id,
      node_id: nodeId("PullRequestReviewComment", row.id),
      diff_hunk: row.diff_hunk,
      path: row.path,
      commit_id: row.commit_id,
      original_commit_id: row.original_commit_id,
      ...(row.in_reply_to_id === null ? {} : { in_reply_to_id: row.in_reply_to_id }),
      user: user === undefined ? null : Shapes.userSummary(user, urls),
      ...body,
      created_at: parseTimestamp(row.created_at),
      updated_at: parseTimestamp(row.updated_at),
      html_url: html,
      pull_request_url: pull,
      author_association: association,
      _links: { self: { href: url }, html: { href: html }, pull_request: { href: pull } },
      ...unsetRange,
      ...(row.place.subject_type === "file" ? wholeFile : {}),
      ...row.place
    }
  }

  const shapes = Effect.fnUntraced(function* (found: ReadonlyArray<ReviewCommentRow>, context: RepositoryContext) {
    const author = yield* authors.byIds(
      context.repository,
      found.map(({ user_id }) => user_id)
    )
    const texts = yield* bodies.make(
      found.map(({ body }) => ({ text: body, repository: context.repository })),
      context
    )
    return Arr.zipWith(found, texts, (row, text) => shape(row, text, author(row.user_id), context))
  })

  const first = Effect.fnUntraced(function* (row: ReviewCommentRow | undefined, context: RepositoryContext) {
    const [comment] = yield* shapes(row === undefined ? [] : [row], context)
    return comment ?? (yield* ApiError.notFound())
  })

  return group(ReviewComments)({
    *listForRepo({ direction, since, sort }, context) {
      const { page, repository } = context
      const after = since === undefined ? undefined : Date.parse(since)
      if (Number.isNaN(after)) {
        return yield* ApiError.invalid("Invalid timestamp in since", [
          { resource: "PullRequestReviewComment", field: "since", code: "invalid" }
        ])
      }
      const selection: ReviewCommentFilter = {
        order: sort === undefined ? "id" : orders[sort],
        descending: sort !== undefined && direction === "desc",
        since: after === undefined ? undefined : timestamp(after)
      }
      const found = yield* rows.list(repository.row.id, selection, page)
      return { items: yield* shapes(found, context), total: yield* rows.count(repository.row.id, selection) }
    },
    *get({ comment_id }, context) {
      return yield* first(yield* rows.find(context.repository.row.id, comment_id), context)
    },
    *update({ body, comment_id }, context) {
      const row = yield* rows.find(context.repository.row.id, comment_id)
      if (row === undefined) return yield* ApiError.notFound()
      yield* CommentRules.mayChange(row, context)
      yield* CommentRules.checkBody("PullRequestReviewComment", body)
      return yield* first(yield* rows.setBody(comment_id, body), context)
    }
  })
})
