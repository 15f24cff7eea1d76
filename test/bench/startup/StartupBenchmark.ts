/** Measures the time from process start to first answer, for `tongs` and comparable programs. */
import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import type { Benchmark } from "../Benchmark.ts"
import * as Comparison from "../Comparison.ts"
import { atMost, type Row } from "../Report.ts"
import * as ProcessLauncher from "../ProcessLauncher.ts"
import { median } from "../Statistics.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as OneToolServer from "./OneToolServer.ts"
import * as ReadyChecks from "./ReadyChecks.ts"
import * as StartupFixture from "./StartupFixture.ts"

interface Entry {
  readonly name: string
  /** The end of the measurement. */
  readonly until: string
  readonly measure: Effect.Effect<number, Error>
}

/** Folders that all runs share. */
interface Place {
  readonly home: string
  readonly repos: string
  /** A data folder with many repositories. */
  readonly crowded: string
}

const node = (
  name: string,
  until: string,
  home: string,
  args: ReadonlyArray<string>,
  ends: ProcessLauncher.ReadyCheck = "exit"
): Entry => ({
  name,
  until,
  measure: ProcessLauncher.timeUntil({ command: process.execPath, args, home }, ends)
})

/** A first start after installation: no compile cache, no account, no data. */
const firstEver = (repos: string): Entry => ({
  name: "tongs serve, first start ever",
  until: "an answer over HTTP",
  measure: Effect.scoped(
    Effect.flatMap(BenchmarkEnvironment.temporaryFolder, (home) =>
      ProcessLauncher.timeUntil(
        {
          command: process.execPath,
          args: ProcessLauncher.serveArguments({ data: `${home}/data/tongs`, repos }),
          home
        },
        ReadyChecks.tongsServe
      )
    )
  )
})

const tongs = ({ crowded, home, repos }: Place, count: number): ReadonlyArray<Entry> => {
  const data = `${home}/data/tongs`
  const at = ["--data", data, "--repos", repos]
  return [
    node("tongs --version", "exit", home, [BenchmarkEnvironment.tongsPath, "--version"]),
    node("tongs --help", "exit", home, [BenchmarkEnvironment.tongsPath, "--help"]),
    node("tongs --plain", "exit", home, [BenchmarkEnvironment.tongsPath, "--plain", ...at]),
    node("tongs api", "exit", home, [BenchmarkEnvironment.tongsPath, "api", "/user", ...at]),
    node(
      "tongs mcp",
      "an answer to tools/list",
      home,
      [BenchmarkEnvironment.tongsPath, "mcp", ...at],
      ReadyChecks.tongsMcp
    ),
    node(
      "tongs serve",
      "an answer over HTTP",
      home,
      ProcessLauncher.serveArguments({ data, repos }),
      ReadyChecks.tongsServe
    ),
    node(
      `tongs serve, ${count.toLocaleString("en-US")} repositories`,
      "an answer over HTTP",
      home,
      ProcessLauncher.serveArguments({ data: crowded, repos }),
      ReadyChecks.tongsServe
    ),
    firstEver(repos)
  ]
}

const INITIALIZE = "an answer to initialize"
const TONGS_MCP = "tongs mcp, initialize"
const SDK = "one tool on the official SDK"
const SDK_BUNDLED = "the same, bundled and cached like tongs"

/** Maximum start of `tongs mcp`, as a multiple of the start of a server with one tool. */
const MAX_RATIO = 1.3

/** The time of MCP servers until the first answer, which clients wait for. */
const mcpServers = Effect.fnUntraced(function* ({ home, repos }: Place) {
  const { bundled, packaged } = yield* OneToolServer.write(home)
  const servers: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    [TONGS_MCP, [BenchmarkEnvironment.tongsPath, "mcp", "--data", `${home}/data/tongs`, "--repos", repos]],
    [SDK, [packaged]],
    [SDK_BUNDLED, [bundled]]
  ]
  yield* Effect.forEach(servers, ([, args]) => ReadyChecks.initializeOnce(args, home))
  return servers.map(([name, args]) => node(name, INITIALIZE, home, args, ReadyChecks.initialize))
})

