/** The handlers of the searches for repositories, topics, users and labels. */
import * as Effect from "effect/Effect"
import type { LabelSearchItem } from "@tongs/core/contract/groups/Labels"
import type { TopicSearchItem } from "@tongs/core/contract/groups/Repositories"
import type { RepositorySearchItem } from "@tongs/core/contract/groups/Repository"
import type { UserSearchItem } from "@tongs/core/contract/groups/User"
import { readsIssues } from "@tongs/core/contract/IssueAccess"
import type { labelSorts, repositorySorts, userSorts } from "@tongs/core/contract/SearchSorts"
import * as ItemQuery from "@tongs/core/query/items/ItemQuery"
import * as RepositoryQuery from "@tongs/core/query/items/RepositoryQuery"
import * as TopicQuery from "@tongs/core/query/items/TopicQuery"
import * as UserQuery from "@tongs/core/query/items/UserQuery"
import { Roles } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { RequestContext } from "../../api/RequestContext.ts"
import * as RepositorySummaries from "../../api/RepositorySummaries.ts"
import * as Shapes from "../../api/Shapes.ts"
import { parseTimestamp } from "../../base/Time.ts"
import * as Words from "../../base/Words.ts"
import * as IssueShapes from "../../issues/IssueShapes.ts"
import { type LabelRow, LabelRows } from "../../issues/LabelRows.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as RepositorySearch from "./RepositorySearch.ts"
import * as Score from "./Score.ts"
import * as SearchErrors from "./SearchErrors.ts"
import * as SearchInput from "./SearchInput.ts"
import * as UserSearch from "./UserSearch.ts"

/** Maximum number of labels of a repository in which a search looks. */
const MAX_LABELS = 10_000

/** A topic of repositories that the caller can see. */
interface Topic {
  readonly name: string
  readonly count: number
  readonly createdAt: string
  readonly updatedAt: string
}

const topicsOf = (rows: ReadonlyArray<RepositoryRow>): ReadonlyArray<Topic> => {
  const topics = new Map<string, Topic>()
  for (const { created_at, topics: names, updated_at } of rows) {
    for (const name of names) {
      const known = topics.get(name) ?? { name, count: 0, createdAt: created_at, updatedAt: updated_at }
      topics.set(name, {
        name,
        count: known.count + 1,
        createdAt: known.createdAt < created_at ? known.createdAt : created_at,
        updatedAt: known.updatedAt > updated_at ? known.updatedAt : updated_at
      })
    }
  }
  return [...topics.values()]
}

/** Sorts items by keys, the largest first. */
const ranked = <Item>(
  items: ReadonlyArray<Item>,
  keysOf: (item: Item) => ReadonlyArray<number | string>,
  direction = -1
) =>
  items
    .map((item) => ({ item, keys: keysOf(item) }))
    .sort((a, b) => direction * SearchInput.compareKeys(a.keys, b.keys))
    .map(({ item }) => item)

