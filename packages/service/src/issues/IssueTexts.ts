/**
 * The words of issues and comments, for the search. The rows of both write them in their own transaction; deleting an
 * issue or a comment deletes the words.
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Words from "../base/Words.ts"
import * as TextId from "./TextId.ts"

const wordsOf = (text: string | null) => Words.of(text ?? "").join(" ")

/** Creates the functions that write words. */
export const make = (sql: SqlClient.SqlClient) => ({
  addIssue: (issueId: number, title: string, body: string | null) =>
    sql`INSERT INTO issue_texts ${sql.insert([
      { id: TextId.title(issueId), issue_id: issueId, place: "title", words: wordsOf(title) },
      { id: TextId.body(issueId), issue_id: issueId, place: "body", words: wordsOf(body) }
    ])}`,
  updateIssue: (issueId: number, texts: { readonly title?: string; readonly body?: string | null }) =>
    Effect.forEach(
      (["title", "body"] as const).flatMap((place) => {
        const text = texts[place]
        return text === undefined ? [] : [{ place, words: wordsOf(text) }]
      }), // names of members
      ({ place, words }) => sql`
        UPDATE issue_texts SET words = ${words} WHERE issue_id = ${issueId} AND place = ${place}`,
      { discard: true }
    ),
  addComment: (commentId: number, issueId: number, body: string) => {
    const { end, first } = TextId.ofComments(issueId)
    return sql`
      INSERT INTO issue_texts (id, issue_id, comment_id, place, words)
      VALUES (
        (SELECT coalesce(max(t.id) + 1, ${first}) FROM issue_texts t WHERE t.id >= ${first} AND t.id < ${end}),
        ${issueId}, ${commentId}, 'comments', ${wordsOf(body)})`
  },
  setComment: (commentId: number, body: string) =>
    sql`UPDATE issue_texts SET words = ${wordsOf(body)} WHERE comment_id = ${commentId}`
})
