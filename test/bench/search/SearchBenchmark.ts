/** Measures code search in a large repository, compared with ripgrep and `git grep`. */
import { execFile } from "node:child_process"
import * as Effect from "effect/Effect"
import type { Benchmark } from "../Benchmark.ts"
import { atMost, type Row } from "../Report.ts"
import { median } from "../Statistics.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as LinuxCorpus from "./LinuxCorpus.ts"
import * as PushLatency from "./PushLatency.ts"
import { type SearchTiming, SearchServer } from "./SearchServer.ts"

interface Question {
  readonly what: string
  /** A literal text or a regular expression. */
  readonly text: string
  readonly regex: boolean
  readonly ask: (served: SearchServer) => Promise<SearchTiming>
}

const contract = (what: string, text: string): Question => ({
  what,
  text,
  regex: false,
  ask: (served) => served.searchContract(text)
})

const substring = (what: string, text: string): Question => ({
  what,
  text,
  regex: false,
  ask: (served) => served.searchStreamed(`"${text}"`, 200)
})

const regex = (what: string, text: string): Question => ({
  what,
  text,
  regex: true,
  ask: (served) => served.searchStreamed(`/${text}/`, 30)
})

/** Words in almost all files of the corpus, and in a few. */
const questions: ReadonlyArray<Question> = [
  contract("contract, commonest word", "the"),
  contract("contract, common word", "return"),
  contract("contract, rare word", "xa_for_each_marked"),
  substring("substring, common", "lloc"),
  substring("substring, rare", "ister_fixed_factor_par"),
  regex("regex, three letters", "irq\\w*\\("),
  regex("regex, common", "k[mz]alloc\\(sizeof")
]

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  const corpus = yield* LinuxCorpus.find
  const home = yield* BenchmarkEnvironment.temporaryFolder
  const served = yield* SearchServer.start(home, corpus.path)
  const built = yield* BenchmarkEnvironment.tryPromise(() => served.waitForIndex())
  const rows: Array<Row> = []
  const medians = new Map<string, SearchTiming>()
  for (const question of questions) {
    const answers: Array<SearchTiming> = []
    const peers = { rg: [] as Array<number>, git: [] as Array<number> }
    for (let round = 0; round <= (quick ? 5 : 21); round++) {
      const answer = yield* BenchmarkEnvironment.tryPromise(() => question.ask(served))
      // The first round fills the caches.
      if (round > 0) answers.push(answer)
    }
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      peers.rg.push(yield* timed("rg", ripgrep(question), corpus.path))
      peers.git.push(yield* timed("git", gitGrep(question), corpus.path))
    }
    const typical = {
      first: median(answers.map(({ first }) => first)),
      done: median(answers.map(({ done }) => done)),
      files: answers.at(-1)?.files ?? 0
    }
    medians.set(question.what, typical)
    rows.push({
      question: question.what,
      "looked for": question.text,
      files: typical.files,
      "first hit (ms)": typical.first,
      "done (ms)": typical.done,
      "ripgrep (ms)": median(peers.rg),
      "git grep (ms)": median(peers.git)
    })
  }
  const pushes = yield* PushLatency.measure(home, corpus, quick ? 3 : 9)
  const of = (what: string) => medians.get(what) ?? { first: Number.NaN, done: Number.NaN, files: 0 }
  return {
    sections: [
      {
        title: `${corpus.name}: ${corpus.files} files, ${Math.round(corpus.bytes / 1e6)} MB`,
        rows: [
          {
            "index (MB)": built.indexBytes / 1e6,
            "of the corpus": built.indexBytes / corpus.bytes,
            "built in (s)": built.seconds,
            "peak memory (MB)": built.peakMegabytes
          }
        ]
      },
      { title: "Queries (medians)", rows },
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
        ...atMost(of("contract, commonest word").done, 150, " ms")
      },
      { goal: "rare word, at most 20 ms", ...atMost(of("contract, rare word").done, 20, " ms") },
      { goal: "substring, first hit within 100 ms", ...atMost(of("substring, common").first, 100, " ms") },
      { goal: "rare substring, done within 50 ms", ...atMost(of("substring, rare").done, 50, " ms") },
      {
        goal: "regex with three letters, first 30 within 300 ms",
        ...atMost(of("regex, three letters").done, 300, " ms")
      },
      { goal: "index, at most half of the corpus", ...atMost(built.indexBytes / corpus.bytes, 0.5, "") },
      { goal: "built within 4 minutes", ...atMost(built.seconds, 240, " s") },
      { goal: "a push of 100 files is found within 1,000 ms", ...atMost(Math.max(...pushes), 1_000, " ms") },
      { goal: "built within 600 MB of memory", ...atMost(built.peakMegabytes, 600, " MB") }
    ],
    notes: ["ripgrep and git grep list all matching files, from a warm cache, without ranking."]
  }
})

const ripgrep = ({ regex, text }: Question) => [
  "--no-config",
  "--hidden",
  "--no-ignore",
  "--glob=!.git",
  "-il",
  ...(regex ? [] : ["-F"]),
  "-e",
  text,
  "."
]
const gitGrep = ({ regex, text }: Question) => ["grep", "-lIi", regex ? "-P" : "-F", "-e", text, "HEAD"]

/** The duration of a search with another program (milliseconds). */
const timed = Effect.fnUntraced(function* (program: string, args: ReadonlyArray<string>, cwd: string) {
  if (BenchmarkEnvironment.findProgram(program) === undefined) return Number.NaN
  const begun = performance.now()
  yield* BenchmarkEnvironment.tryPromise(
    () =>
      new Promise<void>((resolve, reject) => {
        // Exit code 1: no matches.
        execFile(program, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error) =>
          error === null || error.code === 1 ? resolve() : reject(error)
        )
      })
  )
  return performance.now() - begun
})

export const search: Benchmark = {
  name: "search",
  summary: "code search in the Linux source, compared with ripgrep and git grep",
  run
}
