/**
 * Searches repositories. The rows are in memory, as for lists of repositories, so that only some qualifiers need a
 * statement, and only those of git data read repositories.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as ItemQuery from "@tongs/core/query/items/ItemQuery"
import type * as RepositoryQuery from "@tongs/core/query/items/RepositoryQuery"
import type { Caller } from "../../access/Caller.ts"
import { Roles } from "../../access/Roles.ts"
import { timestamp } from "../../base/Time.ts"
import * as Words from "../../base/Words.ts"
import * as Languages from "../../git/values/Languages.ts"

import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as RepositoryTests from "../../search/RepositoryTests.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"
import * as RepositoryFacts from "./RepositoryFacts.ts"
import * as SearchInput from "./SearchInput.ts"

/** A matching repository. The score is higher for words in the name than in topics, description and README. */
export interface Hit {
  readonly row: RepositoryRow
  readonly score: number
}

/** Weights of a text in the places. A name that is the whole text counts twice. */
const weights = { name: 8, topics: 4, description: 2, readme: 1 } as const // literal names

/** The words of a row by place. An unchanged row is the same object. */
const wordsOfRows = new WeakMap<RepositoryRow, Readonly<Record<"name" | "description" | "topics", string>>>()

const wordsOf = (row: RepositoryRow) => {
  const known = wordsOfRows.get(row)
  if (known !== undefined) return known
  const words = {
    name: Words.joined(row.name),
    description: Words.joined(row.description),
    // No phrase goes from one topic to the next.
    topics: ` ${row.topics.map((topic) => Words.of(topic).join(" ")).join(" / ")} `
  }
  wordsOfRows.set(row, words)
  return words
}

const isFork = ({ parent_id }: RepositoryRow) => parent_id !== null

/** Names of the labels that two qualifiers count. */
const helpLabels = { "good-first-issues": "good first issue", "help-wanted-issues": "help wanted" } as const // literal names
type HelpName = keyof typeof helpLabels

type Leaf = ItemQuery.Leaf<RepositoryQuery.Filter>

/** Numbers by the ids of repositories or owners. */
type Counts = ReadonlyMap<number, number>

