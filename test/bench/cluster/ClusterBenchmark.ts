/** Measures a forge of three processes beside a forge of one process: a mixed load, and searches. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import type { IndexStatus } from "@tongs/core/contract/groups/CodeIndex"
import type { SearchEvent } from "@tongs/core/contract/groups/CodeSearch"
import * as GeneratedRepositories from "../../search/GeneratedRepositories.test-support.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import type { Benchmark } from "../Benchmark.ts"
import * as Comparison from "../Comparison.ts"
import * as ForkedWorker from "../ForkedWorker.ts"
import * as LatencySample from "../LatencySample.ts"
import { atLeast, atMost, type Goal, type Row } from "../Report.ts"
import * as ServiceFixture from "../service/ServiceFixture.ts"
import { median, quantile } from "../Statistics.ts"
import * as MeasuredCluster from "./MeasuredCluster.ts"

const PROCESSES = 3
const CONNECTIONS = 16

/** Delay in milliseconds of each direction to the database, as between two machines of a data centre. */
const DELAY = 1

/** Number of generated repositories. */
const MANY = 2_000
const MANY_QUICKLY = 60

/** Milliseconds that a search may take. */
const SEARCH_LIMIT = 60_000

/** Milliseconds until all repositories are indexed. */
const INDEX_LIMIT = 600_000

const names = { one: "one process", several: `${PROCESSES} processes` } as const

/** Compares the requests per second of both forges. */
const mixedLoad = Effect.fnUntraced(function* (server: string, delay: number, quick: boolean) {
  const forges = yield* Effect.forEach([1, PROCESSES], (processes) =>
    Effect.gen(function* () {
      const home = yield* BenchmarkEnvironment.temporaryFolder
      const { sha } = yield* ServiceFixture.repositories(home)
      const forge = yield* MeasuredCluster.serve({
        server,
        database: `mixed_${processes}_${delay}`,
        home,
        data: join(home, "forge"),
        repos: join(home, "repositories"),
        processes,
        delay
      })
      const owner = yield* Effect.promise(() => ServiceFixture.loginOf(forge.urls[0] ?? "", forge.token))
      return { ...forge, name: processes === 1 ? names.one : names.several, owner, sha }
    })
  )
  const load = yield* ForkedWorker.make(`${import.meta.dirname}/ClusterLoad.worker.ts`)
  const [rounds, milliseconds] = quick ? [2, 2_000] : [7, 5_000]
  const samples = yield* Comparison.run(
    forges.map(({ name, owner, sha, token, urls }) => ({
      name,
      measure: load.request(
        { urls, token, owner, sha, repositories: ["bench"], connections: CONNECTIONS, milliseconds },
        LatencySample.LatencySample
      )
    })),
    rounds
  )
  const of = (name: string) => LatencySample.medianOf(samples.get(name) ?? [])
  const rows = Object.values(names).map((name): Row => {
    const { p50, p99, perSecond } = of(name)
    return { forge: name, "per second": perSecond, "p50 (ms)": p50, "p99 (ms)": p99 }
  })
  return { rows, ratio: of(names.several).perSecond / of(names.one).perSecond }
}, Effect.scoped)

interface SearchResult {
  readonly files: ReadonlyArray<string>
  readonly isComplete: boolean
}

/** Returns all files that a user finds, sorted. */
const search = async (url: string, token: string, query: string): Promise<SearchResult> => {
  const parameters = new URLSearchParams({ q: `${query} count:all`, deadline: String(SEARCH_LIMIT) })
  const response = await fetch(`${url}/tongs/search?${parameters}`, { headers: headersOf(token) })
  if (!response.ok) throw new Error(`${query}: ${response.status} ${await response.text()}`)
  const lines = (await response.text()).trimEnd().split("\n")
  const events = lines.map((line): SearchEvent => JSON.parse(line))
  const files = events.flatMap((event) => (event._tag === "File" ? [`${event.owner}/${event.repo} ${event.path}`] : []))
  const last = events.at(-1)
  return { files: files.toSorted(), isComplete: last?._tag === "Done" && last.incomplete.length === 0 }
}

const summaryOf = ({ files, isComplete }: SearchResult) => `${files.length} files${isComplete ? "" : ", incomplete"}`

/** Waits until a process tells that all repositories are indexed. Returns the seconds. */
const indexed = async (url: string, token: string, count: number) => {
  const begun = performance.now()
  while (performance.now() - begun < INDEX_LIMIT) {
    const response = await fetch(`${url}/tongs/index`, { headers: headersOf(token) })
    const { repositories }: IndexStatus = await response.json()
    if (repositories.filter(({ state }) => state === "ready").length === count) {
      return (performance.now() - begun) / 1_000
    }
    await setTimeout(500)
  }
  throw new Error(`${url} did not index ${count} repositories in time`)
}

const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, "user-agent": "bench" })

