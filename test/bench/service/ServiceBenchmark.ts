/**
 * Measures the embedded forge over sockets, compared with a bare `node:http` server that sends the same bytes and
 * headers, and with `emulate`, a forge in memory.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Benchmark } from "../Benchmark.ts"
import * as Comparison from "../Comparison.ts"
import { atLeast, atMost, type Goal, type Row } from "../Report.ts"
import * as LatencySample from "../LatencySample.ts"
import * as ProcessLauncher from "../ProcessLauncher.ts"
import * as ForkedWorker from "../ForkedWorker.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as ServiceFixture from "./ServiceFixture.ts"
import * as ProcessMemory from "./ProcessMemory.ts"

const CONNECTIONS = 16

interface Server {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** Requests use the tokens in turn. */
  readonly tokens: ReadonlyArray<string>
  /** Replaces `{owner}` and `{sha}`. */
  readonly path: (template: string) => string
}

interface Question {
  readonly title: string
  readonly template: string
  /** The number of items in a list response. */
  readonly items?: number
}

const REF_TITLE = "one git ref"

const questions: ReadonlyArray<Question> = [
  { title: "30 branches", template: "/repos/{owner}/bench/branches?per_page=30", items: 30 },
  { title: "30 commits", template: "/repos/{owner}/bench/commits?per_page=30", items: 30 },
  { title: "30 repositories", template: "/user/repos?per_page=30", items: 30 },
  { title: REF_TITLE, template: "/repos/{owner}/bench/git/ref/heads/main" },
  { title: "one git commit", template: "/repos/{owner}/bench/git/commits/{sha}" }
]

const fill = (owner: string, sha: string) => (template: string) =>
  template.replace("{owner}", owner).replace("{sha}", sha)

const Answer = Schema.Struct({
  status: Schema.Int,
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.String
})

/** Sends one request and checks the response. */
const fetched = Effect.fnUntraced(function* ({ name, path, tokens, url }: Server, { items, template }: Question) {
  const answer = yield* Effect.tryPromise({
    try: async () => {
      const response = await fetch(url + path(template), {
        headers: { authorization: `Bearer ${tokens[0]}`, "accept-encoding": "identity" }
      })
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
    },
    catch: (cause) => new BenchmarkEnvironment.BenchmarkError({ detail: `${name} ${template}: ${String(cause)}` })
  })
  const parsed: unknown = JSON.parse(answer.body)
  const found = Array.isArray(parsed) ? parsed.length : undefined
  if (answer.status !== 200 || found !== items) {
    return yield* new BenchmarkEnvironment.BenchmarkError({
      detail: `${name} ${template}: ${answer.status}, ${found ?? "no"} items`
    })
  }
  return yield* Schema.decodeEffect(Answer)(answer)
})

const startTongs = Effect.fnUntraced(function* () {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  const { sha } = yield* ServiceFixture.repositories(home)
  const { pid, token, url } = yield* ProcessLauncher.serve({
    data: `${home}/forge`,
    home,
    repos: `${home}/repositories`
  })
  const owner = yield* Effect.tryPromise({
    try: () => ServiceFixture.loginOf(url, token),
    catch: (cause) => new BenchmarkEnvironment.BenchmarkError({ detail: `tongs /user: ${String(cause)}` })
  })
  return { name: "tongs", url, pid, tokens: [token], path: fill(owner, sha) } satisfies Server
})

/** Starts a second forge whose owner has many repositories. */
const startWithManyRepositories = Effect.fnUntraced(function* () {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  yield* ServiceFixture.emptyRepositories(home)
  const { pid, token, url } = yield* ProcessLauncher.serve({
    data: `${home}/forge`,
    home,
    repos: `${home}/repositories`
  })
  return { name: "tongs", url, pid, tokens: [token], path: (template) => template } satisfies Server
})

const startEmulate = Effect.fnUntraced(function* () {
  const worker = yield* ForkedWorker.make(`${import.meta.dirname}/Emulator.worker.ts`)
  const { owner, sha, tokens, url } = yield* worker.request({}, ServiceFixture.EmulatorInfo)
  return { name: "emulate", url, pid: worker.pid, tokens, path: fill(owner, sha) } satisfies Server
})

/** The same forge with a new URL for each request, so that no response comes from the forge's cache. */
const UNCACHED = "tongs, cold"

/** The load worker replaces `{n}` with a number. */
const neverCached = (path: Server["path"]) => (template: string) =>
  `${path(template)}${template.includes("?") ? "&" : "?"}n={n}`

