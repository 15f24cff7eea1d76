/** Fixtures of comments on commits and of review comments. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Sha } from "@tongs/core/contract/Scalars"
import { timestamp } from "../../base/Time.ts"
import { CommitCommentRows } from "./CommitCommentRows.ts"
import { DiffPosition, ReviewCommentRows } from "./ReviewCommentRows.ts"
import * as ReactionFixtures from "../../issues/ReactionFixtures.ts"
import { ReactionRows, type ReactionSubject } from "../../issues/ReactionRows.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"

const Id = Schema.Int.check(Schema.isGreaterThan(0))

/** Fields of both kinds of comments. A comment with `id` is added only once. */
const common = {
  repository: Schema.String,
  user: Schema.String,
  body: Schema.String,
  id: Schema.optionalKey(Id),
  commit_id: Schema.optionalKey(Sha),
  created_at: Schema.optionalKey(FixtureTimestamp),
  updated_at: Schema.optionalKey(FixtureTimestamp),
  /** Of a comment with an id. */
  reactions: ReactionFixtures.member
}

interface Common {
  readonly repository: string
  readonly user: string
  readonly body: string
  readonly id?: number
  readonly commit_id?: string
  readonly created_at?: string
  readonly updated_at?: string
  readonly reactions?: Parameters<typeof ReactionFixtures.idsOf>[1]
}

const react = Effect.fnUntraced(function* (column: ReactionSubject["column"], { id, reactions }: Common) {
  if (id === undefined) return
  const rows = yield* ReactionRows
  for (const [content, ids] of Object.entries(yield* ReactionFixtures.idsOf("reactions", reactions)))
    for (const userId of ids) yield* rows.add({ column, id }, userId, content)
})

/** Columns of a comment. Defaults to the newest commit of the default branch and the current time. */
const columns = Effect.fnUntraced(function* (given: Common) {
  const { body, id, reactions: _, repository, user, ...comment } = given
  const { id: repository_id } = yield* FixtureSection.repository("repository", repository)
  const { id: user_id } = yield* FixtureSection.user("user", user)
  const created = comment.created_at === undefined ? yield* Clock.currentTimeMillis : Date.parse(comment.created_at)
  const updated = comment.updated_at === undefined ? created : Date.parse(comment.updated_at)
  return {
    ...(id === undefined ? {} : { id }),
    repository_id,
    user_id,
    commit_id: comment.commit_id ?? (yield* FixtureSection.tip("commit_id", repository)).commit,
    body,
    created_at: timestamp(created),
    updated_at: timestamp(updated)
  }
})

/** Sections of commit comments and review comments. */
export const sections = () => [
  FixtureSection.make(
    "commit_comments",
    Schema.Struct({
      ...common,
      path: Schema.optionalKey(Schema.String),
      position: Schema.optionalKey(Schema.Int),
      line: Schema.optionalKey(Schema.Int)
    }),
    ({ id }) => [FixtureSection.identity("id", id)],
    Effect.fnUntraced(function* ({ line = null, path = null, position = null, ...comment }) {
      yield* (yield* CommitCommentRows).add({ ...(yield* columns(comment)), path, position, line })
      yield* react("commit_comment_id", comment)
    })
  ),
  FixtureSection.make(
    "review_comments",
    Schema.Struct({
      ...common,
      ...DiffPosition.fields,
      pull_number: Id,
      path: Schema.String,
      diff_hunk: Schema.optionalKey(Schema.String),
      original_commit_id: Schema.optionalKey(Sha),
      pull_request_review_id: Schema.optionalKey(Id),
      in_reply_to_id: Schema.optionalKey(Id)
    }),
    ({ id }) => [FixtureSection.identity("id", id)],
    Effect.fnUntraced(function* (row) {
      const { diff_hunk = "", in_reply_to_id, original_commit_id, path, pull_number, pull_request_review_id } = row
      const comment = yield* columns(row)
      yield* (yield* ReviewCommentRows).add({
        ...comment,
        pull_number,
        review_id: pull_request_review_id ?? null,
        in_reply_to_id: in_reply_to_id ?? null,
        original_commit_id: original_commit_id ?? comment.commit_id,
        path,
        diff_hunk,
        place: placeOf(row)
      })
      yield* react("review_comment_id", row)
    })
  )
]

/** Position of a review comment. Original lines default to the current ones, and the side to the new version. */
const placeOf = ({ subject_type = "line", ...row }: DiffPosition): DiffPosition => {
  if (subject_type === "file") return { subject_type }
  const { line = 1, original_line = line, position = line, original_position = position, side = "RIGHT" } = row
  const one: DiffPosition = { line, original_line, position, original_position, side, subject_type }
  if (row.start_line === undefined) return one
  const { original_start_line = row.start_line, start_line, start_side = side } = row
  return { ...one, start_line, original_start_line, start_side }
}