/** `gh` if installed, with requests to a running `tongs serve`. */
const gh = (home: string, server: { readonly url: string; readonly token: string }): ReadonlyArray<Entry> => {
  const command = BenchmarkEnvironment.findProgram("gh")
  if (command === undefined) return []
  const env = { GH_TOKEN: server.token, GH_ENTERPRISE_TOKEN: server.token, GH_NO_UPDATE_NOTIFIER: "1" }
  return [
    {
      name: "gh --version",
      until: "exit",
      measure: ProcessLauncher.timeUntil({ command, args: ["--version"], home, env }, "exit")
    },
    {
      name: "gh api, to a running server",
      until: "exit",
      measure: ProcessLauncher.timeUntil({ command, args: ["api", `${server.url}/user`], home, env }, "exit")
    }
  ]
}

const emulate = Effect.fnUntraced(function* (home: string) {
  const port = yield* Effect.promise(ReadyChecks.freePort)
  const args = [BenchmarkEnvironment.emulatePath, "start", "--service", "github", "--port", String(port)]
  return node("emulate start", "an answer over HTTP", home, args, ReadyChecks.emulate)
})

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  if (!existsSync(BenchmarkEnvironment.tongsPath))
    return yield* new BenchmarkEnvironment.BenchmarkError({ detail: "No build. Run pnpm build." })
  const [rounds, count] = quick ? [3, 100] : [11, 1000]
  const home = yield* BenchmarkEnvironment.temporaryFolder
  const place = { home, repos: yield* StartupFixture.repository(home), crowded: `${home}/crowded` }
  yield* Effect.scoped(
    Effect.flatMap(ProcessLauncher.serve({ ...place, data: place.crowded }), (forge) =>
      StartupFixture.createRepositories(forge, count)
    )
  )
  const server = yield* ProcessLauncher.serve({ ...place, data: `${home}/server` })

  const entries = [
    node("node -e 0", "exit", home, ["-e", "0"]),
    ...tongs(place, count),
    ...(yield* mcpServers(place)),
    ...gh(home, server),
    yield* emulate(home)
  ]
  // A program that does not start becomes a note.
  const tried = yield* Effect.forEach(entries, (entry) => Effect.result(entry.measure))
  const able = entries.filter((_, index) => tried[index]?._tag === "Success")
  const results = yield* Comparison.run(able, rounds)
  const rows = able.map(({ name, until }): Row => {
    const times = results.get(name) ?? []
    return {
      program: name,
      until,
      "median ms": median(times),
      "fastest ms": Math.min(...times),
      "slowest ms": Math.max(...times)
    }
  })
  const ratio = (name: string) => median(results.get(TONGS_MCP) ?? []) / median(results.get(name) ?? [])
  const crowded = results.get(`tongs serve, ${count.toLocaleString("en-US")} repositories`)
  return {
    sections: [{ title: `From the start of the process, ${rounds} rounds`, rows }],
    goals: [
      ...(crowded === undefined
        ? []
        : [
            {
              goal: `first answer of tongs serve with ${count} repositories: at most 700 ms`,
              ...atMost(median(crowded), 700, " ms")
            }
          ]),
      ...[SDK, SDK_BUNDLED].map((name) => ({
        goal: `${INITIALIZE} of tongs mcp: at most ${MAX_RATIO} times that of ${name}`,
        ...atMost(ratio(name), MAX_RATIO, " times")
      }))
    ],
    notes: [
      `peers: ${yield* peers}`,
      "tongs has a compile cache (not in its first start ever); the others start as installed",
      ...tried.flatMap((result, index) =>
        result._tag === "Failure"
          ? [`${entries[index]?.name ?? ""} is not measured: ${result.failure.message.split("\n", 1)[0]}`]
          : []
      )
    ]
  }
})

const peers = Effect.suspend(() => {
  const command = BenchmarkEnvironment.findProgram("gh")
  const version =
    command === undefined
      ? Effect.succeed("gh is not on the path")
      : BenchmarkEnvironment.runCommand(command, ["--version"])
  return Effect.map(
    version,
    (text) =>
      `node ${process.versions.node}, emulate ${BenchmarkEnvironment.versionOf("emulate")}, @modelcontextprotocol/sdk ${BenchmarkEnvironment.versionOf("@modelcontextprotocol/sdk")}, ${text.split("\n", 1)[0]}`
  )
})

export const startup: Benchmark = { name: "startup", summary: "from the start of a process to its first answer", run }
