/** Measures the client as a dependency: browser bundle size, installed size, import time. */
import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import type { Benchmark } from "../Benchmark.ts"
import * as Comparison from "../Comparison.ts"
import { atMost, type Row } from "../Report.ts"
import { median } from "../Statistics.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as Growth from "../growth/Growth.ts"
import * as BundleSize from "./BundleSize.ts"
import * as InstalledSize from "./InstalledSize.ts"

interface Entry {
  readonly name: string
  /** A module that exports the used part of the client. */
  readonly source: string
  /** Dependencies of the package. */
  readonly packages: ReadonlyArray<string>
}

const octokit = [
  "@octokit/core",
  "@octokit/plugin-throttling",
  "@octokit/plugin-retry",
  "@octokit/plugin-paginate-rest"
]

const entries: ReadonlyArray<Entry> = [
  {
    name: "tongs",
    source: `
      export { Forge, Scheduler } from "@tongs/core"
      export { layer } from "effect/http/FetchHttpClient"`,
    packages: ["@tongs/core", "effect"]
  },
  { name: "effect alone", source: `export { layer } from "effect/http/FetchHttpClient"`, packages: ["effect"] },
  { name: "tongs (promise)", source: `export { createForge } from "@tongs/client"`, packages: ["@tongs/client"] },
  {
    name: "octokit",
    source: `
      import { Octokit } from "@octokit/core"
      import { throttling } from "@octokit/plugin-throttling"
      import { retry } from "@octokit/plugin-retry"
      import { paginateRest } from "@octokit/plugin-paginate-rest"
      export default Octokit.plugin(throttling, retry, paginateRest)`,
    packages: octokit
  }
]

/** The import time in a new process (milliseconds). */
const importTime = ({ source }: Entry, conditions: ReadonlyArray<string>) => {
  const modules = [...source.matchAll(/from "([^"]+)"/g)].map(([, name]) => name)
  const script = `
    const started = performance.now()
    await Promise.all(${JSON.stringify(modules)}.map((name) => import(name)))
    console.log(performance.now() - started)`
  const args = [...conditions.map((name) => `--conditions=${name}`), "--input-type=module", "--eval", script]
  return Effect.map(BenchmarkEnvironment.runCommand(process.execPath, args, BenchmarkEnvironment.testPackage), Number)
}

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  const rounds = quick ? 3 : 11
  const conditions = InstalledSize.isBuilt ? [] : ["@tongs/source"]
  const times = yield* Comparison.run(
    entries.map((entry) => ({ name: entry.name, measure: importTime(entry, conditions) })),
    rounds
  )
  const rows = yield* Effect.forEach(
    entries,
    Effect.fnUntraced(function* ({ name, packages, source }) {
      const { gzipped, minified, onDemand } = yield* BundleSize.make(source)
      const { count, kilobytes } = InstalledSize.measure(packages)
      return {
        client: name,
        "browser kB": minified / 1000,
        "browser kB, gzip": gzipped / 1000,
        "on demand": onDemand / 1000,
        "import ms": median(times.get(name) ?? []),
        "installed kB": kilobytes,
        packages: count
      } satisfies Row
    })
  )
  const growth = existsSync(BenchmarkEnvironment.tongsPath) ? yield* Growth.run(quick ? 3 : 7) : undefined
  const goals = entries
    .filter(({ name }) => name.startsWith("tongs"))
    .map(({ name }) => ({
      goal: `${name}, import: at most 150 ms`,
      ...atMost(median(times.get(name) ?? []), 150, " ms")
    }))
  return {
    sections: [
      {
        title: `Bundled for a browser by rolldown ${BenchmarkEnvironment.versionOf("rolldown")}; import in Node, ${rounds} rounds`,
        rows
      },
      ...(growth === undefined ? [] : [growth.section])
    ],
    goals: [...goals, ...(growth?.goals ?? [])],
    notes: [
      `peers: ${octokit.map((name) => `${name} ${BenchmarkEnvironment.versionOf(name)}`).join(", ")}`,
      `tongs contains effect ${BenchmarkEnvironment.versionOf("effect")}; both clients load the shapes of the endpoints on demand; octokit does not validate responses`,
      "effect alone: its HTTP client, which also loads its schemas and streams",
      ...(InstalledSize.isBuilt
        ? []
        : ["tongs is imported from its sources, and Node strips their types: after pnpm build it is faster"])
    ]
  }
})

export const size: Benchmark = { name: "size", summary: "the client as a dependency: size and import time", run }
