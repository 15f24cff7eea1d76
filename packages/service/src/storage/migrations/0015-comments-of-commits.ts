import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const commentsOfCommits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The list of commits shows the number of comments on each commit.
  yield* sql`CREATE INDEX commit_comments_of_commit ON commit_comments (repository_id, commit_id)`
})
