/**
 * Search over many repositories together ranks the definition first. Runs with TONGS_TEST_CLONES, a folder with clones of
 * repositories of `ClonedRepositories`, each called like the repository (`linux`, `core`). To make one:
 * `git clone --depth 1 https://github.com/redis/redis DIR/redis`. Repositories without a clone are skipped.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { git } from "@tongs/service/git/Fixture.test-support"
import * as Forge from "@tongs/service/main/Forge.test-support"
import { judgedClones } from "./ClonedRepositories.test-support.ts"

const folder = process.env["TONGS_TEST_CLONES"]

interface Judgement {
  readonly language: string
  readonly name: string
  readonly query: string
  readonly wanted: ReadonlyArray<string>
}

const judgements: ReadonlyArray<Judgement> = Object.entries(judgedClones).flatMap(([language, repositories]) =>
  Object.entries(repositories).flatMap(([fullName, queries]) => {
    const name = fullName.slice(fullName.indexOf("/") + 1)
    if (folder === undefined || !existsSync(join(folder, name))) return []
    return Object.entries(queries).map(([query, paths]) => ({ language, name, query, wanted: paths.split(" ") }))
  })
)

/** True for the half of the queries that was not used to choose the weights. */
const isHeldOut = ({ name, query }: Judgement): boolean =>
  ((createHash("sha1")
    .update(name + query)
    .digest()[0] ?? 0) &
    1) ===
  1

/** The rank of the first relevant file in a search of all repositories, from 1; 0 without one. */
const placeOf = Effect.fnUntraced(function* ({ name, query, wanted }: Judgement) {
  const { get } = yield* Forge.TestForge
  for (;;) {
    const { status, text } = yield* get(`/tongs/search?q=${encodeURIComponent(query)}&deadline=60000`)
    assert.strictEqual(status, 200)
    const events = text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
    // The first query waits for the index.
    if (events.some(({ incomplete }) => incomplete?.includes("indexing") === true)) continue
    const files = events.filter(({ _tag }) => _tag === "File").sort((a, b) => b.rank - a.rank)
    return files.findIndex(({ path, repo }) => repo === name && wanted.includes(path)) + 1
  }
})

const share = (places: ReadonlyArray<number>, points: (place: number) => number) =>
  places.reduce((sum, place) => sum + (place === 0 ? 0 : points(place)), 0) / Math.max(1, places.length)

const firstShare = (places: ReadonlyArray<number>) => share(places, (place) => (place === 1 ? 1 : 0))

const summary = (places: ReadonlyArray<number>) =>
  `${places.length} queries, ${(100 * firstShare(places)).toFixed(0)} % first, ` +
  `${(100 * share(places, (place) => (place <= 5 ? 1 : 0))).toFixed(0)} % in the first five, ` +
  `mean reciprocal rank ${share(places, (place) => 1 / place).toFixed(2)}`

const cloneAll = (repos: string): void => {
  mkdirSync(repos, { recursive: true })
  for (const name of new Set(judgements.map((one) => one.name))) {
    git(repos, ["clone", "--quiet", "--shared", "--no-checkout", join(folder ?? "", name), join(repos, name)])
  }
}

describe.skipIf(judgements.length === 0)("search of many repositories", () => {
  layer(Forge.layer(cloneAll), { excludeTestServices: true })((it) => {
    it.effect(
      "puts the definition first",
      () =>
        Effect.gen(function* () {
          const judged: Array<Judgement & { readonly place: number }> = []
          for (const judgement of judgements) judged.push({ ...judgement, place: yield* placeOf(judgement) })
          const languages = Map.groupBy(judged, ({ language }) => language)
          for (const [language, some] of languages) {
            yield* Effect.logInfo(`${language}: ${summary(some.map(({ place }) => place))}`)
          }
          const places = judged.map(({ place }) => place)
          const heldOut = judged.filter(isHeldOut).map(({ place }) => place)
          yield* Effect.logInfo(`all: ${summary(places)}; held out: ${summary(heldOut)}`)
          const missed = judged.filter(({ place }) => place !== 1)
          assert.isAtLeast(firstShare(places), 0.8, missed.map(({ name, query }) => `${name}: ${query}`).join("\n"))
        }),
      30 * 60_000
    )
  })
})
