/** Measures the terminal UI of `tongs` beside tig and lazygit, in pseudo-terminals over real repositories. */
import * as Effect from "effect/Effect"
import * as LargeRepository from "../../acceptance/LargeRepository.test-support.ts"
import type { Benchmark } from "../Benchmark.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as Comparison from "../Comparison.ts"
import { atMost, formatNumber, type Goal, type Row } from "../Report.ts"
import { median, quantile } from "../Statistics.ts"
import * as TuiMeasurements from "./TuiMeasurements.ts"
import * as TuiPrograms from "./TuiPrograms.ts"

const sizes = [1_000, 12_000, 100_000] as const // literal types

const windows = [TuiMeasurements.small, TuiMeasurements.large]

const label = ({ columns, rows }: TuiMeasurements.WindowSize) => `${columns}x${rows}`

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  const found = yield* TuiPrograms.find(home)
  const repositories = yield* Effect.forEach(sizes, (commits) =>
    Effect.map(LargeRepository.get(commits), (path) => ({ commits, path }))
  )
  const warmed = yield* Effect.forEach(found.programs, (program) =>
    Effect.result(Effect.forEach(repositories, ({ path }) => TuiMeasurements.warmUp(program, path)))
  )
  const programs = found.programs.filter((_, index) => warmed[index]?._tag === "Success")
  const notes = [
    ...found.notes,
    ...warmed.flatMap((result, index) =>
      result._tag === "Failure" ? [`${found.programs[index]?.name} is not measured: ${result.failure.message}`] : []
    )
  ]

  const starts = yield* Comparison.run(
    repositories.flatMap(({ commits, path }) =>
      programs.map((program) => ({
        name: `${program.name} ${commits}`,
        measure: TuiMeasurements.firstFrame(program, path)
      }))
    ),
    quick ? 3 : 9
  )
  const path = repositories.find(({ commits }) => commits === 12_000)?.path ?? ""
  const keys = yield* Comparison.run(
    windows.flatMap((window) =>
      programs.map((program) => ({
        name: `${program.name} ${label(window)}`,
        measure: TuiMeasurements.scrollKeys(program, path, window, quick ? 30 : 100)
      }))
    ),
    quick ? 1 : 3
  )
  const endLimit = quick ? 20_000 : 60_000
  const ends: Array<TuiMeasurements.End & { readonly name: string; readonly commits: number }> = []
  for (const { commits, path } of repositories.slice(1))
    for (const program of programs)
      ends.push({ name: program.name, commits, ...(yield* TuiMeasurements.end(program, path, endLimit)) })
  const memory: Array<TuiMeasurements.Memory> = []
  for (const program of programs) memory.push(yield* TuiMeasurements.memory(program, path, 180_000))
  const seconds = quick ? 10 : 60
  const idle = yield* TuiMeasurements.idle(programs, path, seconds)

  const start = (name: string, commits: number) => median(starts.get(`${name} ${commits}`) ?? [])
  const keyFigures = (name: string, window: TuiMeasurements.WindowSize) => {
    const rounds = keys.get(`${name} ${label(window)}`) ?? []
    const last = rounds.flatMap(({ last }) => last)
    return {
      p50: median(last),
      p95: quantile(last, 0.95),
      first: quantile(
        rounds.flatMap(({ first }) => first),
        0.95
      ),
      bytes: median(rounds.map(({ bytes }) => bytes))
    }
  }
  const ofTongs = programs.findIndex(({ name }) => name === "tongs")
  const hasTig = programs.some(({ name }) => name === "tig")
  const goals: Array<Goal> = [
    {
      goal: "first frame with 100,000 commits, at most 400 ms",
      ...atMost(start("tongs", 100_000), 400, " ms")
    },
    {
      goal: "first frame with 100,000 commits, at most 1.2 times that with 1,000",
      ...atMost(start("tongs", 100_000) / start("tongs", 1_000), 1.2, " times")
    },
    ...ends
      .filter(({ name }) => name === "tongs")
      .map(({ commits, requests, time }) => ({
        goal: `end of ${formatNumber(commits)} commits, at most 2 requests`,
        measured: `${requests?.length ?? 0} requests${time === undefined ? ", not reached" : ""}`,
        met: time !== undefined && (requests?.length ?? 0) <= 2
      })),
    ...windows.flatMap((window) => {
      const { bytes, p95 } = keyFigures("tongs", window)
      return [
        { goal: `key to screen at ${label(window)}, p95 at most 50 ms`, ...atMost(p95, 50, " ms") },
        ...(hasTig
          ? [
              {
                goal: `bytes per scrolled key at ${label(window)}, at most those of tig`,
                ...atMost(bytes, keyFigures("tig", window).bytes, "")
              }
            ]
          : [])
      ]
    }),
    {
      goal: "resident memory with 12,000 rows, at most 200 MB",
      ...atMost(memory[ofTongs]?.megabytes ?? Number.NaN, 200, " MB")
    },
    { goal: `bytes in ${seconds} idle seconds: 0`, ...atMost(idle[ofTongs] ?? Number.NaN, 0, "") }
  ]
  return {
    sections: [
      {
        title: "From the start of the process to a frame with the newest commit, 80x24",
        rows: programs.map(({ name }): Row => ({
          program: name,
          ...Object.fromEntries(
            sizes.map((commits) => [`${commits.toLocaleString("en-US")} commits ms`, start(name, commits)])
          )
        }))
      },
      {
        title: "A key that scrolls the list by one row, 12,000 commits",
        rows: windows.flatMap((window) =>
          programs.map(({ name }): Row => {
            const { bytes, first, p50, p95 } = keyFigures(name, window)
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
        rows: ends.map(({ commits, name, presses, requests, time }): Row => ({
          commits,
          program: name,
          presses,
          requests: requests?.length,
          ms: time ?? `over ${endLimit}`
        }))
      },
      {
        title: `At rest: after paging through 12,000 commits at 160x48, and in ${seconds} seconds without a key`,
        rows: programs.map(({ name }, index): Row => ({
          program: name,
          "resident MB": memory[index]?.megabytes ?? "end not reached",
          pages: memory[index]?.pages,
          "idle bytes": idle[index]
        }))
      }
    ],
    goals,
    notes: [
      ...notes,
      `a key is complete at the last byte before ${TuiMeasurements.QUIET} ms of silence`,
      "requests are the calls of the client, counted from its spans"
    ]
  }
})

export const tui: Benchmark = {
  name: "tui",
  summary: "the terminal UI: first frame, keys, the end of long lists, memory, idle output",
  run
}
