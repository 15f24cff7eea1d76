/** Fixtures of comments on commits. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Sha } from "@tongs/core/contract/Scalars"
import { timestamp } from "../../base/Time.ts"
import { CommitCommentRows } from "./CommitCommentRows.ts"
import * as ReactionFixtures from "../../issues/ReactionFixtures.ts"
import { ReactionRows, type ReactionSubject } from "../../issues/ReactionRows.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"

export const Id = Schema.Int.check(Schema.isGreaterThan(0))

/** Fields of comments on commits and review comments. A comment with `id` is added only once. */
export const common = {
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

/** Adds the reactions to a comment with an id. */
export const react = Effect.fnUntraced(function* (column: ReactionSubject["column"], { id, reactions }: Common) {
  if (id === undefined) return
  const rows = yield* ReactionRows
  for (const [content, ids] of Object.entries(yield* ReactionFixtures.idsOf("reactions", reactions)))
    for (const userId of ids) yield* rows.add({ column, id }, userId, content)
})

/** Columns of a comment. Defaults to the newest commit of the default branch and the current time. */
export const columns = Effect.fnUntraced(function* (given: Common) {
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

/** Section `commit_comments`. */
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
  )
]