/** Creates the search. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const readFacts = yield* RepositoryFacts.make
  const { hasName } = SqlFragments.make(sql)

  const countsOf = (rows: Effect.Effect<ReadonlyArray<{ readonly id: number; readonly count: number }>, unknown>) =>
    Effect.map(Effect.orDie(rows), (all): Counts => new Map(all.map(({ count, id }) => [id, count])))

  /** The numbers of followers of owners. */
  const followers = countsOf(sql<{ readonly id: number; readonly count: number }>`
    SELECT user_id AS id, count(*) AS count FROM followers GROUP BY user_id`)

  /** The numbers of open issues with a label. */
  const helpIssues = (name: HelpName) =>
    countsOf(sql<{ readonly id: number; readonly count: number }>`
      SELECT i.repository_id AS id, count(*) AS count FROM labels n
      JOIN issue_labels l ON l.label_id = n.id JOIN issues i ON i.id = l.issue_id
      WHERE ${hasName("n.name", helpLabels[name])} AND i.state = 'open' AND i.is_pull_request = 0
      GROUP BY i.repository_id`)

  /** Returns the rows that match, best first or in the order of the query. */
  const matching = Effect.fn("RepositorySearch.search")(function* (
    caller: Caller,
    query: RepositoryQuery.RepositoryQuery
  ) {
    const { condition, places, sort } = query
    const viewer = caller.kind === "anonymous" ? undefined : caller.user.login
    const visible = yield* roles.visible(caller, yield* registry.list)
    const targets = RepositoryTests.ofTargets(condition, viewer)
    if (targets.length > 0 && !visible.some((row) => targets.some((test) => test(row)))) {
      return yield* new RepositoryTests.UnknownTargets()
    }
    const { hasFilter } = SearchInput
    const usesForks = hasFilter(condition, "fork")
    const helps = (["good-first-issues", "help-wanted-issues"] as const).filter(
      (name) => sort?.by === name || hasFilter(condition, name)
    ) // literal names
    const helpCounts = new Map(
      yield* Effect.forEach(helps, (name) => Effect.map(helpIssues(name), (counts) => [name, counts] as const)) // a pair
    )
    const followersOf: Counts = hasFilter(condition, "followers") ? yield* followers : new Map()
    const readsReadme = places.includes("readme")
    const phrases = new Map<string, ReadonlyArray<string>>()
    const phraseOf = (text: string) => {
      const known = phrases.get(text) ?? Words.of(text)
      phrases.set(text, known)
      return known
    }

    const test =
      (row: RepositoryRow, facts: RepositoryFacts.RepositoryFacts | undefined) =>
      (leaf: Leaf): boolean | undefined => {
        if (leaf._tag === "Text") {
          const phrase = phraseOf(leaf.text)
          const words = wordsOf(row)
          const isFound = places.some((place) => place !== "readme" && Words.hasPhrase(words[place], phrase))
          return isFound || !readsReadme
            ? isFound
            : facts === undefined
              ? undefined
              : Words.hasPhrase(facts.readme, phrase)
        }
        const { filter } = leaf
        switch (filter.name) {
          case "repo":
          case "user":
          case "org":
            return RepositoryTests.of({ name: filter.name, value: filter.value }, viewer)(row)
          case "is":
            return RepositoryTests.of(filter, viewer)(row)
          case "archived":
            return row.archived === 1
          case "mirror":
            // Mirrors are not implemented.
            return false
          case "template":
            return row.is_template === 1
          case "fork":
            return filter.value === "true" || isFork(row) === (filter.value === "only")
          case "topic":
            return row.topics.includes(filter.value.toLowerCase())
          case "license":
            return facts === undefined ? undefined : facts.license?.key.toLowerCase() === filter.value.toLowerCase()
          case "stars":
            return SearchInput.isWithin(row.stars, filter)
          case "forks":
            return SearchInput.isWithin(row.forks, filter)
          case "topics":
            return SearchInput.isWithin(row.topics.length, filter)
          case "followers":
            return SearchInput.isWithin(followersOf.get(row.owner.id) ?? 0, filter)
          case "good-first-issues":
          case "help-wanted-issues":
            return SearchInput.isWithin(helpCounts.get(filter.name)?.get(row.id) ?? 0, filter)
          case "created":
            return SearchInput.isWithin(row.created_at, filter)
          case "language":
            return facts === undefined ? undefined : Languages.isNamed(facts.language, filter.value)
          case "size":
            return facts === undefined ? undefined : SearchInput.isWithin(facts.size, filter)
          case "pushed":
            return facts === undefined
              ? undefined
              : SearchInput.isWithin(facts.pushedAt === undefined ? row.created_at : timestamp(facts.pushedAt), filter)
        }
      }

    const all = usesForks ? visible : visible.filter((row) => !isFork(row))
    const decided = all.map((row) => ({ row, isMatch: ItemQuery.evaluate(condition, test(row, undefined)) }))
    const open = decided.flatMap(({ isMatch, row }) => (isMatch === undefined ? [row] : []))
    const positive = ItemQuery.positiveTexts(condition)
      .map(phraseOf)
      .filter(({ length }) => length > 0)
    const ranksReadme = readsReadme && sort === undefined && positive.length > 0
    const wanted = ranksReadme ? decided.flatMap(({ isMatch, row }) => (isMatch === false ? [] : [row])) : open
    const { facts, isIncomplete } =
      wanted.length === 0
        ? { facts: new Map<number, never>(), isIncomplete: false }
        : yield* readFacts(wanted, readsReadme)
    const rows = decided.flatMap(({ isMatch, row }) =>
      (isMatch ?? ItemQuery.evaluate(condition, test(row, facts.get(row.id))) === true) ? [row] : []
    )

    const scoreOf = (row: RepositoryRow): number => {
      const words = { ...wordsOf(row), readme: facts.get(row.id)?.readme ?? " " }
      const scores = positive.map((phrase) => {
        const isName = places.includes("name") && words.name === ` ${phrase.join(" ")} `
        const found = places.filter((place) => Words.hasPhrase(words[place], phrase))
        return found.reduce((sum, place) => sum + weights[place], isName ? weights.name : 0)
      })
      return positive.length === 0 ? 1 : scores.reduce((sum, score) => sum + score, 0)
    }
    const keyOf = ({ row, score }: Hit): number | string => {
      switch (sort?.by) {
        case "stars":
          return row.stars
        case "forks":
          return row.forks
        case "help-wanted-issues":
          return helpCounts.get("help-wanted-issues")?.get(row.id) ?? 0
        case "updated":
          return row.updated_at
        default:
          return score
      }
    }
    const direction = sort?.order === "asc" ? 1 : -1
    const hits = rows
      .map((row): Hit => ({ row, score: scoreOf(row) }))
      .map((hit) => ({
        hit,
        // Equal keys are sorted by stars, then by the time of creation.
        keys: [keyOf(hit), ...(sort === undefined ? [hit.row.stars] : []), hit.row.created_at, hit.row.id]
      }))
      .sort((a, b) => direction * SearchInput.compareKeys(a.keys, b.keys))
      .map(({ hit }) => hit)
    return { hits, isIncomplete }
  })

  return {
    /** Returns a page of the matching repositories that the caller can see. */
    search: (caller: Caller, query: RepositoryQuery.RepositoryQuery, { limit, offset }: SearchInput.Range) =>
      Effect.map(matching(caller, query), ({ hits, isIncomplete }): SearchInput.Found<Hit> => ({
        items: hits.slice(offset, offset + limit),
        total: hits.length,
        isIncomplete
      }))
  }
})
