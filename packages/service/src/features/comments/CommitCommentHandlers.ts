import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type CommitComment, CommitComments } from "@tongs/core/contract/groups/CommitComments"
import { nodeId } from "../../api/NodeId.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import type { Urls } from "../../api/Urls.ts"
import { parseTimestamp, timestamp } from "../../base/Time.ts"
import { Events } from "../../events/Events.ts"
import { isOid } from "../../git/values/Oid.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { requireRow } from "../../storage/RowDecoder.ts"
import * as Transaction from "../../storage/Transaction.ts"
import type { MarkdownBody } from "../../api/MarkdownBody.ts"
import * as BlockRules from "../../api/BlockRules.ts"
import { MarkdownBodies } from "../../issues/MarkdownBodies.ts"
import { type CommitCommentRow, CommitCommentRows as Rows } from "./CommitCommentRows.ts"
import { type Author, AuthorAssociations } from "../../issues/AuthorAssociation.ts"
import * as CommentRules from "../../issues/CommentRules.ts"
import * as Shapes from "../../api/Shapes.ts"

const invalidPath = (code: string, message: string) =>
  ApiError.invalid(`Validation Failed: ${message}`, [{ resource: "CommitComment", field: "path", code, message }])

export const make = Effect.gen(function* () {
  const rows = yield* Rows
  const { refuseBlocked } = yield* BlockRules.make
  const bodies = yield* MarkdownBodies
  const authors = yield* AuthorAssociations
  const events = yield* Events
  const publicUrl = yield* PublicUrl
  const transaction = yield* Transaction.make

  const shape = (
    row: CommitCommentRow,
    body: MarkdownBody,
    { association, user }: Author,
    repository: ServedRepository,
    urls: Urls
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
    return Arr.zipWith(found, texts, (row, text) =>
      shape(row, text, author(row.user_id), context.repository, context.urls)
    )
  })

  const find = Effect.fnUntraced(function* (id: number, { repository }: RepositoryContext) {
    return (yield* rows.find(repository.row.id, id)) ?? (yield* ApiError.notFound())
  })

  const first = Effect.fnUntraced(function* (row: CommitCommentRow | undefined, context: RepositoryContext) {
    const [comment] = yield* shapes(row === undefined ? [] : [row], context)
    return comment ?? (yield* ApiError.notFound())
  })

  /** Fails with 422 unless the commit changes the file, or for a line without a file. */
  const checkPlace = Effect.fnUntraced(function* (
    path: string | null,
    line: number | null,
    commit: string,
    { repository: { git } }: RepositoryContext
  ) {
    if (path === null) return line === null ? undefined : yield* invalidPath("missing_field", "path is missing")
    const found = yield* git.commit(commit)
    const range = { from: found === undefined ? undefined : yield* git.changes.parentOf(found), to: commit }
    const { files } = yield* git.changes.list(range)
    if (!files.some((file) => file.path === path))
      return yield* invalidPath("invalid", "path is not a file that the commit changes")
  })

  return group(CommitComments)({
    *listForRepo(_, context) {
      const { items, total } = yield* rows.list(context.repository.row.id, context.page)
      return { items: yield* shapes(items, context), total }
    },
    *listForCommit({ commit_sha }, context) {
      const { git, row } = context.repository
      const commit = isOid(commit_sha) ? commit_sha : yield* git.resolve(commit_sha)
      if (commit === undefined) return yield* ApiError.notFound()
      const { items, total } = yield* rows.list(row.id, context.page, commit)
      return { items: yield* shapes(items, context), total }
    },
    *create({ body, commit_sha, line = null, path = null, position = null }, context) {
      yield* CommentRules.checkBody("CommitComment", body)
      yield* refuseBlocked(context)
      const { caller, repository } = context
      const commit = yield* repository.git.resolve(commit_sha)
      if (commit === undefined) return yield* ApiError.invalid(`No commit found for SHA: ${commit_sha.slice(0, 200)}`)
      yield* checkPlace(path, line ?? position, commit, context)
      const now = timestamp(yield* Clock.currentTimeMillis)
      const row = yield* transaction(
        Effect.gen(function* () {
          const row = yield* requireRow(
            rows.add({
              repository_id: repository.row.id,
              user_id: caller.user.id,
              commit_id: commit,
              path,
              position,
              line,
              body,
              created_at: now,
              updated_at: now
            })
          )
          const author = (yield* authors.byIds(repository, [caller.user.id]))(caller.user.id)
          const comment = shape(row, { body }, author, repository, yield* publicUrl.urls)
          const payload = { action: "created", comment }
          yield* events.record({ actor: caller.user, repository, type: "CommitCommentEvent", payload })
          return row
        })
      )
      return yield* first(row, context)
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
