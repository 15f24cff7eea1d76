/** `pnpm bench`: measures Tongs and other programs in the same run, and prints tables. */
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import type { Benchmark } from "./Benchmark.ts"
import * as MachineInfo from "./MachineInfo.ts"
import * as Report from "./Report.ts"
import { client } from "./client/ClientBenchmark.ts"
import { cluster } from "./cluster/ClusterBenchmark.ts"
import { database } from "./database/DatabaseBenchmark.ts"
import { explorer } from "./explorer/ExplorerBenchmark.ts"
import { git } from "./git/GitBenchmark.ts"
import { mcp } from "./mcp/McpBenchmark.ts"
import { tasks } from "./mcp/TaskBenchmark.ts"
import { search } from "./search/SearchBenchmark.ts"
import { graphql } from "./service/GraphQlBenchmark.ts"
import { issues } from "./service/IssueBenchmark.ts"
import { pulls } from "./service/PullRequestBenchmark.ts"
import { issueSearch } from "./service/IssueSearchBenchmark.ts"
import { service } from "./service/ServiceBenchmark.ts"
import { writes } from "./service/WriteBenchmark.ts"
import { size } from "./size/SizeBenchmark.ts"
import { startup } from "./startup/StartupBenchmark.ts"
import { testing } from "./testing/TestingBenchmark.ts"
import { tui } from "./tui/TuiBenchmark.ts"
import { types } from "./types/TypesBenchmark.ts"
import { BenchmarkError } from "./BenchmarkEnvironment.ts"

const benchmarks: ReadonlyArray<Benchmark> = [
  service,
  writes,
  issues,
  issueSearch,
  pulls,
  graphql,
  database,
  cluster,
  git,
  client,
  startup,
  size,
  types,
  explorer,
  tui,
  mcp,
  tasks,
  search,
  testing
]

const help = `pnpm bench [--only NAME]... [--quick] [--json]

${benchmarks.map(({ name, summary }) => `  ${name.padEnd(9)}${summary}`).join("\n")}

  --only NAME  run only this benchmark; repeatable
  --quick      measure faster and less precisely
  --json       one JSON document instead of tables`

const options = {
  only: { type: "string", multiple: true },
  quick: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false }
} as const

const run = Effect.fnUntraced(function* (
  chosen: ReadonlyArray<Benchmark>,
  { json, quick }: { json: boolean; quick: boolean }
) {
  const machine = MachineInfo.read()
  if (!json) console.log(MachineInfo.format(machine))
  const reports: Record<string, Report.Report> = {}
  for (const { name, run, summary } of chosen) {
    console.error(`… ${name}`)
    // A benchmark that cannot run here does not prevent the next.
    const report = yield* Effect.scoped(
      run({ quick, progress: (line) => Effect.sync(() => console.error(`  ${line}`)) })
    ).pipe(
      Effect.catchIf(
        (error) => error instanceof BenchmarkError,
        ({ message }) => Effect.sync(() => console.error(`${name}: ${message}`))
      )
    )
    if (report === undefined) continue
    reports[name] = report
    if (!json) console.log(["", `## ${name}: ${summary}`, ...Report.format(report)].join("\n"))
  }
  if (json) console.log(JSON.stringify({ machine, quick, benchmarks: reports }, undefined, 2))
})

const main = () => {
  const { values } = parseArgs({ options })
  const unknown = (values.only ?? []).find((name) => benchmarks.every((benchmark) => benchmark.name !== name))
  if (values.help) return console.log(help)
  if (unknown !== undefined) throw new Error(`Unknown benchmark: ${unknown}`)
  const chosen = benchmarks.filter(({ name }) => values.only?.includes(name) ?? true)
  NodeRuntime.runMain(run(chosen, values))
}

try {
  main()
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`)
  process.exitCode = 2
}
