import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { folder } from "../git/Fixture.test-support.ts"
import * as IssueTexts from "../issues/IssueTexts.ts"
import { issueTexts } from "./migrations/0027-issue-texts.ts"
import { textIds } from "./migrations/0049-text-ids.ts"
import * as Sqlite from "./Sqlite.ts"
import * as SqlFragments from "./SqlFragments.ts"

const check = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE issues (id INTEGER PRIMARY KEY)`
  yield* sql`CREATE TABLE issue_comments (id INTEGER PRIMARY KEY)`
  yield* issueTexts
  yield* sql`CREATE INDEX issue_texts_by_id ON issue_texts (id, issue_id, place)`
  for (const table of ["issues", "issue_comments"]) yield* sql`INSERT INTO ${sql(table)} (id) VALUES (1), (2), (3), (4)`
  // The first id is the new one of the body of issue 1.
  yield* sql`
    INSERT INTO issue_texts (id, issue_id, comment_id, place, words) VALUES
      (1048577, 2, NULL, 'title', 'apple'), (1048578, 2, NULL, 'body', 'pear'), (1048579, 1, NULL, 'title', 'pear'),
      (1048580, 1, NULL, 'body', 'plum'), (1048581, 1, 2, 'comments', 'apple'), (1048582, 1, 3, 'comments', 'pear')`
  yield* sql.withTransaction(textIds)
  yield* IssueTexts.make(sql).addComment(4, 1, "Apple!")
  yield* sql`DELETE FROM issue_texts WHERE comment_id = 2`
  const idsOf = (word: string) => sql<{ readonly id: number }>`
    SELECT t.id FROM ${SqlFragments.make(sql).idsWithWords([word])} t ORDER BY t.id`
  assert.deepStrictEqual(yield* idsOf("apple"), [{ id: 1048576 + 4 }, { id: 2 * 1048576 }])
  assert.deepStrictEqual(yield* idsOf("pear"), [{ id: 1048576 }, { id: 1048576 + 3 }, { id: 2 * 1048576 + 1 }])
  assert.deepStrictEqual(yield* idsOf("plum"), [{ id: 1048576 + 1 }])
})

it.effect("finds the words of issues of an older store", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "forge.db")
    yield* Effect.provide(check, Sqlite.layer({ filename }))
  })
)