/** Compares searches of users with different rights: one at a time, and of all users at once. */
const searches = Effect.fnUntraced(function* (server: string, quick: boolean) {
  const count = quick ? MANY_QUICKLY : MANY
  const forges = yield* Effect.forEach([1, PROCESSES], (processes) =>
    Effect.gen(function* () {
      const home = yield* BenchmarkEnvironment.temporaryFolder
      const data = join(home, "data")
      const folder = join(data, "repositories")
      mkdirSync(folder, { recursive: true })
      const generated = GeneratedRepositories.generate({ folder, count })
      const fixtures = join(home, "fixtures.json")
      writeFileSync(fixtures, JSON.stringify(GeneratedRepositories.fixtures(generated)))
      const forge = yield* MeasuredCluster.serve({
        server,
        database: `search_${processes}`,
        home,
        data,
        processes,
        firstFlags: ["--fixtures", fixtures]
      })
      const [first = ""] = forge.urls
      const seconds = yield* BenchmarkEnvironment.tryPromise(() => indexed(first, forge.token, count))
      return { ...forge, name: processes === 1 ? names.one : names.several, users: generated.users, seconds }
    })
  )
  const { COMMON_WORD, sharedSteps, sharedWord, uniqueWord } = GeneratedRepositories
  const queries = [COMMON_WORD, ...sharedSteps.map(sharedWord), ...[7, 11, 23].map((at) => uniqueWord(at % count))]
  const different: Array<string> = []
  const rounds = quick ? 1 : 5

  /** Runs all queries of all users at each forge in turn. */
  const measure = Effect.fnUntraced(function* (concurrency: number) {
    const durations = new Map<string, Array<number>>(forges.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round++) {
      const results = new Map<string, Map<string, SearchResult>>()
      for (const { name, urls, users } of forges) {
        const found = new Map<string, SearchResult>()
        results.set(name, found)
        const asked = users.flatMap((user, at) => queries.map((query) => ({ ...user, at, query })))
        yield* Effect.forEach(
          asked,
          ({ at, login, query, token }) =>
            BenchmarkEnvironment.tryPromise(async () => {
              const begun = performance.now()
              const result = await search(urls[(at + round) % urls.length] ?? "", token, query)
              durations.get(name)?.push(performance.now() - begun)
              found.set(`${login}, ${query}`, result)
            }),
          { concurrency, discard: true }
        )
      }
      for (const [question, one] of results.get(names.one) ?? []) {
        const several = results.get(names.several)?.get(question)
        if (JSON.stringify(one) !== JSON.stringify(several)) {
          different.push(`${question}: ${summaryOf(one)} and ${several === undefined ? "none" : summaryOf(several)}`)
        }
      }
    }
    const rows = forges.map(({ name, seconds }): Row => {
      const times = durations.get(name) ?? []
      return {
        forge: name,
        repositories: count,
        "at once": concurrency,
        searches: times.length,
        "p50 (ms)": median(times),
        "p95 (ms)": quantile(times, 0.95),
        "indexed in (s)": seconds
      }
    })
    const p95 = (name: string) => quantile(durations.get(name) ?? [], 0.95)
    return { rows, ratio: p95(names.several) / p95(names.one) }
  })

  const single = yield* measure(1)
  const together = yield* measure(forges[0]?.users.length ?? 1)
  return { rows: [...single.rows, ...together.rows], single: single.ratio, together: together.ratio, different }
}, Effect.scoped)

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ progress, quick }) {
  const { url, version } = yield* MeasuredCluster.postgres
  const near = yield* mixedLoad(url, 0, quick)
  yield* progress(`mixed load: ratio ${near.ratio.toFixed(2)}`)
  const far = yield* mixedLoad(url, DELAY, quick)
  yield* progress(`mixed load, ${DELAY} ms to the database: ratio ${far.ratio.toFixed(2)}`)
  const found = yield* searches(url, quick)
  const goals: ReadonlyArray<Goal> = [
    { goal: "mixed load: share of the speed of one process at least 0.8", ...atLeast(near.ratio, 0.8, "") },
    { goal: "searches with other results than of one process", ...atMost(found.different.length, 0, "") },
    { goal: "searches, one at a time: p95 at most 1.5 times that of one process", ...atMost(found.single, 1.5, "") },
    { goal: "searches of all users at once: p95 at most 1.5 times", ...atMost(found.together, 1.5, "") }
  ]
  const mix = `A mixed load on ${CONNECTIONS} connections`
  return {
    sections: [
      { title: mix, rows: near.rows },
      { title: `${mix}, with ${DELAY} ms in each direction to the database`, rows: far.rows },
      { title: "Searches of users with different rights", rows: found.rows }
    ],
    goals,
    notes: [
      `${version} with fsync. All processes, the load and the database share this machine.`,
      ...found.different.slice(0, 5)
    ]
  }
})

export const cluster: Benchmark = {
  name: "cluster",
  summary: "a forge of three processes beside a forge of one process: a mixed load, with latency, and searches",
  run
}
