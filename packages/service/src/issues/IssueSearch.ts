/** Searches issues and pull requests. Both databases give the same results in the same order. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { readsIssues } from "@tongs/core/contract/IssueAccess"
import * as IssueQuery from "@tongs/core/query/items/IssueQuery"
import * as ItemQuery from "@tongs/core/query/items/ItemQuery"
import type { Caller } from "../access/Caller.ts"
import { Roles } from "../access/Roles.ts"
import * as IdSet from "../base/IdSet.ts"
import * as Words from "../base/Words.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import * as RepositoryTests from "../search/RepositoryTests.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import * as IssueConditions from "./IssueConditions.ts"
import * as IssueMatches from "./IssueMatches.ts"
import * as TextId from "./TextId.ts"

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

/** Time of sorting a match, in times of reading an issue in the order of an index. */
const SORT_COST = 8

/** Number of matches that are always sorted. */
const MIN_SORTED = 2000

/** Minimum number of issues that are read in the order of an index at once. */
const MIN_READ = 100

interface Order {
  readonly by: IssueQuery.SortName
  readonly order: "asc" | "desc"
}

const byCreation: Order = { by: "created", order: "desc" }

/** A number of issues to read: the first `count` of `size` matches among `all` issues. */
interface Range {
  readonly all: number
  readonly count: number
  readonly size: number
}

