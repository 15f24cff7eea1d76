/** Measures writes to the embedded forge, and concurrent reads, compared with `emulate`, a forge in memory. */
import * as Effect from "effect/Effect"
import type { Benchmark } from "../Benchmark.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as Comparison from "../Comparison.ts"
import * as ForkedWorker from "../ForkedWorker.ts"
import * as ProcessLauncher from "../ProcessLauncher.ts"
import { atMost, type Goal, type Row } from "../Report.ts"
import { median } from "../Statistics.ts"
import * as ServiceFixture from "./ServiceFixture.ts"
import { operations, type WriteLoad, WriteSample } from "./WriteSample.ts"

/** Maximum milliseconds of the median of a write, and of 90 % of the reads beside writes. */
const MAX_MILLIS = 10

const startTongs = Effect.fnUntraced(function* () {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  const { sha } = yield* ServiceFixture.repositories(home)
  const { token, url } = yield* ProcessLauncher.serve({ data: `${home}/forge`, home, repos: `${home}/repositories` })
  const owner = yield* Effect.tryPromise({
    try: () => ServiceFixture.loginOf(url, token),
    catch: (cause) => new BenchmarkEnvironment.BenchmarkError({ detail: `tongs /user: ${String(cause)}` })
  })
  return { name: "tongs", url, owner, sha, tokens: [token] }
})

const startEmulate = Effect.fnUntraced(function* () {
  const worker = yield* ForkedWorker.make(`${import.meta.dirname}/Emulator.worker.ts`)
  return { name: "emulate", ...(yield* worker.request({}, ServiceFixture.EmulatorInfo)) }
})

interface Server {
  readonly name: string
  readonly url: string
  readonly owner: string
  readonly sha: string
  readonly tokens: ReadonlyArray<string>
}

/** Measures an operation on each server, and returns the rows of its table. The first server is `tongs`. */
export const compare = Effect.fnUntraced(function* (
  servers: ReadonlyArray<Server>,
  operation: typeof WriteLoad.Type.operation,
  load: ForkedWorker.ForkedWorker,
  { milliseconds, rounds, times }: { readonly rounds: number; readonly times: number; readonly milliseconds: number }
) {
  const results = yield* Comparison.run(
    servers.map(({ name, ...server }) => ({
      name,
      measure: load.request({ ...server, operation, times, milliseconds }, WriteSample)
    })),
    rounds
  )
  const typicalOf = (name: string, figure: keyof typeof WriteSample.Type) =>
    median((results.get(name) ?? []).map((sample) => sample[figure]))
  const rows = servers.map(({ name }): Row => ({
    operation: name === "tongs" ? operation : "",
    server: name,
    "p50 ms": typicalOf(name, "p50"),
    "p90 ms": typicalOf(name, "p90"),
    "p99 ms": typicalOf(name, "p99"),
    "tongs takes ×": name === "tongs" ? undefined : typicalOf("tongs", "p50") / typicalOf(name, "p50")
  }))
  return { rows, typicalOf }
})

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  const servers = [yield* startTongs(), yield* startEmulate()]
  const load = yield* ForkedWorker.make(`${import.meta.dirname}/WriteLoad.worker.ts`)
  const [rounds, times, milliseconds] = quick ? [2, 20, 1000] : [5, 50, 3000]
  const rows: Array<Row> = []
  const goals: Array<Goal> = []
  for (const operation of operations) {
    const { rows: found, typicalOf } = yield* compare(servers, operation, load, { rounds, times, milliseconds })
    rows.push(...found)
    const figure = operation === "a read beside writes" ? "p90" : "p50"
    goals.push({
      goal: `${operation}: ${figure} under ${MAX_MILLIS} ms`,
      ...atMost(typicalOf("tongs", figure), MAX_MILLIS, " ms")
    })
  }
  return {
    sections: [{ title: `Writes over one connection, median of ${rounds} rounds of ${times}`, rows }],
    goals,
    notes: [
      `peer: emulate ${BenchmarkEnvironment.versionOf("emulate")}, which holds its data in memory; tongs flushes each write to disk`,
      "reads beside writes: four connections, uncached lists and references, while another one creates a reference each 50 ms"
    ]
  }
})

export const writes: Benchmark = { name: "writes", summary: "writes to the embedded forge, and reads beside them", run }
