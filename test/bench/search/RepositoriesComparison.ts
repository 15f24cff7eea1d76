/** Searches across many repositories: the corpus and the clones in the folder `TONGS_BENCH_REPOS`. */
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import type { Row, Section } from "../Report.ts"
import * as SearchPrograms from "./SearchPrograms.ts"
import * as SearchQuestions from "./SearchQuestions.ts"
import * as SearchRows from "./SearchRows.ts"
import { SearchServer } from "./SearchServer.ts"
import * as ZoektPeer from "./ZoektPeer.ts"

/** The clones in the folder, bare or not. */
const clonesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .filter(
      (path) => statSync(path).isDirectory() && (existsSync(join(path, ".git")) || existsSync(join(path, "HEAD")))
    )

/** Measures the index and the queries. None without `TONGS_BENCH_REPOS`. */
export const measure = Effect.fnUntraced(function* (home: string, corpus: string, rounds: number) {
  const folder = process.env["TONGS_BENCH_REPOS"]
  if (folder === undefined) return []
  const clones = clonesIn(folder)
  const inside = join(home, "repositories")
  mkdirSync(inside, { recursive: true })
  const served = yield* SearchServer.start(inside, corpus, ...clones)
  const built = yield* BenchmarkEnvironment.tryPromise(() => served.waitForIndex())
  const zoekt = ZoektPeer.isInstalled() ? yield* ZoektPeer.start(inside, [corpus, ...clones]) : undefined
  const rows: Array<Row> = []
  for (const question of yield* SearchQuestions.make(corpus)) {
    const gitGrep = yield* BenchmarkEnvironment.tryPromise(async () => {
      const begun = performance.now()
      let files = 0
      for (const path of [corpus, ...clones]) files += (await SearchPrograms.gitGrep(question, path)).files
      const done = performance.now() - begun
      return { first: Number.NaN, done: question.gitGrep === undefined ? Number.NaN : done, files }
    })
    rows.push(yield* SearchRows.make(question, { served, zoekt, rounds, others: { "git grep": () => gitGrep } }))
  }
  const sections: ReadonlyArray<Section> = [
    { title: `${clones.length + 1} repositories`, rows: SearchRows.indexes(built, served, zoekt) },
    { title: `Queries in ${clones.length + 1} repositories (medians)`, rows }
  ]
  return sections
}, Effect.scoped)