const idRows = decodeRows(Schema.Struct({ ids: Schema.NullOr(Schema.String) }))
const setRows = decodeRows(Schema.Struct({ position: Schema.Int, ids: Schema.NullOr(Schema.String) }))
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
      const { isOneOf, numberList } = SqlFragments.make(sql)
      const plans = IssueConditions.make(sql)

      const wordsOf = (query: IssueQuery.IssueQuery) =>
        ItemQuery.positiveTexts(query.condition)
          .map(Words.of)
          .filter((words) => words.length > 0)

      /** Reads the sets of a plan, and the number of all issues, in one statement. */
      const readSets = Effect.fnUntraced(function* ({ sets, texts }: IssueConditions.Plan) {
        const selects = sets.map(
          (set, index) => sql`SELECT ${sql.literal(String(index))} AS position, s.ids FROM (${set}) s`
        )
        const all = sql`SELECT -1 AS position, CAST(count(*) AS text) AS ids FROM issues`
        const rows = yield* setRows([all, ...selects].reduce((union, select) => sql`${union} UNION ALL ${select}`))
        const isText = new Set(texts.values())
        const found = sets.map(() => new IdSet.IdSet())
        const scores = new Map<number, IdSet.IdSums>()
        let total = 0
        for (const { ids, position } of rows) {
          const set = found[position]
          if (set === undefined) total = Number(ids ?? 0)
          else if (isText.has(position)) {
            const own = new IdSet.IdSums()
            IdSet.forEachNumber(ids ?? "", (value) => {
              const { issueId, weight } = TextId.ofValue(value)
              own.add(issueId, weight)
              set.add(issueId)
            })
            scores.set(position, own)
          } else IdSet.forEachNumber(ids ?? "", (id) => set.add(id))
        }
        return { found, scores, total }
      })

      /** Returns the first `count` of the matching issues in an order. `size` is the number of matches. */
      const firstOf = Effect.fnUntraced(function* (
        matches: IssueMatches.IssueSet,
        { all, count, size }: Range,
        { by, order }: Order
      ) {
        if (count <= 0 || size === 0) return []
        const key = sortKey(by)
        const sorted = sql.literal(
          [...(by === "created" ? [] : [key]), "i.created_at", "i.id"].map((name) => `${name} ${order}`).join(", ")
        )
        const read = (part: Fragment) =>
          Effect.map(idRows(sql`SELECT ${sql.literal(numberList("p.id"))} AS ids FROM (${part}) p`), ([row]) => {
            const ids: Array<number> = []
            IdSet.forEachNumber(row?.ids ?? "", (id) => ids.push(id))
            return ids
          })
        // Few matches are sorted. Of many matches, all issues are read in their order until there are enough.
        const expected = Math.ceil((all / size) * Math.min(count, size))
        if (!matches.isComplement && (size <= MIN_SORTED || size * SORT_COST <= (isSorted(by) ? expected : all))) {
          return yield* read(sql`
            SELECT i.id FROM issues i WHERE ${isOneOf("i.id", matches.ids.ids())} ORDER BY ${sorted} LIMIT ${count}`)
        }
        const found: Array<number> = []
        let offset = 0
        let limit = isSorted(by) ? 2 * expected + MIN_READ : all
        while (found.length < count) {
          const ids = yield* read(sql`SELECT i.id FROM issues i ORDER BY ${sorted} LIMIT ${limit} OFFSET ${offset}`)
          for (const id of ids) if (IssueMatches.has(matches, id)) found.push(id)
          if (ids.length < limit) break
          offset += limit
          limit *= 8
        }
        return found.slice(0, count)
      })

      /** Returns the first `count` of the matching issues by their scores. Equal scores are sorted by creation. */
      const bestOf = Effect.fnUntraced(function* (
        matches: IssueMatches.IssueSet,
        { all, count, size }: Range,
        scored: IdSet.IdSet,
        scoreOf: (id: number) => number
      ) {
        const best = IssueMatches.and(matches, { ids: scored, isComplement: false }).ids
        const groups = new Map<number, IdSet.IdSet>()
        for (const id of best.ids()) {
          const score = scoreOf(id)
          const group = groups.get(score) ?? new IdSet.IdSet()
          group.add(id)
          groups.set(score, group)
        }
        // The groups that all fit are read at once, and a part of the next.
        const whole: Array<number> = []
        let next: Effect.Effect<ReadonlyArray<number>> | undefined
        for (const [, ids] of [...groups].sort(([a], [b]) => b - a)) {
          const left = count - whole.length
          if (ids.size > left) {
            next = firstOf({ ids, isComplement: false }, { all, count: left, size: ids.size }, byCreation)
            break
          }
          whole.push(...ids.ids())
        }
        const ids = new IdSet.IdSet(whole)
        const first = yield* firstOf({ ids, isComplement: false }, { all, count, size: whole.length }, byCreation)
        const others = IssueMatches.and(matches, { ids: best, isComplement: true })
        const range = { all, count: count - whole.length, size: size - whole.length }
        return [...first]
          .sort((a, b) => scoreOf(b) - scoreOf(a))
          .concat(yield* next ?? firstOf(others, range, byCreation))
      })

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
        const plan = plans.plan(rest, {
          repositories: readable,
          searched: repositories.map(({ id }) => id),
          viewer,
          languages,
          places: query.places
        })
        const sets = yield* readSets(plan)
        const matches = IssueMatches.evaluate(plan.expression, sets.found)
        const total = IssueMatches.size(matches, sets.total)
        const ranked = query.sort === undefined ? ItemQuery.positiveTexts(rest) : []
        const positions = [...new Set(ranked)].flatMap((text) => plan.texts.get(text) ?? [])
        const scores = positions.flatMap((position) => sets.scores.get(position) ?? [])
        const scored = positions.flatMap((position) => sets.found[position] ?? [])
        const scoreOf = (id: number) => (scores.length === 0 ? 1 : scores.reduce((sum, own) => sum + own.get(id), 0))
        const range = { all: sets.total, count: Math.min(offset + limit, total), size: total }
        const ids =
          scores.length === 0
            ? yield* firstOf(matches, range, query.sort ?? byCreation)
            : yield* bestOf(
                matches,
                range,
                scored.reduce((union, ids) => union.union(ids), new IdSet.IdSet()),
                scoreOf
              )
        const hits = ids.slice(offset).map((id): Hit => ({ id, score: scoreOf(id) }))
        return { hits, total } satisfies Results
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
            WHERE ${isOneOf("t.issue_id", issues)} AND ${sql.or(all.map((words) => plans.hasText(words, query.places)))}) m
          JOIN issues i ON i.id = m.issue_id LEFT JOIN issue_comments c ON c.id = m.comment_id
          WHERE m.position <= ${MAX_TEXTS} ORDER BY m.issue_id, m.position`)
      }

      return IssueSearch.of({ search, matches })
    })
  )
}

/** Reactions in the database, by their names in orders. */
const reactionNames: Readonly<Record<string, string>> = { smile: "laugh", tada: "hooray", thinking_face: "confused" }

/** True if an index has the order. */
const isSorted = (by: IssueQuery.SortName) => by === "created" || by === "updated" || by === "comments"

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
