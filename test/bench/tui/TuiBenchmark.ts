/** Measures the terminal UI of `tongs` beside tig and lazygit, in pseudo-terminals over real repositories. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as LargeRepository from "../../acceptance/LargeRepository.test-support.ts"
import type { Benchmark } from "../Benchmark.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import { atMost, formatNumber, type Goal, type Row } from "../Report.ts"
import { median, quantile } from "../Statistics.ts"
import * as DefinitionRepository from "./DefinitionRepository.ts"
import * as ProgramComparison from "./ProgramComparison.ts"
import * as TuiMeasurements from "./TuiMeasurements.ts"
import * as TuiPrograms from "./TuiPrograms.ts"

const sizes = [1_000, 12_000, 100_000] as const // literal types

const windows = [TuiMeasurements.small, TuiMeasurements.large]

const label = ({ columns, rows }: TuiMeasurements.WindowSize) => `${columns}x${rows}`

const p95 = (values: ReadonlyArray<number>) => quantile(values, 0.95)

const unit = (name: string) => (values: ReadonlyArray<number>) => `${formatNumber(median(values))} ${name}`

/** The latencies and bytes of the keys of all rounds. */
const summarize = (rounds: ReadonlyArray<TuiMeasurements.Keys>) => {
  const last = rounds.flatMap(({ last }) => last)
  return {
    p50: median(last),
    p95: p95(last),
    first: p95(rounds.flatMap(({ first }) => first)),
    bytes: median(rounds.map(({ bytes }) => bytes))
  }
}

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ progress, quick }) {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  const found = yield* TuiPrograms.find(home)
  const { failures, inTurn, together } = ProgramComparison.make(found.programs, progress)
  const rounds = quick ? 1 : 7
  const limit = quick ? 20_000 : 60_000
  const repositories = yield* Effect.forEach(sizes, (commits) =>
    Effect.map(LargeRepository.get(commits), (path) => ({ commits, path, name: `${formatNumber(commits)} commits` }))
  )
  const [, medium, biggest] = repositories
  const path = medium?.path ?? ""
  const all = biggest?.path ?? ""

  const starts = new Map<number, ProgramComparison.Results<number>>()
  for (const { commits, name, path } of repositories) {
    yield* together(
      {
        title: `first start with ${name}`,
        measure: (program) => TuiMeasurements.warmUp(program, path),
        format: () => "done"
      },
      1
    )
    starts.set(
      commits,
      yield* inTurn(
        {
          title: `first frame with ${name}`,
          measure: (program) => TuiMeasurements.firstFrame(program, path),
          format: unit("ms")
        },
        rounds
      )
    )
  }
  const keys = yield* Effect.forEach(windows, (window) =>
    Effect.map(
      inTurn(
        {
          title: `keys at ${label(window)}`,
          measure: (program) => TuiMeasurements.scrollKeys(program, path, window, 30),
          format: (rounds) => `p95 ${formatNumber(summarize(rounds).p95)} ms`
        },
        rounds
      ),
      (results) => ({ window, results })
    )
  )
  const ends = yield* Effect.forEach(repositories.slice(1), ({ commits, name, path }) =>
    Effect.map(
      together(
        {
          title: `end of ${name}`,
          measure: (program) => TuiMeasurements.end(program, path, limit),
          format: (runs) => unit("ms")(runs.map(({ time }) => time))
        },
        1
      ),
      (results) => ({ commits, name, results })
    )
  )
  const memory = yield* together(
    {
      title: "memory at the end of 100,000 commits",
      measure: (program) => TuiMeasurements.memoryAtEnd(program, all, limit),
      format: unit("MB")
    },
    rounds
  )
  const paged = yield* together(
    {
      title: "memory after paging through 12,000 commits",
      measure: (program) => TuiMeasurements.paging(program, path, 3 * limit),
      format: (runs) => unit("MB")(runs.map(({ megabytes }) => megabytes))
    },
    rounds
  )
  const seconds = quick ? 10 : 60
  const idle = yield* together(
    {
      title: `output in ${seconds} seconds without a key`,
      measure: (program) => TuiMeasurements.idle(program, path, seconds),
      format: unit("bytes")
    },
    1
  )
  const code = yield* DefinitionRepository.make(join(home, "parts"))
  const definitions = yield* inTurn(
    {
      title: "key to definition",
      only: "tongs",
      measure: (program) => TuiMeasurements.definitions(program, code, 30),
      format: (rounds) => `p95 ${formatNumber(p95(rounds.flat()))} ms`
    },
    rounds
  )

  const start = (name: string, commits: number) => median(starts.get(commits)?.get(name) ?? [])
  const pagedMemory = (name: string) => median((paged.get(name) ?? []).map(({ megabytes }) => megabytes))
  const definitionTimes = (definitions.get("tongs") ?? []).flat()
  const goals: Array<Goal> = [
    {
      goal: "first frame with 100,000 commits, at most 400 ms",
      ...atMost(start("tongs", 100_000), 400, " ms")
    },
    {
      goal: "first frame with 100,000 commits, at most 1.2 times that with 1,000",
      ...atMost(start("tongs", 100_000) / start("tongs", 1_000), 1.2, " times")
    },
    ...ends.map(({ name, results }) => {
      const requests = results.get("tongs")?.[0]?.requests?.length ?? Number.NaN
      return { goal: `end of ${name}, at most 2 requests`, ...atMost(requests, 2, " requests") }
    }),
    ...keys.flatMap(({ results, window }) => {
      const { bytes, p95 } = summarize(results.get("tongs") ?? [])
      const tig = results.get("tig")
      return [
        { goal: `key to screen at ${label(window)}, p95 at most 50 ms`, ...atMost(p95, 50, " ms") },
        ...(tig === undefined
          ? []
          : [
              {
                goal: `bytes per scrolled key at ${label(window)}, at most those of tig`,
                ...atMost(bytes, summarize(tig).bytes, "")
              }
            ])
      ]
    }),
    { goal: "key to definition, p95 at most 100 ms", ...atMost(p95(definitionTimes), 100, " ms") },
    {
      goal: "resident memory at the end of 100,000 commits, at most 200 MB",
      ...atMost(median(memory.get("tongs") ?? []), 200, " MB")
    },
    {
      goal: "resident memory after paging through 12,000 commits, at most 200 MB",
      ...atMost(pagedMemory("tongs"), 200, " MB")
    },
    { goal: `bytes in ${seconds} idle seconds: 0`, ...atMost(idle.get("tongs")?.[0] ?? Number.NaN, 0, "") }
  ]
  const rows = (row: (name: string) => Row): ReadonlyArray<Row> => found.programs.map(({ name }) => row(name))
  return {
    sections: [
      {
        title: `From the start of the process to a frame with the newest commit, 80x24, median of ${rounds} starts`,
        rows: rows((name) => ({
          program: name,
          ...Object.fromEntries(repositories.map(({ commits, name: size }) => [`${size} ms`, start(name, commits)]))
        }))
      },
      {
        title: `A key that scrolls the list by one row, 12,000 commits, ${rounds} runs`,
        rows: keys.flatMap(({ results, window }) =>
          rows((name) => {
            const { bytes, first, p50, p95 } = summarize(results.get(name) ?? [])
            return {
              window: label(window),
              program: name,
              "p50 ms": p50,
              "p95 ms": p95,
              "first byte p95 ms": first,
              "bytes per key": bytes
            }
          })
        )
      },
      {
        title: "The key for the end of the list, until the oldest commit is visible",
        rows: ends.flatMap(({ commits, results }) =>
          rows((name) => {
            const end = results.get(name)?.[0]
            return {
              commits,
              program: name,
              presses: end?.presses,
              requests: end?.requests?.length,
              ms: end?.time ?? "not reached"
            }
          })
        )
      },
      {
        title: `The keys for the definition of an imported name, until it is visible, ${rounds} runs`,
        rows: [{ program: "tongs", "p50 ms": median(definitionTimes), "p95 ms": p95(definitionTimes) }]
      },
      {
        title: `Resident memory of all processes at 160x48, median of ${rounds} runs; output in ${seconds} seconds without a key`,
        rows: rows((name) => ({
          program: name,
          "end of 100,000 MB": median(memory.get(name) ?? []),
          "paged through 12,000 MB": pagedMemory(name),
          pages: paged.get(name)?.[0]?.pages,
          "idle bytes": idle.get(name)?.[0]
        }))
      }
    ],
    goals,
    notes: [
      ...found.notes,
      ...failures(),
      `a key is complete at the last byte before ${TuiMeasurements.QUIET} ms of silence`,
      "requests are the calls of the client, counted from its spans",
      "memory is the sum over the process and all its child processes, such as git"
    ]
  }
})

export const tui: Benchmark = {
  name: "tui",
  summary: "the terminal UI: first frame, keys, definitions, the end of long lists, memory, idle output",
  run
}
