/**
 * Measures the embedded forge over sockets, compared with a bare `node:http` server that sends the same bytes and
 * headers, and with `emulate`, a forge in memory.
 */
import * as Effect from "effect/Effect"
import type { Benchmark } from "../Benchmark.ts"
import { atLeast, atMost, type Goal, type Row } from "../Report.ts"
import * as ProcessLauncher from "../ProcessLauncher.ts"
import * as ForkedWorker from "../ForkedWorker.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as ServiceFixture from "./ServiceFixture.ts"
import * as ReadComparison from "./ReadComparison.ts"
import * as ProcessMemory from "./ProcessMemory.ts"

const REF_TITLE = "one git ref"

const questions: ReadonlyArray<ReadComparison.Question> = [
  { title: "30 branches", template: "/repos/{owner}/bench/branches?per_page=30", items: 30 },
  { title: "30 commits", template: "/repos/{owner}/bench/commits?per_page=30", items: 30 },
  { title: "30 repositories", template: "/user/repos?per_page=30", items: 30 },
  { title: REF_TITLE, template: "/repos/{owner}/bench/git/ref/heads/main" },
  { title: "one git commit", template: "/repos/{owner}/bench/git/commits/{sha}" }
]

/** Starts a second forge whose owner has many repositories. */
const startWithManyRepositories = Effect.fnUntraced(function* () {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  yield* ServiceFixture.emptyRepositories(home)
  const { pid, token, url } = yield* ProcessLauncher.serve({
    data: `${home}/forge`,
    home,
    repos: `${home}/repositories`
  })
  return { name: "tongs", url, pid, tokens: [token], path: (template) => template } satisfies ReadComparison.Server
})

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  const tongs = yield* ReadComparison.startTongs()
  const servers = [tongs, yield* ReadComparison.startBare(tongs, questions), yield* ReadComparison.startEmulate()]
  const contenders = [
    tongs,
    { ...tongs, name: ReadComparison.UNCACHED, path: ReadComparison.neverCached(tongs.path) },
    ...servers.slice(1)
  ]
  const load = yield* ForkedWorker.make(`${import.meta.dirname}/HttpLoad.worker.ts`)
  const [rounds, milliseconds] = quick ? [2, 400] : [5, 1000]

  const rows: Array<Row> = []
  const goals: Array<Goal> = []
  for (const question of questions) {
    const { rows: found, speedOf } = yield* ReadComparison.compare(contenders, question, load, { rounds, milliseconds })
    rows.push(...found)
    const ours = speedOf("tongs")
    const [bare, emulator] = [speedOf("node:http"), speedOf("emulate")]
    goals.push(
      ...goalsOf(question, ours, bare, emulator),
      ...coldGoalsOf(question, speedOf(ReadComparison.UNCACHED), bare, emulator)
    )
  }

  const accounts = yield* startWithManyRepositories()
  const account = { ...accounts, name: ReadComparison.UNCACHED, path: ReadComparison.neverCached(accounts.path) }
  const user = { title: `/user, ${ServiceFixture.MANY_REPOSITORIES} repositories`, template: "/user" }
  const bareUser = yield* ReadComparison.startBare(accounts, [user])
  const users = yield* ReadComparison.compare([account, bareUser], user, load, { rounds, milliseconds })
  rows.push(...users.rows)
  const share = users.speedOf(ReadComparison.UNCACHED) / users.speedOf("node:http")
  goals.push({ goal: `${user.title}, cold: at least a quarter of node:http`, ...atLeast(share, 0.25, " ×") })

  const memory: Array<Row> = []
  for (const { name, pid } of servers) {
    const held = yield* ProcessMemory.of(pid)
    if (held === undefined) continue
    const together = held.resident + held.childrenResident
    memory.push({
      server: name,
      "resident MB": held.resident,
      children: held.children,
      "theirs MB": held.childrenResident,
      "together MB": together,
      "shared pages once MB": held.proportional
    })
    if (name === "tongs") goals.push({ goal: "memory under 200 MB", ...atMost(together, 200, " MB") })
  }

  return {
    sections: [
      {
        title: `Reads over ${ReadComparison.CONNECTIONS} kept-alive connections, median of ${rounds} rounds of ${milliseconds} ms`,
        rows
      },
      {
        title: "Memory after the run, with child processes (git)",
        rows: memory
      }
    ],
    goals,
    notes: [
      `peers: node:http of Node ${process.versions.node}, emulate ${BenchmarkEnvironment.versionOf("emulate")}`,
      "tongs sends a cached response while its sources are unchanged, and checks them for each request; tongs, cold: each request has a new URL, so no response is cached",
      "node:http sends prepared responses of tongs, without look-ups, access checks or ETags",
      "emulate holds its data in memory and sends no ETag; all forges have the same numbers of branches, commits and repositories"
    ]
  }
})

/** Goals of responses that no cache contains. */
const coldGoalsOf = (
  { items, title }: ReadComparison.Question,
  ours: number,
  bare: number,
  emulator: number
): ReadonlyArray<Goal> =>
  items !== undefined
    ? [{ goal: `${title}, cold: at least twice emulate`, ...atLeast(ours / emulator, 2, " ×") }]
    : title === REF_TITLE
      ? [{ goal: `${title}, cold: at least 0.4 of node:http`, ...atLeast(ours / bare, 0.4, " ×") }]
      : []

const goalsOf = (
  { items, title }: ReadComparison.Question,
  ours: number,
  bare: number,
  emulator: number
): ReadonlyArray<Goal> =>
  items === undefined
    ? [{ goal: `${title}: at least 3,000/s`, ...atLeast(ours, 3000, "/s") }]
    : [
        { goal: `${title}: at least half of node:http`, ...atLeast(ours / bare, 0.5, " ×") },
        { goal: `${title}: at least twice emulate`, ...atLeast(ours / emulator, 2, " ×") }
      ]

export const service: Benchmark = { name: "service", summary: "the embedded forge over HTTP", run }
