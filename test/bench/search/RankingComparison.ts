/** Compares the order of results with zoekt's own, for the judged queries of the ranking tests. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as ZoektQuery from "@tongs/service/search/zoekt/ZoektQuery"
import * as RankingCorpus from "../../search/RankingCorpus.test-support.ts"
import * as RelevanceJudgements from "../../search/RelevanceJudgements.test-support.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import type { Row } from "../Report.ts"
import { SearchServer } from "./SearchServer.ts"
import * as ZoektPeer from "./ZoektPeer.ts"

/** The number of results that count. */
const DEPTH = 30

/** Measures the recall of the first result, and the mean reciprocal rank. */
export const measure = Effect.fnUntraced(function* (home: string) {
  const inside = join(home, "judged")
  const repos = join(inside, "repos")
  mkdirSync(repos, { recursive: true })
  RankingCorpus.make(repos)
  const names = [...RankingCorpus.fromPackages, ...RankingCorpus.fromClones]
  const judgements = RelevanceJudgements.of(names)
  const served = yield* SearchServer.start(inside, repos)
  yield* BenchmarkEnvironment.tryPromise(() => served.waitForIndex())
  const zoekt = ZoektPeer.isInstalled()
    ? yield* ZoektPeer.start(
        inside,
        names.map((name) => join(repos, name))
      )
    : undefined
  return yield* BenchmarkEnvironment.tryPromise(async () => {
    const places: Record<"tongs" | "zoekt", Array<number>> = { tongs: [], zoekt: [] }
    for (const { query, repository, wanted } of judgements) {
      const place = (paths: ReadonlyArray<string>) => paths.findIndex((path) => wanted.includes(path)) + 1
      places.tongs.push(place(await served.searchPaths(query, repository)))
      if (zoekt === undefined) continue
      const parsed = Result.getOrThrow(CodeQueryParser.parse(query))
      const translated = ZoektQuery.make(parsed, [{ fullName: `octo/${repository}`, name: repository }])
      const { paths } = await zoekt.search(translated ?? "", DEPTH)
      places.zoekt.push(place(paths.map((path) => path.slice(repository.length + 1))))
    }
    return [row("tongs", places.tongs), ...(zoekt === undefined ? [] : [row("zoekt", places.zoekt)])]
  })
}, Effect.scoped)

const row = (program: string, places: ReadonlyArray<number>): Row => ({
  program,
  queries: places.length,
  "relevant file first": places.filter((place) => place === 1).length / places.length,
  "mean reciprocal rank": places.reduce((sum, place) => sum + (place === 0 ? 0 : 1 / place), 0) / places.length
})
