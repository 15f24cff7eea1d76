/** Issues, repositories and accounts for benchmarks of searches, written to the database of a forge. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TextId from "../../../packages/service/src/issues/TextId.ts"

export interface Sizes {
  readonly issues: number
  /** Repositories with issues. All are public. */
  readonly repositories: number
  /** Repositories without issues, which only `many` can read. */
  readonly hidden: number
  readonly users: number
}

/** Number of rows that one statement writes. */
const BATCH = 500

const start = Date.parse("2020-01-01T00:00:00Z")
const MINUTE = 60_000

/** Number of words. Their frequency is that of a language: the second is half as frequent as the first, and so on. */
const WORDS = 20_000

/** Creates a generator of equal numbers for each run. */
const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

const timeOf = (millis: number) => `${new Date(millis).toISOString().slice(0, 19)}Z`

/** Writes the rows. `folder` is the folder of a repository that the forge serves. */
export const write = Effect.fnUntraced(function* (sizes: Sizes, ownerId: number, folder: string) {
  const sql = yield* SqlClient.SqlClient
  const random = randomOf(7)
  const below = (limit: number) => Math.floor(random() * limit)
  const word = () => `word${Math.floor(WORDS ** random())}`
  const text = (length: number) => Array.from({ length }, word).join(" ")

  const insert = Effect.fnUntraced(function* (
    table: string,
    count: number,
    row: (index: number) => Record<string, unknown>
  ) {
    for (let at = 0; at < count; at += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, count - at) }, (_, index) => row(at + index))
      if (Arr.isReadonlyArrayNonEmpty(rows)) yield* sql`INSERT INTO ${sql(table)} ${sql.insert(rows)}`
    }
  })
  const base = 1_000_000
  const at = timeOf(start)

  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* insert("users", sizes.users, (index) => ({
        id: base + index,
        login: `user-${index}`,
        name: text(2),
        location: text(1),
        created_at: timeOf(start + index * MINUTE),
        updated_at: at
      }))
      yield* insert("user_texts", sizes.users * 2, (index) => ({
        user_id: base + Math.floor(index / 2),
        place: index % 2 === 0 ? "login" : "name",
        words: index % 2 === 0 ? ` user ${Math.floor(index / 2)} ` : ` ${text(2)} `
      }))
      yield* insert("repositories", sizes.repositories + sizes.hidden, (index) => ({
        id: base + index,
        owner_id: ownerId,
        name: `repository-${index}`,
        git: `${folder}-${index}`,
        description: text(8),
        topics: JSON.stringify([`topic-${index % 40}`]),
        private: index < sizes.repositories ? 0 : 1,
        created_at: timeOf(start + index * MINUTE),
        updated_at: timeOf(start + below(1_000_000) * MINUTE)
      }))
      yield* insert("labels", sizes.repositories * 8, (index) => ({
        id: base + index,
        repository_id: base + Math.floor(index / 8),
        name: index % 8 === 0 ? "bug" : `label-${index % 8}`,
        color: "ededed",
        created_at: at,
        updated_at: at
      }))
      yield* insert("collaborators", sizes.hidden, (index) => ({
        repository_id: base + sizes.repositories + index,
        user_id: base,
        permission: "read"
      }))
      yield* insert("issues", sizes.issues, (index) => {
        const created = start + index * 10 * MINUTE
        const isClosed = random() < 0.7
        return {
          id: base + index,
          repository_id: base + (index % sizes.repositories),
          number: 1 + Math.floor(index / sizes.repositories),
          title: `Issue ${index}`,
          body: "See the words",
          author_id: base + below(sizes.users),
          state: isClosed ? "closed" : "open",
          state_reason: isClosed ? (random() < 0.2 ? "not_planned" : "completed") : null,
          closed_at: isClosed ? timeOf(created + below(100_000) * MINUTE) : null,
          comments: Math.floor(random() ** 4 * 60),
          created_at: timeOf(created),
          updated_at: timeOf(created + below(200_000) * MINUTE)
        }
      })
      yield* insert("issue_texts", sizes.issues * 2, (index) => ({
        id: (index % 2 === 0 ? TextId.title : TextId.body)(base + Math.floor(index / 2)),
        issue_id: base + Math.floor(index / 2),
        place: index % 2 === 0 ? "title" : "body",
        words: text(index % 2 === 0 ? 6 : 40)
      }))
      yield* insert("issue_comments", Math.floor(sizes.issues / 2), (index) => ({
        id: base + index,
        repository_id: base + ((index * 2) % sizes.repositories),
        issue_id: base + index * 2,
        author_id: base + below(sizes.users),
        body: "A comment",
        created_at: at,
        updated_at: at
      }))
      yield* insert("issue_texts", Math.floor(sizes.issues / 2), (index) => ({
        id: TextId.ofComments(base + index * 2).first,
        issue_id: base + index * 2,
        comment_id: base + index,
        place: "comments",
        words: text(20)
      }))
      yield* insert("issue_labels", sizes.issues, (index) => ({
        issue_id: base + index,
        label_id: base + (index % sizes.repositories) * 8 + Math.floor(random() ** 2 * 8)
      }))
      yield* insert("issue_assignees", Math.floor(sizes.issues / 3), (index) => ({
        issue_id: base + index * 3,
        user_id: base + below(sizes.users)
      }))
    })
  )
  // Both databases do so by themselves after some time. A forge on SQLite has no statistics.
  yield* Effect.ignore(
    sql.onDialectOrElse({ pg: () => sql`VACUUM ANALYZE`, orElse: () => sql`PRAGMA wal_checkpoint(TRUNCATE)` })
  )
  return { many: base, one: base + 1 }
})

/** Searches for issues that people ask: words, accounts, labels, dates, orders and combinations. */
export const issueQueries: ReadonlyArray<string> = [
  "word60",
  "word120 is:open",
  "word100 word90",
  "word900 in:title",
  "word300 in:title is:open",
  '"word40 word70"',
  "word200 OR word700",
  "word400 -word90",
  "word80 NOT word50 is:closed",
  "(word100 OR word2000) word70 is:open",
  "repo:{owner}/repository-7 word70",
  "repo:{owner}/repository-7 is:open",
  "repo:{owner}/repository-7 repo:{owner}/repository-8 label:bug",
  "is:open",
  "is:issue is:open sort:updated",
  "is:closed sort:comments",
  "is:open sort:created-asc",
  "is:open sort:updated-asc label:bug",
  "label:bug is:open",
  "label:bug label:label-1",
  "label:bug,label-2 is:open sort:comments",
  "-label:bug is:open sort:created",
  "no:label",
  "no:assignee is:open sort:updated",
  "author:user-17",
  "author:user-17 is:open sort:updated",
  "assignee:user-42",
  "assignee:user-42 is:open",
  "involves:user-99",
  "commenter:user-5 sort:updated",
  "author:user-3 OR assignee:user-3",
  "mentions:user-3",
  "created:>=2023-09-01",
  "created:2022-01-01..2022-01-31 is:open",
  "updated:>2023-06-01 sort:updated",
  "closed:2022-03-01..2022-03-07",
  "comments:>40",
  "comments:10..20 is:open word15",
  'reason:"not planned" sort:updated',
  "user:{owner} is:open word60 label:bug created:>2021-01-01 sort:comments"
]
