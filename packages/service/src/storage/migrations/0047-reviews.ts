import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlFragments from "../SqlFragments.ts"
import * as TableDefinitions from "../TableDefinitions.ts"

// A review is pending until `submitted_at`. A thread has the place at which it began (`original_…`), and the present one
// in the diff of `traced_head`, whose position is null if it is outdated. A file has the position 1 and no lines. A comment on a pull request that
// the database does not have is in no thread: its place is in `place`.
const TABLES = `CREATE TABLE pull_request_reviews (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  state TEXT NOT NULL,
  body TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  dismissal_message TEXT,
  submitted_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE INDEX pull_request_reviews_by_issue ON pull_request_reviews (issue_id, id)

CREATE INDEX pull_request_reviews_by_user ON pull_request_reviews (user_id, issue_id)

CREATE UNIQUE INDEX pending_reviews ON pull_request_reviews (issue_id, user_id) WHERE state = 'PENDING'

CREATE TABLE review_threads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  subject_type TEXT NOT NULL,
  side TEXT NOT NULL,
  start_side TEXT,
  original_commit_id TEXT NOT NULL,
  original_path TEXT NOT NULL,
  original_line INTEGER,
  original_start_line INTEGER,
  original_position INTEGER,
  commit_id TEXT NOT NULL,
  line INTEGER,
  start_line INTEGER,
  position INTEGER,
  traced_head TEXT NOT NULL,
  resolved_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  resolved_at TEXT
) STRICT

CREATE INDEX review_threads_by_issue ON review_threads (issue_id, id)

CREATE INDEX review_threads_by_resolver ON review_threads (resolved_by_id)

ALTER TABLE review_comments ADD COLUMN thread_id INTEGER REFERENCES review_threads (id) ON DELETE CASCADE

ALTER TABLE review_comments ADD COLUMN is_pending INTEGER NOT NULL DEFAULT 0

CREATE INDEX review_comments_by_thread ON review_comments (thread_id, id)

CREATE INDEX review_comments_by_review ON review_comments (review_id, id)

CREATE INDEX review_comments_by_pull ON review_comments (repository_id, pull_number, id)

CREATE TABLE review_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  team_id INTEGER REFERENCES teams (id) ON DELETE CASCADE,
  as_code_owner INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX review_requests_to_user ON review_requests (issue_id, user_id)

CREATE UNIQUE INDEX review_requests_to_team ON review_requests (issue_id, team_id)

CREATE INDEX review_requests_by_user ON review_requests (user_id, issue_id)

CREATE INDEX review_requests_by_team ON review_requests (team_id, issue_id)

ALTER TABLE issue_events ADD COLUMN team_id INTEGER REFERENCES teams (id) ON DELETE SET NULL`

/** A comment of an earlier version on a pull request of the database. */
interface OldComment {
  readonly id: number
  readonly issue_id: number
  readonly user_id: number | null
  readonly review_id: number | null
  readonly in_reply_to_id: number | null
  readonly path: string
  readonly commit_id: string
  readonly original_commit_id: string
  readonly place: string
  readonly head_sha: string
  readonly created_at: string
}

const threadOf = (comment: OldComment) => {
  const place: Readonly<Record<string, string | number | undefined>> = JSON.parse(comment.place)
  const isFile = place["subject_type"] === "file"
  const side = place["side"] ?? "RIGHT"
  return {
    issue_id: comment.issue_id,
    path: comment.path,
    subject_type: isFile ? "file" : "line",
    side,
    start_side: place["start_line"] === undefined ? null : (place["start_side"] ?? side),
    original_commit_id: comment.original_commit_id,
    original_path: comment.path,
    original_line: place["original_line"] ?? null,
    original_start_line: place["original_start_line"] ?? null,
    original_position: isFile ? 1 : (place["original_position"] ?? null),
    commit_id: comment.commit_id,
    line: place["line"] ?? null,
    start_line: place["start_line"] ?? null,
    position: isFile ? 1 : (place["position"] ?? null),
    traced_head: comment.head_sha
  }
}

/** Adds the reviews and threads of the comments on pull requests that the database has. */
export const reviews = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* TableDefinitions.run(TABLES)
  const comments = yield* sql<OldComment>`
    SELECT c.id, i.id AS issue_id, c.user_id, c.review_id, c.in_reply_to_id, c.path, c.commit_id, c.original_commit_id,
      c.place, p.head_sha, c.created_at
    FROM review_comments c JOIN issues i ON i.repository_id = c.repository_id AND i.number = c.pull_number
    JOIN pull_requests p ON p.issue_id = i.id ORDER BY c.id`
  const reviews = new Map<number, number>()
  const threads = new Map<number, number>()
  for (const comment of comments) {
    const { created_at, id, in_reply_to_id, issue_id, review_id, user_id } = comment
    if (review_id !== null && !reviews.has(review_id)) {
      reviews.set(review_id, issue_id)
      const times = { submitted_at: created_at, created_at, updated_at: created_at }
      const review = {
        issue_id,
        user_id,
        state: "COMMENTED",
        body: "",
        commit_id: comment.original_commit_id,
        ...times
      }
      yield* sql`INSERT INTO pull_request_reviews ${sql.insert({ id: review_id, ...review })}`
    }
    const known = in_reply_to_id === null ? undefined : threads.get(in_reply_to_id)
    const [added] =
      known === undefined
        ? yield* sql<{ readonly id: number }>`
            INSERT INTO review_threads ${sql.insert(threadOf(comment))} RETURNING id`
        : [{ id: known }]
    if (added === undefined) continue
    threads.set(id, added.id)
    // The same number of a review in another pull request named another review.
    const own = review_id !== null && reviews.get(review_id) === issue_id ? review_id : null
    yield* sql`UPDATE review_comments SET thread_id = ${added.id}, review_id = ${own} WHERE id = ${id}`
  }
  yield* SqlFragments.make(sql).followIds("pull_request_reviews")
})
