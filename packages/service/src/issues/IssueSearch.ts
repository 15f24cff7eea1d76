/** Searches issues and pull requests. Both databases give the same results in the same order. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { readsIssues } from "@tongs/core/contract/IssueAccess"
import * as IssueQuery from "@tongs/core/query/items/IssueQuery"
import * as ItemQuery from "@tongs/core/query/items/ItemQuery"
import type { Caller } from "../access/Caller.ts"
import { Roles } from "../access/Roles.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import * as RepositoryTests from "../search/RepositoryTests.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import * as IssueConditions from "./IssueConditions.ts"
import * as Words from "../base/Words.ts"

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

/** Maximum number of texts with matches per issue. */
const MAX_TEXTS = 5

const foundRows = decodeRows(
  Schema.Struct({ total: Schema.Int, id: Schema.NullOr(Schema.Int), score: Schema.NullOr(Schema.Finite) })
)
const texts = decodeRows(TextRow)

export class IssueSearch extends Context.Service<
  IssueSearch,
  {
    /**
     * Returns a page of the issues that match and that the caller can read. `languages` has the ids of the repositories
     * of each language in the query.
     */
    search(
      caller: Caller,
      query: IssueQuery.IssueQuery,
      page: Page,
      languages: ReadonlyMap<string, ReadonlyArray<number>>
    ): Effect.Effect<Results, RepositoryTests.UnknownTargets>
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
      const { indexedBy, isOneOf } = SqlFragments.make(sql)
      const { condition, hasText } = IssueConditions.make(sql)

      const wordsOf = (query: IssueQuery.IssueQuery) =>
        ItemQuery.positiveTexts(query.condition)
          .map(Words.of)
          .filter((words) => words.length > 0)

      /**
       * Returns tables with the issues that have the texts of the query, and their scores: the weights of the places with
       * the words. The condition and the order read each once.
       */
      const textTables = (query: IssueQuery.IssueQuery) => {
        const texts = [...new Set(ItemQuery.texts(query.condition))]
        return texts.flatMap((text, index) => {
          const words = Words.of(text)
          const name = `found_text_${index}`
          const rows = sql`
            SELECT t.issue_id, sum(CASE t.place WHEN 'title' THEN 8 WHEN 'body' THEN 2 ELSE 1 END) AS score
            FROM issue_texts t ${indexedBy("issue_texts_by_id")} WHERE ${hasText("t", words, query.places)}
            GROUP BY t.issue_id`
          return words.length === 0 ? [] : [{ text, name, table: sql`${sql.literal(name)} AS MATERIALIZED (${rows})` }]
        })
      }

      const search = Effect.fn("IssueSearch.search")(function* (
        caller: Caller,
        query: IssueQuery.IssueQuery,
        { limit, offset }: Page,
        languages: ReadonlyMap<string, ReadonlyArray<number>>
      ) {
        const viewer = caller.kind === "anonymous" ? undefined : caller.user.login
        const readable = yield* roles.readable(caller, yield* registry.list, readsIssues.permission.flat())
        const targets = RepositoryTests.ofTargets(query.condition, viewer)
        if (targets.length > 0 && !readable.some((row) => targets.some((test) => test(row)))) {
          return yield* new RepositoryTests.UnknownTargets()
        }
        const { repositories, rest } = IssueConditions.narrow(query.condition, readable, viewer)
        const { by, order } = query.sort ?? { by: "score", order: "desc" }
        const tables = textTables(query)
        const ranked = query.sort === undefined ? ItemQuery.positiveTexts(query.condition) : []
        const scored = tables.filter(({ text }) => ranked.includes(text))
        const scoreColumn = sql.literal(
          scored.length === 0 ? "1" : scored.map(({ name }) => `coalesce(${name}.score, 0)`).join(" + ")
        )
        // The table of a text that each match has also selects the issues.
        const parts = rest._tag === "And" ? rest.parts : [rest]
        const isRequired = (text: string) => parts.some((part) => part._tag === "Text" && part.text === text)
        const joins = sql.literal(
          scored
            .map(({ name, text }) => `${isRequired(text) ? "" : "LEFT "}JOIN ${name} ON ${name}.issue_id = i.id`)
            .join(" ")
        )
        const others = IssueQuery.and(
          parts.filter((part) => part._tag !== "Text" || !scored.some(({ text }) => text === part.text))
        )
        const key = by === "score" ? scoreColumn : sql.literal(sortKey(by))
        // Equal keys are sorted by the time of creation.
        const sorted = (alias: string) =>
          sql.literal(["sort_key", "created_at", "id"].map((name) => `${alias}.${name} ${order}`).join(", "))
        const isMatch = condition(others, {
          repositories: readable,
          searched: repositories.map(({ id }) => id),
          viewer,
          languages,
          textTables: new Map(tables.map(({ name, text }) => [text, name]))
        })
        // The statement reads the issues twice: for their number and for the page.
        const kept = sql.literal(IssueConditions.isIndexed(rest) ? "NOT MATERIALIZED" : "MATERIALIZED")
        const found = sql`found AS ${kept} (
          SELECT i.id, i.created_at, ${scoreColumn} AS score, ${key} AS sort_key FROM issues i ${joins}
          WHERE ${isOneOf(
            "i.repository_id",
            repositories.map(({ id }) => id)
          )} AND ${sql.and([isMatch, ...IssueConditions.withoutDisabled(sql, repositories)])})`
        const rows = yield* foundRows(sql`
          WITH ${sql.csv([...tables.map(({ table }) => table), found])}
          SELECT n.total, p.id, p.score FROM (SELECT count(*) AS total FROM found) n
          LEFT JOIN (SELECT f.* FROM found f ORDER BY ${sorted("f")} LIMIT ${limit} OFFSET ${offset}) p ON 1 = 1
          ORDER BY ${sorted("p")}`)
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
