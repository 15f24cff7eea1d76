/** Searches issues and pull requests. Both databases give the same results in the same order. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { readsIssues } from "@tongs/core/contract/IssueAccess"
import * as IssueQuery from "@tongs/core/query/issues/IssueQuery"
import type { Caller } from "../access/Caller.ts"
import { Roles } from "../access/Roles.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import * as IssueConditions from "./IssueConditions.ts"
import * as Words from "./Words.ts"

export interface Page {
  readonly offset: number
  readonly limit: number
}

/** A matching issue. The score is higher for words in the title than in the body, and lowest in comments. */
export interface Hit {
  readonly id: number
  readonly score: number
}

export interface Results {
  readonly hits: ReadonlyArray<Hit>
  /** Number of hits of all pages. */
  readonly total: number
}

/** A text of an issue that has words of a query. `comment_id` is null for the title and the body. */
const TextRow = Schema.Struct({
  issue_id: Schema.Int,
  comment_id: Schema.NullOr(Schema.Int),
  place: Schema.Literals(IssueQuery.places),
  text: Schema.String
})
export type TextRow = typeof TextRow.Type

/** A query names repositories and accounts, and the caller can read none of these. */
export class UnknownTargets extends Schema.TaggedError<UnknownTargets>()("UnknownTargets", {}) {}

/** Maximum number of texts with matches per issue. */
const MAX_TEXTS = 5

const found = decodeRows(
  Schema.Struct({ total: Schema.Int, id: Schema.NullOr(Schema.Int), score: Schema.NullOr(Schema.Finite) })
)
const texts = decodeRows(TextRow)

export class IssueSearch extends Context.Service<
  IssueSearch,
  {
    /** Returns a page of the issues that match and that the caller can read. */
    search(caller: Caller, query: IssueQuery.IssueQuery, page: Page): Effect.Effect<Results, UnknownTargets>
    /** Returns texts of issues in which the words of a query are, at most `MAX_TEXTS` for each issue. */
    matches(query: IssueQuery.IssueQuery, issues: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<TextRow>>
  }
>()("@tongs/service/issues/IssueSearch") {
  static readonly layer = Layer.effect(
    IssueSearch,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const roles = yield* Roles
      const registry = yield* RepositoryRegistry
      const { isOneOf } = SqlFragments.make(sql)
      const { condition, hasText } = IssueConditions.make(sql)

      const wordsOf = (query: IssueQuery.IssueQuery) =>
        IssueConditions.positiveTexts(query.condition)
          .map(Words.of)
          .filter((words) => words.length > 0)

      /** Joins the score of each issue: the weights of all texts with words of the query. */
      const scores = (query: IssueQuery.IssueQuery) => {
        const all = wordsOf(query)
        const [first, ...others] = all.map(
          (words) => sql`SELECT t.issue_id, t.place FROM issue_texts t WHERE ${hasText("t", words, query.places)}`
        )
        if (first === undefined) return undefined
        const rows = others.reduce((joined, one) => sql`${joined} UNION ALL ${one}`, first)
        return sql`LEFT JOIN (
          SELECT w.issue_id, sum(CASE w.place WHEN 'title' THEN 8 WHEN 'body' THEN 2 ELSE 1 END) AS score
          FROM (${rows}) w GROUP BY w.issue_id) s ON s.issue_id = i.id`
      }

      const search = Effect.fn("IssueSearch.search")(function* (
        caller: Caller,
        query: IssueQuery.IssueQuery,
        { limit, offset }: Page
      ) {
        const viewer = caller.kind === "anonymous" ? undefined : caller.user.login
        const readable = yield* roles.readable(caller, yield* registry.list, readsIssues.permission.flat())
        const targets = IssueConditions.targetTests(query.condition, viewer)
        if (targets.length > 0 && !readable.some((row) => targets.some((test) => test(row)))) {
          return yield* new UnknownTargets()
        }
        const { repositories, rest } = IssueConditions.narrow(query.condition, readable, viewer)
        const { by, order } = query.sort ?? { by: "score", order: "desc" }
        const score = query.sort === undefined ? scores(query) : undefined
        const scoreColumn = score === undefined ? sql`1` : sql`coalesce(s.score, 0)`
        const key = by === "score" ? scoreColumn : sql.literal(sortKey(by))
        const direction = sql.literal(order === "asc" ? "ASC" : "DESC")
        // Equal keys are sorted by the time of creation.
        const sorted = sql`f.sort_key ${direction}, f.created_at ${direction}, f.id ${direction}`
        const rows = yield* found(sql`
          WITH found AS (
            SELECT i.id, i.created_at, ${scoreColumn} AS score, ${key} AS sort_key FROM issues i ${score ?? sql.literal("")}
            WHERE ${isOneOf(
              "i.repository_id",
              repositories.map(({ id }) => id)
            )} AND ${sql.and([
              condition(rest, { repositories: readable, viewer, places: query.places }),
              ...IssueConditions.withoutDisabled(sql, repositories)
            ])})
          SELECT n.total, p.id, p.score FROM (SELECT count(*) AS total FROM found) n
          LEFT JOIN (
            SELECT f.id, f.score, row_number() OVER (ORDER BY ${sorted}) AS position FROM found f
            ORDER BY ${sorted} LIMIT ${limit} OFFSET ${offset}) p ON 1 = 1
          ORDER BY p.position`)
        const hits = rows.flatMap(({ id, score }) => (id === null || score === null ? [] : [{ id, score }]))
        return { hits, total: rows[0]?.total ?? 0 } satisfies Results
      })

      const matches = (query: IssueQuery.IssueQuery, issues: ReadonlyArray<number>) => {
        const all = wordsOf(query)
        if (all.length === 0 || issues.length === 0) return Effect.succeed([])
        return texts(sql`
          SELECT m.issue_id, m.comment_id, m.place, CASE m.place
            WHEN 'title' THEN i.title WHEN 'body' THEN coalesce(i.body, '') ELSE c.body END AS text
          FROM (
            SELECT t.*, row_number() OVER (PARTITION BY t.issue_id ORDER BY t.comment_id IS NOT NULL, t.id) AS position
            FROM issue_texts t
            WHERE ${isOneOf("t.issue_id", issues)} AND ${sql.or(all.map((words) => hasText("t", words, query.places)))}) m
          JOIN issues i ON i.id = m.issue_id LEFT JOIN issue_comments c ON c.id = m.comment_id
          WHERE m.position <= ${MAX_TEXTS} ORDER BY m.issue_id, m.position`)
      }

      return IssueSearch.of({ search, matches })
    })
  )
}

/** Reactions in the database, by their names in orders. */
const reactionNames: Readonly<Record<string, string>> = { smile: "laugh", tada: "hooray", thinking_face: "confused" }

/** Returns the expression by which issues are sorted. */
const sortKey = (by: IssueQuery.SortName): string => {
  switch (by) {
    case "created":
    case "updated":
      return `i.${by}_at`
    case "comments":
    case "reactions":
    case "interactions":
      return IssueConditions.counts[by]
    default: {
      const name = by.slice("reactions-".length)
      return `(SELECT count(*) FROM reactions r WHERE r.issue_id = i.id AND r.content = '${reactionNames[name] ?? name}')`
    }
  }
}