/** Creates the handlers. */
export const make = Effect.gen(function* () {
  const labels = yield* LabelRows
  const registry = yield* RepositoryRegistry
  const repositories = yield* RepositorySearch.make
  const roles = yield* Roles
  const users = yield* UserSearch.make

  return {
    repositories: Effect.fnUntraced(function* (
      input: SearchInput.Input<typeof repositorySorts>,
      context: RequestContext
    ) {
      const { caller, urls } = context
      const query = yield* SearchInput.query(RepositoryQuery.parse(input.q), input)
      const range = yield* SearchInput.range(context)
      const found = yield* Effect.catchTag(
        repositories.search(caller, query, range),
        "UnknownTargets",
        SearchErrors.refuseUnknown
      )
      const served = yield* registry.open(found.items.map(({ row }) => row))
      const shown = yield* RepositorySummaries.readSummaries(served, (row) => roles.onRepository(caller, row), urls)
      const scores = new Map<number, number>(found.items.map(({ row, score }) => [row.id, score]))
      const items = shown.map(({ make }): RepositorySearchItem => {
        const one = make()
        const texts = [
          { property: "name", text: one.name },
          { property: "description", text: one.description }
        ] as const // literal types
        return {
          ...one,
          score: Score.ofPoints(scores.get(one.id) ?? 0),
          ...SearchInput.textMatches(
            query.condition,
            context,
            { object_type: "Repository", object_url: one.url },
            texts
          )
        }
      })
      return SearchInput.page({ ...found, items })
    }),

    topics: Effect.fnUntraced(function* (input: { readonly q: string }, context: RequestContext) {
      const { condition } = yield* SearchInput.query(TopicQuery.parse(input.q), {})
      const { limit, offset } = yield* SearchInput.range(context)
      const rows = yield* roles.visible(context.caller, yield* registry.list)
      const matches = topicsOf(rows).filter(({ count, createdAt, name }) => {
        const words = Words.joined(name)
        return ItemQuery.evaluate(condition, (leaf) => {
          if (leaf._tag === "Text") return Words.hasPhrase(words, Words.of(leaf.text))
          const { filter } = leaf
          // The forge has no curated or featured topics.
          if (filter.name === "is") return false
          return SearchInput.isWithin(filter.name === "created" ? createdAt : count, filter)
        })
      })
      const texts = ItemQuery.positiveTexts(condition).map((text) => Words.of(text).join(" "))
      const scoreOf = ({ name }: Topic) => (texts.includes(Words.of(name).join(" ")) ? 2 : 1)
      const sorted = ranked(matches, (topic) => [scoreOf(topic), topic.count, topic.name])
      const items = sorted.slice(offset, offset + limit).map((topic): TopicSearchItem => ({
        name: topic.name,
        display_name: null,
        short_description: null,
        description: null,
        created_by: null,
        released: null,
        created_at: parseTimestamp(topic.createdAt),
        updated_at: parseTimestamp(topic.updatedAt),
        featured: false,
        curated: false,
        repository_count: topic.count,
        score: Score.ofPoints(scoreOf(topic)),
        ...SearchInput.textMatches(
          condition,
          context,
          { object_type: "Topic", object_url: `${context.urls.api}/search/topics?q=${encodeURIComponent(topic.name)}` },
          [{ property: "name", text: topic.name }]
        )
      }))
      return SearchInput.page({ items, total: sorted.length, isIncomplete: false })
    }),

    users: Effect.fnUntraced(function* (input: SearchInput.Input<typeof userSorts>, context: RequestContext) {
      const query = yield* SearchInput.query(UserQuery.parse(input.q), input)
      const found = yield* users.search(context.caller, query, yield* SearchInput.range(context))
      const items = found.items.map(({ row, score }): UserSearchItem => {
        const summary = Shapes.userSummary(row, context.urls)
        const email = context.caller.kind === "anonymous" ? null : row.email
        const texts = [
          { property: "login", text: row.login },
          { property: "name", text: row.name },
          { property: "email", text: email }
        ] as const // literal types
        return {
          ...summary,
          score: Score.ofPoints(score),
          ...SearchInput.textMatches(query.condition, context, { object_type: "User", object_url: summary.url }, texts)
        }
      })
      return SearchInput.page({ ...found, items })
    }),

    labels: Effect.fnUntraced(function* (
      input: SearchInput.Input<typeof labelSorts> & { readonly repository_id: number },
      context: RequestContext
    ) {
      const { condition } = yield* SearchInput.query(TopicQuery.parseLabels(input.q), {})
      const { limit, offset } = yield* SearchInput.range(context)
      const named = yield* registry.byIds([input.repository_id])
      const [row] = yield* roles.readable(context.caller, named, readsIssues.permission.flat())
      if (row === undefined) return yield* ApiError.notFound()
      const all = yield* labels.list(row.id, { page: 1, offset: 0, perPage: MAX_LABELS })
      const phrases = ItemQuery.positiveTexts(condition).map(Words.of)
      const matches = all.items.flatMap((label) => {
        const [name, description] = [Words.joined(label.name), Words.joined(label.description)]
        const has = (phrase: ReadonlyArray<string>) =>
          Words.hasPhrase(name, phrase) || Words.hasPhrase(description, phrase)
        const isMatch = ItemQuery.evaluate(condition, (leaf) => leaf._tag === "Text" && has(Words.of(leaf.text)))
        const score = phrases.reduce(
          (sum, phrase) => sum + (Words.hasPhrase(name, phrase) ? 2 : has(phrase) ? 1 : 0),
          0
        )
        return isMatch === true ? [{ label, score: Math.max(score, 1) }] : []
      })
      const { order, sort } = input
      const keyOf = ({ label, score }: { readonly label: LabelRow; readonly score: number }) =>
        sort === "created" ? label.created_at : sort === "updated" ? label.updated_at : score
      const direction = sort !== undefined && order === "asc" ? 1 : -1
      const sorted = ranked(matches, (one) => [keyOf(one), one.label.created_at, one.label.id], direction)
      const items = sorted.slice(offset, offset + limit).map(({ label, score }): LabelSearchItem => {
        const shape = IssueShapes.label(label, `${row.owner.login}/${row.name}`, context.urls)
        const texts = [
          { property: "name", text: label.name },
          { property: "description", text: label.description }
        ] as const // literal types
        return {
          ...shape,
          score: Score.ofPoints(score),
          ...SearchInput.textMatches(condition, context, { object_type: "Label", object_url: shape.url }, texts)
        }
      })
      return SearchInput.page({ items, total: sorted.length, isIncomplete: false })
    })
  }
})
