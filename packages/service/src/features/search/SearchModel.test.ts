/** Compares random queries with an independent model. `TONGS_SEARCH_SEEDS=7` or `=1-50` runs some. */
import { mkdirSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { randomOf } from "../../access/RightsModel.test-support.ts"
import * as Support from "../../main/Forge.test-support.ts"
import { type Caller, prepare, type Repository, type Search, type World } from "./SearchModel.test-support.ts"
import { has } from "./SearchTerms.test-support.ts"

const isLong = process.env["TONGS_LONG_TESTS"] !== undefined
const given = process.env["TONGS_SEARCH_SEEDS"]?.split("-").map(Number)
const [first = 1, last = first] = given ?? [1, isLong ? 10 : 1]
const isComplete = isLong || given !== undefined
const queryCount = isComplete ? 400 : 60
const issueCount = isComplete ? 320 : 90

type Json = any // oxlint-disable-line typescript/no-explicit-any -- JSON of any search

/** Asks all pages. Gives the status of an error, or the keys in their order. */
const read = Effect.fnUntraced(function* (
  search: Search,
  q: string,
  token: string | null,
  perPage: number,
  more: string
) {
  const { get } = yield* Support.TestForge
  const keys: Array<string> = []
  for (let page = 1; ; page++) {
    const path = `/search/${search.path}?q=${encodeURIComponent(q)}&per_page=${perPage}&page=${page}${more}`
    const { headers, json, status, text } = yield* get(path, { token })
    if (status !== 200) return { status, text }
    const items: ReadonlyArray<Json> = json.items
    keys.push(...items.map(search.keyOf))
    const hasNext = (headers["link"] ?? "").includes('rel="next"')
    const isLast = keys.length >= json.total_count || items.length === 0
    if (hasNext === isLast || json.incomplete_results !== false || (hasNext && items.length !== perPage)) {
      return {
        status: 0,
        text: `page ${page}: ${headers["link"] ?? "no link"}, ${items.length} of ${json.total_count}`
      }
    }
    if (isLast) return { status, keys, total: Number(json.total_count) }
  }
})

/** Compares one query for one caller. Gives the difference, if there is one. */
const compare = Effect.fnUntraced(function* (world: World, seed: number, serial: number) {
  const random = randomOf(seed * 1000 + serial)
  const search = random.chance(0.5) ? world.searches[0] : random.one(world.searches)
  if (search === undefined) throw new Error("no search")
  const caller = random.one(world.callers)
  if (caller === undefined) throw new Error("no caller")
  const query = search.query(random, caller)
  const sort = random.chance(0.5) ? random.one(search.sorts) : undefined
  const order = random.one(["asc", "desc", undefined])
  const isInQuery = random.chance(0.4)
  const more = sort === undefined || isInQuery ? "" : `&sort=${encodeURIComponent(sort)}${order === undefined ? "" : `&order=${order}`}` // prettier-ignore
  // The orders of one kind of reaction have no direction in a query.
  const direction = order === undefined || sort?.startsWith("reactions-") === true ? undefined : order
  const q = sort !== undefined && isInQuery ? `${query.q} sort:${sort}${direction === undefined ? "" : `-${direction}`}` : query.q // prettier-ignore
  const found = yield* read(search, q, caller.token, 1 + random.below(60), more)
  const label = `seed ${seed}, query ${serial}: ${caller.name}, /search/${search.path}${more} ${q}`
  if (!world.hasAccess(caller, query.scopes)) {
    return found.status === 422 ? undefined : `${label}\nexpected 422, found ${found.status}`
  }
  if (found.keys === undefined) return `${label}\n${found.status} ${found.text}`
  const { expected } = query
  const missing = expected.filter((key) => !found.keys.includes(key))
  const surplus = found.keys.filter((key) => !expected.includes(key))
  if (missing.length + surplus.length > 0) {
    const shown = search.describe(missing[0] ?? surplus[0] ?? "")
    const total = `${found.keys.length} instead of ${expected.length}`
    return `${label}\n${total}, missing ${missing.slice(0, 3).join(" ")}, surplus ${surplus.slice(0, 3).join(" ")}\n${shown}`
  }
  if (found.total !== expected.length || new Set(found.keys).size !== found.keys.length) {
    return `${label}\ntotal ${found.total} instead of ${expected.length}, or an item twice`
  }
  if (sort !== undefined) {
    const values = found.keys.map((key) => search.valueOf(sort, key))
    const isUp = (isInQuery ? direction : order) === "asc"
    const isSorted = values.every((value, index) => {
      const next = values[index + 1] ?? value
      return isUp ? value <= next : value >= next
    })
    if (!isSorted) return `${label}\nthe order is ${values.slice(0, 30).join(" ")}`
  }
  return undefined
})

/** Compares the search for labels with the list of labels. */
const compareLabels = Effect.fnUntraced(function* (
  repository: Repository,
  { name, sees, token }: Caller,
  word: string
) {
  const { fullName, id } = repository
  const { get } = yield* Support.TestForge
  const { json, status } = yield* get(`/search/labels?repository_id=${id}&q=${encodeURIComponent(word)}`, { token })
  const label = `${name}, labels of ${fullName}, ${word}`
  if (!sees(repository)) return status === 404 ? undefined : `${label}: ${status}`
  const all = yield* get(`/repos/${fullName}/labels?per_page=100`, { token })
  const wanted = all.json.filter((one: Json) => has(one.name, word) || has(one.description ?? "", word))
  const [found, expected] = [json.items, wanted].map((list: ReadonlyArray<Json>) =>
    list.map((one) => String(one.name)).toSorted()
  )
  return String(found) === String(expected) ? undefined : `${label}: ${String(found)} instead of ${String(expected)}`
})

/** Queries that are errors, and the part that the message names. */
const invalid: ReadonlyArray<readonly [path: string, q: string, names: string]> = [
  ["issues", "state:shut", "state"],
  ["issues", "is:purple crash", "is"],
  ["issues", "created:yesterday", "created"],
  ["issues", "created:2026-02-31", "created"],
  ["issues", "updated:>2026-13-01", "updated"],
  ["issues", "comments:many", "comments"],
  ["issues", "reactions:1..x", "reactions"],
  ["issues", "no:colour", "no"],
  ["issues", "reason:bored", "reason"],
  ["issues", "in:footer crash", "in"],
  ["issues", "archived:perhaps", "archived"],
  ["issues", "crash sort:size", "sort"],
  ["issues", "repo:acme", "repo"],
  ["issues", "label:", "label"],
  ["issues", "(crash", "parenthesis"],
  ["issues", "crash OR", "OR"],
  ["issues", "stars:>3", "stars"],
  ["repositories", "stars:many", "stars"],
  ["repositories", "fork:perhaps", "fork"],
  ["repositories", "in:title lamp", "in"],
  ["commits", "author-date:soon", "author-date"],
  ["commits", "merge:perhaps", "merge"],
  ["users", "type:robot", "type"],
  ["users", "repos:many", "repos"]
]

for (let seed = first; seed <= last; seed++) {
  layer(
    Support.layer((repos) => mkdirSync(repos)),
    { timeout: 120_000 }
  )(`the searches with seed ${seed}`, (it) => {
    it.effect(
      "are those of the model",
      () =>
        Effect.gen(function* () {
          const { get } = yield* Support.TestForge
          const world = yield* prepare(seed, issueCount)
          const differences: Array<string> = []
          for (let serial = 1; serial <= queryCount; serial++) {
            const difference = yield* compare(world, seed, serial)
            if (difference !== undefined) differences.push(difference)
          }
          for (const repository of world.repositories) {
            const random = randomOf(seed + repository.id)
            const caller = random.one(world.callers)
            if (caller === undefined) throw new Error("no caller")
            const difference = yield* compareLabels(
              repository,
              caller,
              random.one(["bug", "wanted", "GRÖSSE", "c", "queue"]) ?? ""
            )
            if (difference !== undefined) differences.push(`seed ${seed}, ${difference}`)
          }
          for (const [path, q, names] of invalid) {
            const { json, status } = yield* get(`/search/${path}?q=${encodeURIComponent(q)}`)
            const message = String(json.errors?.[0]?.message ?? "")
            if (status !== 422 || !message.includes(names)) {
              differences.push(`seed ${seed}, /search/${path} ${q}: ${status} ${JSON.stringify(json).slice(0, 300)}`)
            }
          }
          if (differences.length > 0)
            assert.fail(`${differences.length} differences\n\n${differences.slice(0, 40).join("\n\n")}`)
        }),
      { timeout: 600_000 }
    )
  })
}
