/**
 * Measures reads of pull requests over HTTP, compared with `emulate`, a forge in memory, and pushes to the base branch of
 * many open pull requests.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Benchmark } from "../Benchmark.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as ForkedWorker from "../ForkedWorker.ts"
import * as ProcessLauncher from "../ProcessLauncher.ts"
import { atLeast, atMost, type Goal, type Row } from "../Report.ts"
import { quantile } from "../Statistics.ts"
import * as ReadComparison from "./ReadComparison.ts"
import * as ServiceFixture from "./ServiceFixture.ts"

/** Pull requests of the comparison with `emulate`. */
const COMPARED = 100

/** Open pull requests into one branch, the pushes to it, and the pause between them. */
const OPEN = 1000
const PUSHES = 60
const PAUSE_MILLIS = 50

/** Maximum milliseconds of 95 % of the pushes. */
const MAX_PUSH_MILLIS = 50

/** The pull request with many threads, one of three comments or four each. */
const FILES = 300
const THREADS = 600
const COMMENTS = 2000

/** Maximum milliseconds for all files or threads, and for a new comment. */
const MAX_READ_MILLIS = 100
const MAX_COMMENT_MILLIS = 20

const PULLS = "/repos/{owner}/bench/pulls"

const questions: ReadonlyArray<ReadComparison.Question> = [
  { title: "30 pull requests", template: `${PULLS}?per_page=30`, items: 30 },
  { title: "100 pull requests of all states", template: `${PULLS}?state=all&per_page=100`, items: 100 },
  { title: "one pull request", template: `${PULLS}/1` }
]

type Send = (method: string, path: string, body?: object) => Promise<unknown>

