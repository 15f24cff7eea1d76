/** Measures clones and fetches from `tongs serve`, compared with `git http-backend` behind a bare `node:http` server. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Benchmark } from "../Benchmark.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as Comparison from "../Comparison.ts"
import * as ForkedWorker from "../ForkedWorker.ts"
import * as ProcessLauncher from "../ProcessLauncher.ts"
import { atMost, type Goal, type Row } from "../Report.ts"
import { median } from "../Statistics.ts"
import * as GitFixture from "./GitFixture.ts"
import * as MergeBenchmark from "./MergeBenchmark.ts"

/** How many times as long as from `git http-backend` a transfer may take. */
const MAX_RATIO = 1.15

interface Operation {
  readonly title: string
  /** True for the repositories of the measurement. */
  readonly fits: (repository: GitFixture.Repository) => boolean
  /** Prepares `target` and returns the arguments of git. */
  readonly prepare: (repository: GitFixture.Repository, url: string, target: string) => ReadonlyArray<string>
}

const hasHistory = ({ behind }: GitFixture.Repository) => behind !== undefined

/** Fewer rounds for Linux, which takes seconds each. */
const roundsOf = (repository: GitFixture.Repository, quick: boolean) =>
  hasHistory(repository) ? (quick ? 5 : 15) : quick ? 3 : 7

const clone = (title: string, fits: Operation["fits"], ...flags: ReadonlyArray<string>): Operation => ({
  title,
  fits,
  prepare: (_, url, target) => {
    rmSync(target, { recursive: true, force: true })
    return ["clone", "--quiet", "--no-checkout", ...flags, url, target]
  }
})

const operations: ReadonlyArray<Operation> = [
  clone("whole", () => true),
  clone("--depth 1", hasHistory, "--depth", "1"),
  clone("--filter=blob:none", () => true, "--filter=blob:none"),
  {
    title: "fetch of ten commits",
    fits: hasHistory,
    prepare: ({ behind = "" }, url, target) => {
      GitFixture.copy(behind, target)
      return ["-C", target, "fetch", "--quiet", url, "HEAD:refs/heads/new"]
    }
  }
]

/** Starts the forge and makes the repositories public, so that both servers answer the first request. */
const startTongs = Effect.fnUntraced(function* (home: string, repos: string, names: ReadonlyArray<string>) {
  // Another code index, so that the forge does not index Linux during the measurement.
  const flags = ["--code-index", "http://127.0.0.1:9"]
  const { token, url } = yield* ProcessLauncher.serve({ data: join(home, "forge"), home, repos, flags })
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const call = (path: string, init: RequestInit = {}) =>
    BenchmarkEnvironment.tryPromise(async () => {
      const response = await fetch(url + path, { ...init, headers })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      return response.text()
    })
  const { login } = yield* Effect.map(call("/user"), decodeUser)
  for (const name of names) {
    yield* call(`/repos/${login}/${name}`, { method: "PATCH", body: JSON.stringify({ private: false }) })
  }
  return { name: "tongs serve", base: `${url}/${login}` }
})

const decodeUser = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ login: Schema.String })))

const startBackend = Effect.fnUntraced(function* (root: string) {
  const worker = yield* ForkedWorker.make(`${import.meta.dirname}/HttpBackend.worker.ts`)
  const { url } = yield* worker.request({ root }, Schema.Struct({ url: Schema.String }))
  return { name: "git http-backend", base: url }
})

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  const folder = join(home, "repositories")
  const clients = join(home, "clients")
  const repositories = yield* GitFixture.make(folder, clients)
  const servers = [
    yield* startTongs(
      home,
      folder,
      repositories.map(({ name }) => name)
    ),
    yield* startBackend(folder)
  ]
  const rows: Array<Row> = []
  const goals: Array<Goal> = []
  for (const repository of repositories) {
    for (const { prepare, title } of operations.filter(({ fits }) => fits(repository))) {
      const measure = (base: string) =>
        Effect.suspend(() => {
          const args = prepare(repository, `${base}/${repository.name}.git`, join(clients, "target"))
          return ProcessLauncher.timeUntil({ command: "git", args, home }, "exit")
        })
      const times = yield* Comparison.run(
        servers.map(({ base, name }) => ({ name, measure: measure(base) })),
        roundsOf(repository, quick)
      )
      const [ours = [], theirs = []] = servers.map(({ name }) => times.get(name))
      const ratio = median(ours.map((time, round) => time / (theirs[round] ?? Number.NaN)))
      rows.push({
        repository: repository.title,
        rounds: ours.length,
        transfer: title,
        "tongs serve (ms)": median(ours),
        "git http-backend (ms)": median(theirs),
        ratio
      })
      goals.push({
        goal: `${repository.name}, ${title}: at most ${MAX_RATIO} of git http-backend`,
        ...atMost(ratio, MAX_RATIO, "")
      })
    }
  }
  const notes = [
    "ratio is the median of the ratios of each round; clones do not check out files",
    ...(repositories.every(hasHistory) ? ["without the Linux source: apt install linux-source"] : [])
  ]
  const merges = yield* MergeBenchmark.run(quick)
  const sections = [{ title: "time of git clone and git fetch", rows }, merges.section]
  return { sections, goals: [...goals, ...merges.goals], notes }
})

export const git: Benchmark = {
  name: "git",
  summary: "clone and fetch over HTTP, and merges, compared with git's own programs",
  run
}
