/** Measures code search in a large repository, compared with zoekt, ripgrep and `git grep`. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Benchmark } from "../Benchmark.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import { atMost, type Row } from "../Report.ts"
import { median } from "../Statistics.ts"
import * as AllResults from "./AllResults.ts"
import * as LinuxCorpus from "./LinuxCorpus.ts"
import * as ManyRepositories from "./ManyRepositories.ts"
import * as PushLatency from "./PushLatency.ts"
import * as RankingComparison from "./RankingComparison.ts"
import * as RepositoriesComparison from "./RepositoriesComparison.ts"
import * as SearchPrograms from "./SearchPrograms.ts"
import * as SearchQuestions from "./SearchQuestions.ts"
import * as SearchUnderLoad from "./SearchUnderLoad.ts"
import * as SearchRows from "./SearchRows.ts"
import { SearchServer } from "./SearchServer.ts"
import * as ZoektPeer from "./ZoektPeer.ts"

/** Measures the index and all queries in the corpus. */
const inCorpus = Effect.fnUntraced(function* (home: string, { path }: LinuxCorpus.LinuxCorpus, rounds: number) {
  const inside = join(home, "corpus")
  mkdirSync(inside, { recursive: true })
  const served = yield* SearchServer.start(inside, path)
  const built = yield* BenchmarkEnvironment.tryPromise(() => served.waitForIndex())
  const zoekt = ZoektPeer.isInstalled() ? yield* ZoektPeer.start(inside, [path]) : undefined
  const rows: Array<Row> = []
  for (const question of yield* SearchQuestions.make(path)) {
    const others = {
      ripgrep: () => SearchPrograms.ripgrep(question, path),
      "git grep": () => SearchPrograms.gitGrep(question, path)
    }
    rows.push(yield* SearchRows.make(question, { served, zoekt, rounds, others }))
  }
  const all = yield* AllResults.measure(path, { served, zoekt, rounds })
  const underLoad = yield* SearchUnderLoad.measure(path, served)
  return {
    all,
    built,
    underLoad,
    rows,
    indexes: SearchRows.indexes(built, served, zoekt),
    peak: served.peakMegabytes()
  }
}, Effect.scoped)

/** Returns notes on the programs and settings that this run lacks. */
const missingPrograms = (): ReadonlyArray<string> => [
  ...(ZoektPeer.isInstalled() ? [] : ["zoekt is skipped: zoekt-git-index and zoekt-webserver are not on the PATH."]),
  ...(BenchmarkEnvironment.findProgram("rg") === undefined ? ["ripgrep is skipped: rg is not on the PATH."] : []),
  ...(ZoektPeer.hasSymbols() ? [] : ["zoekt has no symbols: set TONGS_BENCH_CTAGS to the path of universal-ctags."]),
  ...(process.env["TONGS_BENCH_REPOS"] === undefined
    ? ["Many repositories are skipped: set TONGS_BENCH_REPOS to a folder of clones."]
    : [])
]

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  const corpus = yield* LinuxCorpus.find
  const home = yield* BenchmarkEnvironment.temporaryFolder
  const rounds = quick ? 5 : 21
  const { all, built, indexes, peak, rows, underLoad } = yield* inCorpus(home, corpus, rounds)
  const many = yield* RepositoriesComparison.measure(home, corpus.path, rounds)
  const manyHome = join(home, "many")
  mkdirSync(manyHome)
  const generated = yield* ManyRepositories.measure(manyHome, corpus.path, rounds, quick)
  const ranking = yield* RankingComparison.measure(home)
  const pushHome = join(home, "pushes")
  mkdirSync(pushHome)
  const pushes = yield* PushLatency.measure(pushHome, corpus, quick ? 3 : 9)
  const of = (what: string, column = "done (ms)") =>
    Number(rows.find(({ question }) => question === what)?.[column] ?? Number.NaN)
  return {
    sections: [
      {
        title: `${corpus.name}: ${corpus.files} files, ${Math.round(corpus.bytes / 1e6)} MB`,
        rows: indexes.map((row) => ({ ...row, "of the corpus": Number(row["index (MB)"]) / (corpus.bytes / 1e6) }))
      },
      { title: "Queries (medians)", rows },
      { title: "All results: all files and matches (medians)", rows: all.rows },
      { title: "Beside eight busy processes, within the default deadline", rows: [underLoad.row] },
      ...many,
      ...generated.sections,
      { title: "Order of the results for judged queries", rows: ranking },
      {
        title: "A push of 100 files, until a search has found them",
        rows: [
          { "first (ms)": pushes[0] ?? Number.NaN, "median (ms)": median(pushes), "slowest (ms)": Math.max(...pushes) }
        ]
      }
    ],
    goals: [
      {
        goal: "commonest word, first 30 with fragments, at most 150 ms",
        ...atMost(of("contract, commonest word"), 150, " ms")
      },
      { goal: "rare word, at most 20 ms", ...atMost(of("contract, rare word"), 20, " ms") },
      {
        goal: "substring, first hit within 100 ms",
        ...atMost(of("substring, common", "first (ms)"), 100, " ms")
      },
      { goal: "rare substring, done within 50 ms", ...atMost(of("substring, rare"), 50, " ms") },
      {
        goal: "rare expression, complete within 0.2 of ripgrep's time",
        ...atMost(of("regex, rare") / of("regex, rare", "ripgrep (ms)"), 0.2, "")
      },
      {
        goal: "regex with three letters, first hit within 300 ms",
        ...atMost(of("regex, three letters", "first (ms)"), 300, " ms")
      },
      ...all.goals,
      { goal: "under load, no search finds nothing", ...atMost(underLoad.empty, 0, " searches") },
      ...generated.goals,
      { goal: "index, at most 0.8 of the corpus", ...atMost(built.indexBytes / corpus.bytes, 0.8, "") },
      { goal: "built within 38 s", ...atMost(built.seconds, 38, " s") },
      { goal: "a push of 100 files is found within 700 ms", ...atMost(Math.max(...pushes), 700, " ms") },
      { goal: "built and served within 600 MB of memory", ...atMost(peak, 600, " MB") }
    ],
    notes: [
      "Tongs and zoekt return the best 200 files. ripgrep and git grep list all matching files, from a warm cache, without an order.",
      "Memory is the proportional set size of all processes of a program, with the mapped pages of its index.",
      ...missingPrograms()
    ]
  }
})

export const search: Benchmark = {
  name: "search",
  summary: "code search in the Linux source, compared with zoekt, ripgrep and git grep",
  run
}