/** Sends requests as JSON. Fails for an error status. */
const sender =
  (url: string, tokens: ReadonlyArray<string>): Send =>
  async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${tokens[0]}`, "content-type": "application/json", "user-agent": "bench" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }

const decodeCommit = Schema.decodeUnknownSync(
  Schema.Struct({ sha: Schema.String, tree: Schema.Struct({ sha: Schema.String }) })
)

const decodePull = Schema.decodeUnknownSync(Schema.Struct({ mergeable: Schema.NullOr(Schema.Boolean) }))

/** Opens equal pull requests, of one commit each. */
const fill = ({ path, tokens, url }: ReadComparison.Server) =>
  BenchmarkEnvironment.tryPromise(async () => {
    const send = sender(url, tokens)
    const at = path("/repos/{owner}/bench")
    const base = decodeCommit(await send("GET", `${at}/git/commits/${path("{sha}")}`))
    for (let index = 1; index <= COMPARED; index++) {
      const content = { message: `Change ${index}`, tree: base.tree.sha, parents: [base.sha] }
      const { sha } = decodeCommit(await send("POST", `${at}/git/commits`, content))
      await send("POST", `${at}/git/refs`, { ref: `refs/heads/topic-${index}`, sha })
      const texts = { title: `Change ${index} of the lamp`, body: "It burns longer now.\n".repeat(10) }
      await send("POST", `${at}/pulls`, { ...texts, head: `topic-${index}`, base: "main" })
    }
    // The forge tests the merges in the background.
    while (decodePull(await send("GET", `${at}/pulls/${COMPARED}`)).mergeable === null) await setTimeout(100)
  })

/** A history with a branch for each pull request, and further commits for `main`. Returns their ids. */
const manyBranches = (path: string): ReadonlyArray<string> => {
  mkdirSync(path, { recursive: true })
  const git = (args: ReadonlyArray<string>, input = "") =>
    execFileSync("git", ["-C", path, ...args], { input, maxBuffer: 2 ** 26 })
      .toString()
      .trim()
  git(["init", "--quiet", "--bare", "--initial-branch=main"])
  const commit = (branch: string, mark: number, from: number | undefined, file: string) =>
    `commit refs/heads/${branch}\nmark :${mark}\ncommitter Ada <ada@example.com> ${1_700_000_000 + mark} +0000\n` +
    `data 0\n${from === undefined ? "" : `from :${from}\n`}M 100644 inline ${file}\ndata ${String(mark).length}\n${mark}\n`
  const lines = [commit("main", 1, undefined, "first.txt")]
  for (let index = 0; index < OPEN; index++) lines.push(commit(`topic-${index}`, 2 + index, 1, `topic-${index}.txt`))
  for (let index = 0; index < PUSHES; index++)
    lines.push(commit("next", 2 + OPEN + index, index === 0 ? 1 : undefined, `main-${index}.txt`))
  git(["fast-import", "--quiet"], lines.join(""))
  return git(["rev-list", "--reverse", "main..next"]).split("\n")
}

/** Milliseconds of each push to a branch into which many pull requests are open, while their merges are tested. */
const pushes = Effect.gen(function* () {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  const commits = manyBranches(`${home}/repositories/bench.git`)
  const { token, url } = yield* ProcessLauncher.serve({ data: `${home}/forge`, home, repos: `${home}/repositories` })
  return yield* BenchmarkEnvironment.tryPromise(async () => {
    const send = sender(url, [token])
    const at = `/repos/${await ServiceFixture.loginOf(url, token)}/bench`
    for (let index = 0; index < OPEN; index++)
      await send("POST", `${at}/pulls`, { title: `Change ${index}`, head: `topic-${index}`, base: "main" })
    const times: Array<number> = []
    for (const sha of commits) {
      const start = performance.now()
      await send("PATCH", `${at}/git/refs/heads/main`, { sha })
      times.push(performance.now() - start)
      await setTimeout(PAUSE_MILLIS)
    }
    const { mergeable } = decodePull(await send("GET", `${at}/pulls/${OPEN}`))
    if (mergeable !== null) throw new Error("the merges were tested before the pushes ended")
    return times
  })
})

/** A history in which the branch `topic` changes many files of `main`. */
const manyFiles = (path: string): void => {
  mkdirSync(path, { recursive: true })
  const git = (args: ReadonlyArray<string>, input = "") => execFileSync("git", ["-C", path, ...args], { input })
  git(["init", "--quiet", "--bare", "--initial-branch=main"])
  const commit = (branch: string, content: string) =>
    `commit refs/heads/${branch}\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 0\n` +
    (branch === "main" ? "" : "from refs/heads/main\n") +
    Array.from(
      { length: FILES },
      (_, index) => `M 100644 inline src/${index}.txt\ndata ${content.length}\n${content}\n`
    ).join("")
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join("")
  git(["fast-import", "--quiet"], commit("main", lines) + commit("topic", lines.replaceAll("line", "row")))
}

const decodeHead = Schema.decodeUnknownSync(Schema.Struct({ head: Schema.Struct({ sha: Schema.String }) }))
const decodeComment = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))
const decodeList = Schema.decodeUnknownSync(Schema.Array(Schema.Unknown))
const decodeThreads = Schema.decodeUnknownSync(
  Schema.Struct({
    data: Schema.Struct({
      repository: Schema.Struct({
        pullRequest: Schema.Struct({
          reviewThreads: Schema.Struct({
            nodes: Schema.Array(Schema.Unknown),
            pageInfo: Schema.Struct({ endCursor: Schema.NullOr(Schema.String), hasNextPage: Schema.Boolean })
          })
        })
      })
    })
  })
)

/**
 * Milliseconds for all files, all comments, all threads and a new comment of a large pull request. The files are those of
 * a new head each time. The new comments are on a head whose files were read, as by a reviewer.
 */
const threads = Effect.fnUntraced(function* (rounds: number) {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  manyFiles(`${home}/repositories/bench.git`)
  const { token, url } = yield* ProcessLauncher.serve({ data: `${home}/forge`, home, repos: `${home}/repositories` })
  return yield* BenchmarkEnvironment.tryPromise(async () => {
    const send = sender(url, [token])
    const owner = await ServiceFixture.loginOf(url, token)
    const pull = `/repos/${owner}/bench/pulls/1`
    await send("POST", `/repos/${owner}/bench/pulls`, { title: "Rows", head: "topic", base: "main" })
    let commit_id = decodeHead(await send("GET", pull)).head.sha
    const isTested = async () => decodePull(await send("GET", pull)).mergeable !== null
    const moveHead = async () => {
      const { tree } = decodeCommit(await send("GET", `/repos/${owner}/bench/git/commits/${commit_id}`))
      const content = { message: "Next", tree: tree.sha, parents: [commit_id] }
      const { sha } = decodeCommit(await send("POST", `/repos/${owner}/bench/git/commits`, content))
      await send("PATCH", `/repos/${owner}/bench/git/refs/heads/topic`, { sha })
      commit_id = sha
      while (!(await isTested())) await setTimeout(10)
    }
    const start = async (index: number) => {
      const at = { path: `src/${index % FILES}.txt`, line: 1 + (Math.floor(index / FILES) % 40), side: "RIGHT" }
      return decodeComment(await send("POST", `${pull}/comments`, { body: `Comment ${index}`, commit_id, ...at })).id
    }
    const timeOf = async (work: (round: number) => Promise<number>, expected: number, prepare = async () => {}) => {
      const times: Array<number> = []
      for (let round = 0; round < rounds; round++) {
        await prepare()
        const from = performance.now()
        const found = await work(round)
        times.push(performance.now() - from)
        if (found !== expected) throw new Error(`${found} instead of ${expected}`)
      }
      return times
    }
    const pages = (path: string, count: number) => async (round: number) => {
      let found = 0
      for (let page = 1; page <= count; page++)
        found += decodeList(await send("GET", `${path}?per_page=100&page=${page}&round=${round}`)).length
      return found
    }
    const query = `query($after: String) { repository(owner: "${owner}", name: "bench") { pullRequest(number: 1) {
      reviewThreads(first: 100, after: $after) { pageInfo { endCursor hasNextPage } nodes { id path line isResolved
        isOutdated comments(first: 10) { nodes { databaseId body author { login } createdAt } } } } } } }`
    const readThreads = async () => {
      let found = 0
      let after: string | null = null
      for (;;) {
        const answer = decodeThreads(await send("POST", "/graphql", { query, variables: { after } }))
        const { nodes, pageInfo } = answer.data.repository.pullRequest.reviewThreads
        found += nodes.length
        if (!pageInfo.hasNextPage) return found
        after = pageInfo.endCursor
      }
    }
    const create = async (round: number) => {
      await start(THREADS + round)
      return 1
    }
    const files = await timeOf(pages(`${pull}/files`, FILES / 100), FILES, moveHead)
    const ids: Array<number> = []
    for (let index = 0; index < THREADS; index++) ids.push(await start(index))
    for (let index = THREADS; index < COMMENTS; index++)
      await send("POST", `${pull}/comments/${ids[index % THREADS]}/replies`, { body: `Comment ${index}` })
    return {
      files,
      comments: await timeOf(pages(`${pull}/comments`, COMMENTS / 100), COMMENTS),
      threads: await timeOf(readThreads, THREADS),
      create: await timeOf(create, 1)
    }
  })
})

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  const tongs = yield* ReadComparison.startTongs()
  const emulate = yield* ReadComparison.startEmulate()
  yield* Effect.forEach([tongs, emulate], fill)
  const uncached = { ...tongs, name: ReadComparison.UNCACHED, path: ReadComparison.neverCached(tongs.path) }
  const load = yield* ForkedWorker.make(`${import.meta.dirname}/HttpLoad.worker.ts`)
  const [rounds, milliseconds] = quick ? [2, 400] : [5, 1000]
  const rows: Array<Row> = []
  const goals: Array<Goal> = []
  for (const question of questions) {
    const options = { rounds, milliseconds }
    const { rows: found, speedOf } = yield* ReadComparison.compare([tongs, uncached, emulate], question, load, options)
    rows.push(...found)
    if (question.items === undefined) continue
    for (const name of ["tongs", ReadComparison.UNCACHED])
      goals.push({
        goal: `${question.title}, ${name}: at least twice emulate`,
        ...atLeast(speedOf(name) / speedOf("emulate"), 2, " ×")
      })
  }
  const times = yield* Effect.scoped(pushes)
  const p95 = quantile(times, 0.95)
  goals.push({
    goal: `a push to the base of ${OPEN} pull requests: p95 under ${MAX_PUSH_MILLIS} ms`,
    ...atMost(p95, MAX_PUSH_MILLIS, " ms")
  })
  const large = yield* Effect.scoped(threads(quick ? 5 : 20))
  for (const [title, times, limit] of [
    [`all ${FILES} files`, large.files, MAX_READ_MILLIS],
    [`all ${THREADS} threads by GraphQL`, large.threads, MAX_READ_MILLIS],
    ["a new comment", large.create, MAX_COMMENT_MILLIS]
  ] as const)
    goals.push({
      goal: `${title} of a large pull request: median under ${limit} ms`,
      ...atMost(quantile(times, 0.5), limit, " ms")
    })
  return {
    sections: [
      {
        title: `Reads of ${COMPARED} pull requests over ${ReadComparison.CONNECTIONS} kept-alive connections, median of ${rounds} rounds of ${milliseconds} ms`,
        rows
      },
      {
        title: `${PUSHES} pushes to the base of ${OPEN} open pull requests, while their merges are tested`,
        rows: [{ "p50 ms": quantile(times, 0.5), "p95 ms": p95, "maximum ms": Math.max(...times) }]
      },
      {
        title: `A pull request with ${FILES} files, and ${COMMENTS} comments in ${THREADS} threads, uncached`,
        rows: Object.entries(large).map(([name, times]) => ({
          request: name,
          "p50 ms": quantile(times, 0.5),
          "p95 ms": quantile(times, 0.95)
        }))
      }
    ],
    goals,
    notes: [
      `peer: emulate ${BenchmarkEnvironment.versionOf("emulate")}, which holds its data in memory and has no git`,
      "tongs, cold: each request has a new URL, so no response is cached"
    ]
  }
})

export const pulls: Benchmark = { name: "pulls", summary: "pull requests of the embedded forge over HTTP", run }
