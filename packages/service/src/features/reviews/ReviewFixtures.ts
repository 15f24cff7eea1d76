/** Fixtures of reviews, review comments and review requests. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reviewStates } from "@tongs/core/contract/groups/Reviews"
import { Sha } from "@tongs/core/contract/Scalars"
import { TeamRows } from "../../accounts/TeamRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import { timestamp } from "../../base/Time.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import { type PullRequestRow, PullRequestRows } from "../../issues/PullRequestRows.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as NewThreads from "../../reviews/NewThreads.ts"
import { DiffPosition, ReviewCommentRows } from "../../reviews/ReviewCommentRows.ts"
import { ReviewRequestRows } from "../../reviews/ReviewRequestRows.ts"
import { ReviewRows } from "../../reviews/ReviewRows.ts"
import { ReviewThreadRows } from "../../reviews/ReviewThreadRows.ts"
import * as CommentFixtures from "../comments/CommentFixtures.ts"

const { Id } = CommentFixtures
const optional = Schema.optionalKey
const { failAt } = FixtureSection

/** A review. One with an id is added only once. */
const Review = Schema.Struct({
  repository: Schema.String,
  user: Schema.String,
  pull_number: Id,
  id: optional(Id),
  /** `COMMENTED` by default. */
  state: optional(Schema.Literals(reviewStates)),
  body: optional(Schema.String),
  /** The head of the pull request by default. */
  commit_id: optional(Sha),
  /** The current time by default. */
  submitted_at: optional(FixtureTimestamp)
})

const Comment = Schema.Struct({
  ...CommentFixtures.common,
  ...DiffPosition.fields,
  pull_number: Id,
  path: Schema.String,
  /** With it, the place is as the row says. Without it, the place must be in the diff of the pull request. */
  diff_hunk: optional(Schema.String),
  original_commit_id: optional(Sha),
  /** A review with this id is added if it is missing. */
  pull_request_review_id: optional(Id),
  in_reply_to_id: optional(Id),
  /** Login of the account that resolved the thread. */
  resolved_by: optional(Schema.String)
})
type Comment = typeof Comment.Type

const Request = Schema.Struct({
  repository: Schema.String,
  pull_number: Id,
  /** Logins. */
  users: optional(Schema.Array(Schema.String)),
  /** Slugs of teams. */
  teams: optional(Schema.Array(Schema.String))
})

const findPull = Effect.fnUntraced(function* (fullName: string, number: number) {
  const { id } = yield* FixtureSection.repository("repository", fullName)
  const issue = yield* (yield* IssueRows).find(id, number)
  return issue === undefined ? undefined : (yield* (yield* PullRequestRows).byIssues([issue.id])).get(issue.id)
})

const requirePull = Effect.fnUntraced(function* (fullName: string, number: number) {
  return (yield* findPull(fullName, number)) ?? (yield* failAt("pull_number", `no pull request ${number}`))
})

/** Adds a review, and returns its id. */
const addReview = Effect.fnUntraced(function* (row: typeof Review.Type) {
  const pull = yield* requirePull(row.repository, row.pull_number)
  const { id: user_id } = yield* FixtureSection.user("user", row.user)
  const { body = "", commit_id = pull.head_sha, id, state = "COMMENTED", submitted_at } = row
  const at = timestamp(submitted_at === undefined ? yield* Clock.currentTimeMillis : Date.parse(submitted_at))
  return yield* (yield* ReviewRows).add({
    ...(id === undefined ? {} : { id }),
    issue_id: pull.issue_id,
    user_id,
    state,
    body,
    commit_id,
    submitted_at: state === "PENDING" ? null : at,
    created_at: at,
    updated_at: at
  })
})

/** Position of a comment. Original lines default to the current ones, and the side to the new version. */
const positionOf = ({ subject_type = "line", ...row }: DiffPosition): DiffPosition => {
  if (subject_type === "file") return { subject_type }
  const { line = 1, original_line = line, position = line, original_position = position, side = "RIGHT" } = row
  const one: DiffPosition = { line, original_line, position, original_position, side, subject_type }
  if (row.start_line === undefined) return one
  const { original_start_line = row.start_line, start_line, start_side = side } = row
  return { ...one, start_line, original_start_line, start_side }
}

/** The place of a new thread: as the row says, or as it is in the diff of the pull request. */
const placeOf = Effect.fnUntraced(function* (row: Comment, pull: PullRequestRow) {
  const { commit_id = pull.head_sha, diff_hunk, original_commit_id = commit_id, path } = row
  if (diff_hunk === undefined) {
    const registry = yield* RepositoryRegistry
    const failed = () => failAt("pull_number", `the changes of pull request ${pull.number} cannot be read`)
    const rows = yield* registry.byIds([pull.repository_id])
    const [repository] = yield* registry.open(rows).pipe(Effect.catch(failed))
    if (repository === undefined) return yield* failed()
    const { line, position, side, start_line, start_side, subject_type } = row
    const lines = { position, side, line, startLine: start_line, startSide: start_side }
    const place = { path, ...lines, isWholeFile: subject_type === "file" }
    const [found] = yield* NewThreads.placesOf(repository, pull, original_commit_id, [place]).pipe(
      Effect.catchTag("ValidationFailed", ({ detail }) => failAt("line", detail)),
      Effect.catchTag("GitError", failed)
    )
    return found ?? (yield* failed())
  }
  const own = positionOf(row)
  const isFile = own.subject_type === "file"
  return {
    diffHunk: diff_hunk,
    thread: {
      issue_id: pull.issue_id,
      path,
      subject_type: own.subject_type ?? "line",
      side: own.side ?? "RIGHT",
      start_side: own.start_side ?? null,
      original_commit_id,
      original_path: path,
      original_line: own.original_line ?? null,
      original_start_line: own.original_start_line ?? null,
      original_position: isFile ? 1 : (own.original_position ?? null),
      commit_id,
      line: own.line ?? null,
      start_line: own.start_line ?? null,
      position: isFile ? 1 : (own.position ?? null),
      traced_head: pull.head_sha
    }
  } satisfies NewThreads.NewPlace
})

