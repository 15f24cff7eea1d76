/** Search ranks the relevant file first. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import * as Forge from "@tongs/service/main/Forge.test-support"
import * as RankingCorpus from "./RankingCorpus.test-support.ts"
import * as RelevanceJudgements from "./RelevanceJudgements.test-support.ts"

/** The number of results that count. */
const DEPTH = 30

/** The rank of the first relevant file, from 1; 0 without one. */
const placeOf = Effect.fnUntraced(function* ({ query, repository, wanted }: RelevanceJudgements.RelevanceJudgement) {
  const { get, owner } = yield* Forge.TestForge
  const q = encodeURIComponent(`${query} repo:${owner}/${repository}`)
  for (;;) {
    const { json, status } = yield* get(`/search/code?q=${q}&per_page=${DEPTH}`)
    assert.strictEqual(status, 200)
    // The first query waits for the index.
    if (json.incomplete_results === true) continue
    return json.items.findIndex((item: { readonly path: string }) => wanted.includes(item.path)) + 1
  }
})

/** The share of queries with a relevant first result, and the mean reciprocal rank. */
const quality = (places: ReadonlyArray<number>) => ({
  first: places.filter((place) => place === 1).length / places.length,
  reciprocal: places.reduce((sum, place) => sum + (place === 0 ? 0 : 1 / place), 0) / places.length
})

const summary = ({ first, reciprocal }: ReturnType<typeof quality>) =>
  `${(first * 100).toFixed(0)} % first, mean reciprocal rank ${reciprocal.toFixed(2)}`

const measure = Effect.fnUntraced(function* (names: ReadonlyArray<RankingCorpus.RepositoryName>) {
  const judgements = RelevanceJudgements.of(names)
  const places = yield* Effect.forEach(judgements, placeOf)
  const all = quality(places)
  // The other two thirds were used to choose the weights.
  const heldOut = quality(places.filter((_, at) => at % 3 === 2))
  const others = judgements.flatMap(({ query, repository }, at) =>
    places[at] === 1 ? [] : [`${repository}: ${query} (${places[at] === 0 ? "not found" : places[at]})`]
  )
  yield* Effect.logInfo(
    `${names.join(", ")}: ${judgements.length} queries: ${summary(all)}; held out: ${summary(heldOut)}; not first: ${others.join(", ")}`
  )
  for (const { first, reciprocal } of [all, heldOut]) {
    assert.isAtLeast(first, 0.6, others.join("\n"))
    assert.isAtLeast(reciprocal, 0.7, others.join("\n"))
  }
})

layer(Forge.layer(RankingCorpus.make), { excludeTestServices: true })("ranking", (it) => {
  it.effect("has relevant files for all judgements", () =>
    Effect.gen(function* () {
      const { repos } = yield* Forge.TestForge
      const judgements = RelevanceJudgements.of([...RankingCorpus.fromPackages, ...RankingCorpus.fromClones])
      assert.isAtLeast(judgements.length, 50)
      for (const { query, repository, wanted } of judgements) {
        const { any } = Result.getOrThrow(SearchQuery.parse(query))
        const hasAll = wanted.some((path) => {
          const text = readFileSync(join(repos, repository, path), "utf8").toLowerCase()
          return text.length < 384 * 1024 && any.flat().every((term) => text.includes(term.text.toLowerCase()))
        })
        assert.isTrue(hasAll, `${query}: none of ${wanted.join(", ")} has it`)
      }
    })
  )

  it.effect("puts relevant files first in TypeScript", () => measure(RankingCorpus.fromPackages))

  it.effect.skipIf(RankingCorpus.fromClones.length === 0)("puts relevant files first in Python and Go", () =>
    measure(RankingCorpus.fromClones)
  )
})
