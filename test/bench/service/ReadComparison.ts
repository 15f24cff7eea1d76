/** Compares reads of forges over HTTP: repeated and uncached ones of `tongs`, and those of other servers. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Comparison from "../Comparison.ts"
import type { Row } from "../Report.ts"
import * as LatencySample from "../LatencySample.ts"
import * as ProcessLauncher from "../ProcessLauncher.ts"
import * as ForkedWorker from "../ForkedWorker.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as ServiceFixture from "./ServiceFixture.ts"

export const CONNECTIONS = 16

export interface Server {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** Requests use the tokens in turn. */
  readonly tokens: ReadonlyArray<string>
  /** Replaces `{owner}` and `{sha}`. */
  readonly path: (template: string) => string
}

export interface Question {
  readonly title: string
  readonly template: string
  /** The number of items in a list response. */
  readonly items?: number
}

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

export const startTongs = Effect.fnUntraced(function* () {
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

export const startEmulate = Effect.fnUntraced(function* () {
  const worker = yield* ForkedWorker.make(`${import.meta.dirname}/Emulator.worker.ts`)
  const { owner, sha, tokens, url } = yield* worker.request({}, ServiceFixture.EmulatorInfo)
  return { name: "emulate", url, pid: worker.pid, tokens, path: fill(owner, sha) } satisfies Server
})

/** The same forge with a new URL for each request, so that no response comes from the forge's cache. */
export const UNCACHED = "tongs, cold"

/** The load worker replaces `{n}` with a number. */
export const neverCached = (path: Server["path"]) => (template: string) =>
  `${path(template)}${template.includes("?") ? "&" : "?"}n={n}`

/** Starts a server that sends the responses of `tongs`. */
export const startBare = Effect.fnUntraced(function* (like: Server, questions: ReadonlyArray<Question>) {
  const worker = yield* ForkedWorker.make(`${import.meta.dirname}/BareServer.worker.ts`)
  const answers = yield* Effect.forEach(questions, (question) =>
    Effect.map(fetched(like, question), (answer) => ({ ...answer, path: like.path(question.template) }))
  )
  const { url } = yield* worker.request({ answers }, Schema.Struct({ url: Schema.String }))
  return { ...like, name: "node:http", url, pid: worker.pid } satisfies Server
})

/** Requests per second by the name of the server. */
export type Speeds = (name: string) => number

export interface Options {
  readonly rounds: number
  readonly milliseconds: number
}

/** Measures a question on each server, and returns the rows of its table. The first server is the reference. */
export const compare = Effect.fnUntraced(function* (
  servers: ReadonlyArray<Server>,
  question: Question,
  load: ForkedWorker.ForkedWorker,
  { milliseconds, rounds }: Options
) {
  const results = yield* Comparison.run(
    servers.map((server) => ({
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
  const speedOf: Speeds = (name) => typical.get(name)?.perSecond ?? Number.NaN
  const [first] = servers
  const rows = [...typical].map(([name, { p50, p99, perSecond }]): Row => ({
    request: name === first?.name ? question.title : "",
    server: name,
    "requests/s": perSecond,
    "p50 ms": p50,
    "p99 ms": p99,
    "tongs is ×": name === first?.name ? undefined : speedOf(first?.name ?? "") / perSecond
  }))
  return { rows, speedOf }
})