/** Starts a server that sends the responses of `tongs`. */
const startBare = Effect.fnUntraced(function* (like: Server, questions: ReadonlyArray<Question>) {
  const worker = yield* ForkedWorker.make(`${import.meta.dirname}/BareServer.worker.ts`)
  const answers = yield* Effect.forEach(questions, (question) =>
    Effect.map(fetched(like, question), (answer) => ({ ...answer, path: like.path(question.template) }))
  )
  const { url } = yield* worker.request({ answers }, Schema.Struct({ url: Schema.String }))
  return { ...like, name: "node:http", url, pid: worker.pid } satisfies Server
})

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  const tongs = yield* startTongs()
  const servers = [tongs, yield* startBare(tongs, questions), yield* startEmulate()]
  const contenders = [tongs, { ...tongs, name: UNCACHED, path: neverCached(tongs.path) }, ...servers.slice(1)]
  const load = yield* ForkedWorker.make(`${import.meta.dirname}/HttpLoad.worker.ts`)
  const [rounds, milliseconds] = quick ? [2, 400] : [5, 1000]

  const rows: Array<Row> = []
  const goals: Array<Goal> = []
  for (const question of questions) {
    const results = yield* Comparison.run(
      contenders.map((server) => ({
        name: server.name,
        measure: Effect.andThen(
          fetched(server, question),
          load.request(
            {
              url: server.url,
              path: server.path(question.template),
              tokens: server.tokens,
              connections: CONNECTIONS,
              milliseconds
            },
            LatencySample.LatencySample
          )
        )
      })),
      rounds
    )
    const typical = new Map([...results].map(([name, samples]) => [name, LatencySample.medianOf(samples)]))
    const ours = typical.get("tongs")?.perSecond ?? Number.NaN
    for (const [name, { p50, p99, perSecond }] of typical) {
      rows.push({
        request: name === "tongs" ? question.title : "",
        server: name,
        "requests/s": perSecond,
        "p50 ms": p50,
        "p99 ms": p99,
        "tongs is ×": name === "tongs" ? undefined : ours / perSecond
      })
    }
    const speedOf = (name: string) => typical.get(name)?.perSecond ?? Number.NaN
    const [bare, emulator] = [speedOf("node:http"), speedOf("emulate")]
    goals.push(...goalsOf(question, ours, bare, emulator), ...coldGoalsOf(question, speedOf(UNCACHED), bare, emulator))
  }

  const accounts = yield* startWithManyRepositories()
  const account = { ...accounts, name: UNCACHED, path: neverCached(accounts.path) }
  const user: Question = { title: `/user, ${ServiceFixture.MANY_REPOSITORIES} repositories`, template: "/user" }
  const bareUser = yield* startBare(accounts, [user])
  const measured = yield* Comparison.run(
    [account, bareUser].map((server) => ({
      name: server.name,
      measure: load.request(
        {
          url: server.url,
          path: server.path(user.template),
          tokens: server.tokens,
          connections: CONNECTIONS,
          milliseconds
        },
        LatencySample.LatencySample
      )
    })),
    rounds
  )
  const users = new Map([...measured].map(([name, samples]) => [name, LatencySample.medianOf(samples)]))
  for (const [name, { p50, p99, perSecond }] of users) {
    rows.push({
      request: name === UNCACHED ? user.title : "",
      server: name,
      "requests/s": perSecond,
      "p50 ms": p50,
      "p99 ms": p99
    })
  }
  const share = (users.get(UNCACHED)?.perSecond ?? Number.NaN) / (users.get("node:http")?.perSecond ?? Number.NaN)
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
        title: `Reads over ${CONNECTIONS} kept-alive connections, median of ${rounds} rounds of ${milliseconds} ms`,
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
const coldGoalsOf = ({ items, title }: Question, ours: number, bare: number, emulator: number): ReadonlyArray<Goal> =>
  items !== undefined
    ? [{ goal: `${title}, cold: at least twice emulate`, ...atLeast(ours / emulator, 2, " ×") }]
    : title === REF_TITLE
      ? [{ goal: `${title}, cold: at least 0.4 of node:http`, ...atLeast(ours / bare, 0.4, " ×") }]
      : []

const goalsOf = ({ items, title }: Question, ours: number, bare: number, emulator: number): ReadonlyArray<Goal> =>
  items === undefined
    ? [{ goal: `${title}: at least 3,000/s`, ...atLeast(ours, 3000, "/s") }]
    : [
        { goal: `${title}: at least half of node:http`, ...atLeast(ours / bare, 0.5, " ×") },
        { goal: `${title}: at least twice emulate`, ...atLeast(ours / emulator, 2, " ×") }
      ]

export const service: Benchmark = { name: "service", summary: "the embedded forge over HTTP", run }
