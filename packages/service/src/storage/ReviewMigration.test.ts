import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { folder } from "../git/Fixture.test-support.ts"
import { accounts } from "./migrations/0001-accounts.ts"
import { organizations } from "./migrations/0002-organizations.ts"
import { comments } from "./migrations/0009-comments.ts"
import { milestones } from "./migrations/0023-milestones.ts"
import { issues } from "./migrations/0026-issues.ts"
import { teams } from "./migrations/0035-teams.ts"
import { pullRequests } from "./migrations/0042-pull-requests.ts"
import { reviews } from "./migrations/0047-reviews.ts"
import * as Sqlite from "./Sqlite.ts"

const COMMIT = "6dcb09b5b57875f334f61aebed695e2e4193db5e"
const AT = "2026-01-01T00:00:00Z"

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all([accounts, organizations, comments, milestones, issues, teams, pullRequests])
  yield* sql`INSERT INTO users (login, created_at, updated_at) VALUES ('ada', ${AT}, ${AT})`
  yield* sql`INSERT INTO repositories (owner_id, name, git, created_at, updated_at) VALUES (1, 'a', 'x', ${AT}, ${AT})`
  for (const number of [1, 2]) {
    const issue = { repository_id: 1, number, title: "x", is_pull_request: 1, created_at: AT, updated_at: AT }
    yield* sql`INSERT INTO issues ${sql.insert(issue)}`
    const counts = { commits: 1, additions: 1, deletions: 0, changed_files: 1 }
    const tested = { tested_base: COMMIT, tested_head: COMMIT, ...counts }
    const branches = { base_ref: "main", base_sha: COMMIT, head_ref: "fix", head_sha: COMMIT }
    yield* sql`INSERT INTO pull_requests ${sql.insert({ issue_id: number, repository_id: 1, ...branches, ...tested })}`
  }
  const line = { line: 2, original_line: 3, position: 4, original_position: 5, side: "LEFT", subject_type: "line" }
  const range = { ...line, start_line: 1, original_start_line: 2, start_side: "LEFT" }
  const old: ReadonlyArray<readonly [pull: number, review: number | null, reply: number | null, place: object]> = [
    [1, 42, null, range],
    [1, 43, 1, range],
    [2, 42, null, { subject_type: "file" }],
    [9, 42, null, line],
    [1, null, 77, line]
  ]
  for (const [pull_number, review_id, in_reply_to_id, place] of old) {
    const ids = { repository_id: 1, user_id: 1, pull_number, review_id, in_reply_to_id }
    const commits = { commit_id: COMMIT, original_commit_id: COMMIT, path: "a.ts", diff_hunk: "" }
    const texts = { ...commits, place: JSON.stringify(place), body: "x", created_at: AT, updated_at: AT }
    yield* sql`INSERT INTO review_comments ${sql.insert({ ...ids, ...texts })}`
  }
})

const check = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* fill
  yield* sql.withTransaction(reviews)
  assert.deepStrictEqual(yield* sql`SELECT id, review_id, thread_id, is_pending FROM review_comments ORDER BY id`, [
    { id: 1, review_id: 42, thread_id: 1, is_pending: 0 },
    { id: 2, review_id: 43, thread_id: 1, is_pending: 0 },
    { id: 3, review_id: null, thread_id: 2, is_pending: 0 },
    { id: 4, review_id: 42, thread_id: null, is_pending: 0 },
    { id: 5, review_id: null, thread_id: 3, is_pending: 0 }
  ])
  assert.deepStrictEqual(
    yield* sql`
      SELECT issue_id, subject_type, side, start_side, original_start_line, original_line, start_line, line, position
      FROM review_threads WHERE id < 3 ORDER BY id`,
    [
      {
        issue_id: 1,
        subject_type: "line",
        side: "LEFT",
        start_side: "LEFT",
        original_start_line: 2,
        original_line: 3,
        start_line: 1,
        line: 2,
        position: 4
      },
      {
        issue_id: 2,
        subject_type: "file",
        side: "RIGHT",
        start_side: null,
        original_start_line: null,
        original_line: null,
        start_line: null,
        line: null,
        position: 1
      }
    ]
  )
  assert.deepStrictEqual(yield* sql`SELECT id, issue_id, state FROM pull_request_reviews ORDER BY id`, [
    { id: 42, issue_id: 1, state: "COMMENTED" },
    { id: 43, issue_id: 1, state: "COMMENTED" }
  ])
})

it.effect("gives the review comments of an earlier version their reviews and threads", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "forge.db")
    yield* Effect.provide(check, Sqlite.layer({ filename }))
  })
)