/** The review of a comment: the one with the id, or a review of its own. */
const reviewOf = Effect.fnUntraced(function* (row: Comment, pull: PullRequestRow) {
  const { commit_id, created_at, pull_request_review_id: id, pull_number, repository, user } = row
  const known = id === undefined ? undefined : (yield* (yield* ReviewRows).byIds([id], undefined)).get(id)
  if (known?.issue_id === pull.issue_id) return known.id
  return yield* addReview({
    repository,
    user,
    pull_number,
    ...(id === undefined ? {} : { id }),
    ...(commit_id === undefined ? {} : { commit_id }),
    ...(created_at === undefined ? {} : { submitted_at: created_at })
  })
})

/** Adds a comment on a pull request: a thread, or a reply to the comment `in_reply_to_id`. */
const addToThread = Effect.fnUntraced(function* (row: Comment, pull: PullRequestRow) {
  const { id, in_reply_to_id, path, pull_number, resolved_by } = row
  const comments = yield* ReviewCommentRows
  const threads = yield* ReviewThreadRows
  const known = yield* comments.byIds([in_reply_to_id ?? 0, id ?? 0], undefined)
  if (id !== undefined && known.has(id)) return id
  const to = known.get(in_reply_to_id ?? 0)
  const place = to?.thread_id === undefined || to.thread_id === null ? yield* placeOf(row, pull) : undefined
  const comment = yield* CommentFixtures.columns({ ...row, commit_id: row.commit_id ?? pull.head_sha })
  const thread_id = place === undefined ? (to?.thread_id ?? 0) : yield* threads.add(place.thread)
  const added = yield* comments.add({
    ...comment,
    pull_number,
    review_id: (yield* reviewOf(row, pull)) ?? null,
    in_reply_to_id: in_reply_to_id ?? null,
    original_commit_id: row.original_commit_id ?? comment.commit_id,
    path,
    diff_hunk: row.diff_hunk ?? place?.diffHunk ?? to?.diff_hunk ?? "",
    place: {},
    thread_id
  })
  if (resolved_by !== undefined)
    yield* threads.resolve(thread_id, (yield* FixtureSection.user("resolved_by", resolved_by)).id, comment.updated_at)
  return added
})

/**
 * Adds a comment, and returns its id if it is in a thread. A comment on a pull request that the forge does not have has
 * the place in the row.
 */
export const addComment = Effect.fnUntraced(function* (row: Comment) {
  const { diff_hunk = "", in_reply_to_id, original_commit_id, path, pull_number, pull_request_review_id } = row
  const pull = yield* findPull(row.repository, pull_number)
  let id: number | undefined
  if (pull === undefined) {
    const comment = yield* CommentFixtures.columns(row)
    yield* (yield* ReviewCommentRows).add({
      ...comment,
      pull_number,
      review_id: pull_request_review_id ?? null,
      in_reply_to_id: in_reply_to_id ?? null,
      original_commit_id: original_commit_id ?? comment.commit_id,
      path,
      diff_hunk,
      place: positionOf(row)
    })
  } else id = yield* addToThread(row, pull)
  yield* CommentFixtures.react("review_comment_id", row)
  return id
})

const addRequests = Effect.fnUntraced(function* ({
  pull_number,
  repository,
  teams = [],
  users = []
}: typeof Request.Type) {
  const pull = yield* requirePull(repository, pull_number)
  const { owner } = yield* FixtureSection.repository("repository", repository)
  const teamRows = yield* TeamRows
  const people = yield* Effect.forEach(users, (login) => FixtureSection.user("users", login))
  const found = yield* Effect.forEach(
    teams,
    Effect.fnUntraced(function* (slug) {
      return (
        (yield* teamRows.find(owner.id, slug, "owner")) ?? (yield* failAt("teams", `no team ${JSON.stringify(slug)}`))
      )
    })
  )
  const ids = { users: people.map(({ id }) => id), teams: found.map(({ id }) => id) }
  yield* (yield* ReviewRequestRows).add(pull.issue_id, ids, timestamp(yield* Clock.currentTimeMillis))
})

/** Sections `reviews`, `review_comments` and `review_requests`. Load after pull requests and teams. */
export const sections = () => [
  FixtureSection.make("reviews", Review, ({ id }) => [FixtureSection.identity("id", id)], addReview),
  FixtureSection.make("review_comments", Comment, ({ id }) => [FixtureSection.identity("id", id)], addComment),
  FixtureSection.make("review_requests", Request, FixtureSection.wholeRow, addRequests)
]
