/**
 * Measures the overhead of a client per request, on a stubbed transport, compared with Octokit and Octokit's plugins.
 */
import * as Effect from "effect/Effect"
import type { Benchmark } from "../Benchmark.ts"
import * as Comparison from "../Comparison.ts"
import { atLeast, atMost, type Goal, type Row } from "../Report.ts"
import * as LatencySample from "../LatencySample.ts"
import * as ForkedWorker from "../ForkedWorker.ts"
import { versionOf } from "../BenchmarkEnvironment.ts"
import type { ClientRequest } from "./ClientWorker.ts"
import * as PagingBenchmark from "./PagingBenchmark.ts"

const contenders = [
  { name: "tongs", script: "EffectClient.worker.ts" },
  { name: "tongs (promise)", script: "PromiseClient.worker.ts" },
  { name: "octokit", script: "OctokitClient.worker.ts" },
  { name: "no client", script: "NoClient.worker.ts" }
]

const cases: ReadonlyArray<Omit<ClientRequest, "milliseconds"> & { readonly title: string }> = [
  { title: "a ref, one by one", request: "get", parallel: 1 },
  { title: "a ref, 100 in parallel", request: "get", parallel: 100 },
  { title: "30 commits, one by one", request: "page", parallel: 1 },
  { title: "30 commits, 100 in parallel", request: "page", parallel: 100 }
]

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  const [rounds, milliseconds] = quick ? [2, 200] : [5, 500]
  const workers = yield* Effect.forEach(contenders, ({ name, script }) =>
    Effect.map(ForkedWorker.make(`${import.meta.dirname}/${script}`), (worker) => ({ name, worker }))
  )
  const rows: Array<Row> = []
  const goals: Array<Goal> = []
  for (const { parallel, request, title } of cases) {
    const question = { request, parallel, milliseconds } satisfies ClientRequest
    const results = yield* Comparison.run(
      workers.map(({ name, worker }) => ({ name, measure: worker.request(question, LatencySample.LatencySample) })),
      rounds
    )
    const typical = new Map([...results].map(([name, samples]) => [name, LatencySample.medianOf(samples)]))
    const rate = (name: string) => typical.get(name)?.perSecond ?? Number.NaN
    const overhead = (name: string) => 1e6 / rate(name) - 1e6 / rate("no client")
    for (const [name, { p99, perSecond }] of typical) {
      rows.push({
        calls: name === contenders[0]?.name ? title : "",
        client: name,
        "µs a request": 1e6 / perSecond,
        "of it overhead": name === "no client" ? undefined : overhead(name),
        "requests/s": perSecond,
        "p99 ms": p99,
        "× octokit": name.startsWith("tongs") ? perSecond / rate("octokit") : undefined
      })
    }
    for (const name of typical.keys()) {
      if (!name.startsWith("tongs")) continue
      const goal = `${name}, ${title}`
      if (parallel === 1)
        goals.push({ goal: `${goal}: overhead at most 150 µs`, ...atMost(overhead(name), 150, " µs") })
      else if (request === "get") goals.push({ goal: `${goal}: at least 5,000/s`, ...atLeast(rate(name), 5000, "/s") })
    }
  }
  const paging = yield* PagingBenchmark.measure(rounds)
  const peers = ["core", "plugin-throttling", "plugin-retry", "plugin-paginate-rest"].map((name) => `@octokit/${name}`)
  return {
    sections: [
      { title: `With a stubbed transport, median of ${rounds} rounds of ${milliseconds} ms`, rows },
      paging.section
    ],
    goals: [...goals, ...paging.goals],
    notes: [
      `peers: ${peers.map((name) => `${name} ${versionOf(name)}`).join(", ")}`,
      "no client: the stub's response and JSON.parse; the other figures include it, and the rest is overhead",
      "the stub has no limits, so no call waits for a budget; octokit's page is a plain request without its paging plugin"
    ]
  }
})

export const client: Benchmark = { name: "client", summary: "the overhead of the client per request", run }
