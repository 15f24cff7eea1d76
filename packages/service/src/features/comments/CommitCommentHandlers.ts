import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { type CommitComment, CommitComments } from "@tongs/core/contract/groups/CommitComments"
import { nodeId } from "../../api/NodeId.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { parseTimestamp } from "../../base/Time.ts"
import type { MarkdownBody } from "../../api/MarkdownBody.ts"
import { MarkdownBodies } from "../../issues/MarkdownBodies.ts"
import { type CommitCommentRow, CommitCommentRows as Rows } from "./CommitCommentRows.ts"
import { type Author, AuthorAssociations } from "../../issues/AuthorAssociation.ts"
import * as CommentRules from "../../issues/CommentRules.ts"
import * as Shapes from "../../api/Shapes.ts"

export const make = Effect.gen(function* () {
  const rows = yield* Rows
  const bodies = yield* MarkdownBodies
  const authors = yield* AuthorAssociations

  const shape = (
    row: CommitCommentRow,
    body: MarkdownBody,
    { association, user }: Author,
    { repository, urls }: RepositoryContext
  ): CommitComment => ({
    html_url: `${urls.html}/${repository.fullName}/commit/${row.commit_id}#commitcomment-${row.id}`,
    url: `${Shapes.repositoryUrl(repository, urls)}/comments/${row.id}`,
    id: row.id,
    node_id: nodeId("CommitComment", row.id),
    ...body,
    path: row.path,
    position: row.position,
    line: row.line,
    commit_id: row.commit_id,
    user: user === undefined ? null : Shapes.userSummary(user, urls),
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.updated_at),
    author_association: association
  })

  const shapes = Effect.fnUntraced(function* (found: ReadonlyArray<CommitCommentRow>, context: RepositoryContext) {
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

  const find = Effect.fnUntraced(function* (id: number, { repository }: RepositoryContext) {
    return (yield* rows.find(repository.row.id, id)) ?? (yield* ApiError.notFound())
  })

  const first = Effect.fnUntraced(function* (row: CommitCommentRow | undefined, context: RepositoryContext) {
    const [comment] = yield* shapes(row === undefined ? [] : [row], context)
    return comment ?? (yield* ApiError.notFound())
  })

  return group(CommitComments)({
    *listForRepo(_, context) {
      const { page, repository } = context
      const found = yield* rows.list(repository.row.id, page)
      return { items: yield* shapes(found, context), total: yield* rows.count(repository.row.id) }
    },
    *get({ comment_id }, context) {
      return yield* first(yield* rows.find(context.repository.row.id, comment_id), context)
    },
    *update({ body, comment_id }, context) {
      yield* CommentRules.mayChange(yield* find(comment_id, context), context)
      yield* CommentRules.checkBody("CommitComment", body)
      return yield* first(yield* rows.setBody(comment_id, body), context)
    },
    *delete({ comment_id }, context) {
      yield* CommentRules.mayChange(yield* find(comment_id, context), context)
      yield* rows.remove(comment_id)
    }
  })
})
