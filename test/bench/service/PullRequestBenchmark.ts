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
import * as ProcessMemory from "./ProcessMemory.ts"
import * as ReadComparison from "./ReadComparison.ts"
import * as ServiceFixture from "./ServiceFixture.ts"

/** Pull requests of the comparison with `emulate`. */
const COMPARED = 100

/** Open pull requests into one branch, the pushes to it, and the pause between them. */
const OPEN = 1000
const PUSHES = 60
const PAUSE_MILLIS = 50

/** Pull requests of a long list, its items, and requests with warm caches for each with empty ones. */
const LISTED = 3000
const ITEMS = 30
const WARM_ROUNDS = 10

/** Maximum milliseconds of the list with warm and with empty caches, and megabytes of the service after it. */
const MAX_WARM_MILLIS = 15
const MAX_COLD_MILLIS = 40
const MAX_MEGABYTES = 220

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
const manyBranches = (path: string, open = OPEN): ReadonlyArray<string> => {
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
  for (let index = 0; index < open; index++) lines.push(commit(`topic-${index}`, 2 + index, 1, `topic-${index}.txt`))
  for (let index = 0; index < PUSHES; index++)
    lines.push(commit("next", 2 + open + index, index === 0 ? 1 : undefined, `main-${index}.txt`))
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

/** The list of `gh pr list`. */
const LIST = `fragment pr on PullRequest { number title state url headRefName headRepositoryOwner { id login ... on User { name } }
  isCrossRepository isDraft createdAt }
query PullRequestList($owner: String!, $repo: String!, $limit: Int!, $endCursor: String, $baseBranch: String,
  $headBranch: String, $state: [PullRequestState!] = OPEN) {
  repository(owner: $owner, name: $repo) {
    pullRequests(states: $state, baseRefName: $baseBranch, headRefName: $headBranch, first: $limit, after: $endCursor,
      orderBy: { field: CREATED_AT, direction: DESC }) { totalCount nodes { ...pr } pageInfo { hasNextPage endCursor } }
  }
}`

const decodePullRequests = Schema.decodeUnknownSync(
  Schema.Struct({
    data: Schema.Struct({
      repository: Schema.Struct({
        pullRequests: Schema.Struct({ totalCount: Schema.Int, nodes: Schema.Array(Schema.Unknown) })
      })
    })
  })
)

/**
 * Milliseconds of the list of `gh pr list` on many pull requests, warm, after a write to another repository and with
 * empty caches; and of the first query of a process, which loads the library, and megabytes before and after it.
 */
const lists = Effect.fnUntraced(function* (rounds: number) {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  manyBranches(`${home}/repositories/bench.git`, LISTED)
  const start = ProcessLauncher.serve({ data: `${home}/forge`, home, repos: `${home}/repositories` })
  const list = async (url: string, token: string, owner: string) => {
    const variables = { owner, repo: "bench", limit: ITEMS }
    const from = performance.now()
    const answer = await sender(url, [token])("POST", "/graphql", { query: LIST, variables })
    const millis = performance.now() - from
    const { nodes, totalCount } = decodePullRequests(answer).data.repository.pullRequests
    if (nodes.length !== ITEMS || totalCount !== LISTED) throw new Error(`${nodes.length} of ${totalCount}`)
    return millis
  }
  const timed = async (work: () => Promise<unknown>) => {
    const from = performance.now()
    await work()
    return performance.now() - from
  }
  const warm: Array<number> = []
  const changed: Array<number> = []
  const filling = Effect.gen(function* () {
    const { token, url } = yield* start
    yield* BenchmarkEnvironment.tryPromise(async () => {
      const send = sender(url, [token])
      const owner = await ServiceFixture.loginOf(url, token)
      for (let index = 0; index < LISTED; index++)
        await send("POST", `/repos/${owner}/bench/pulls`, {
          title: `Change ${index}`,
          head: `topic-${index}`,
          base: "main"
        })
      for (let round = 0; round < rounds * WARM_ROUNDS; round++) warm.push(await list(url, token, owner))
      await send("POST", "/user/repos", { name: "other" })
      for (let round = 0; round < rounds; round++) {
        await send("POST", `/repos/${owner}/other/issues`, { title: `Issue ${round}` })
        changed.push(await list(url, token, owner))
      }
    })
  })
  yield* Effect.scoped(filling)
  const cold: Array<number> = []
  const first: Array<number> = []
  const memory: Array<readonly [before: number, after: number]> = []
  for (let round = 0; round < rounds; round++) {
    const restarted = Effect.gen(function* () {
      const { pid, token, url } = yield* start
      const resident = Effect.map(ProcessMemory.of(pid), (found) => found?.resident ?? Number.NaN)
      const login = yield* BenchmarkEnvironment.tryPromise(() => ServiceFixture.loginOf(url, token))
      const before = yield* resident
      const viewer = { query: "{ viewer { login } }" }
      first.push(
        yield* BenchmarkEnvironment.tryPromise(() => timed(() => sender(url, [token])("POST", "/graphql", viewer)))
      )
      cold.push(yield* BenchmarkEnvironment.tryPromise(() => list(url, token, login)))
      memory.push([before, yield* resident])
    })
    yield* Effect.scoped(restarted)
  }
  return { warm, changed, cold, first, memory }
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
  const listed = yield* lists(quick ? 2 : 5)
  const afterFirst = Math.max(...listed.memory.map(([, after]) => after))
  goals.push(
    {
      goal: `\`gh pr list\` on ${LISTED} pull requests, warm: median of at most ${MAX_WARM_MILLIS} ms`,
      ...atMost(quantile(listed.warm, 0.5), MAX_WARM_MILLIS, " ms")
    },
    {
      goal: `the same with empty caches: median of at most ${MAX_COLD_MILLIS} ms`,
      ...atMost(quantile(listed.cold, 0.5), MAX_COLD_MILLIS, " ms")
    },
    { goal: `memory after it: at most ${MAX_MEGABYTES} MB`, ...atMost(afterFirst, MAX_MEGABYTES, " MB") }
  )
  return {
    sections: [
      {
        title: `\`gh pr list\` (${ITEMS} of ${LISTED} pull requests), and the first query, which loads the library`,
        rows: (["warm", "changed", "cold", "first"] as const) // members
          .map((name) => ({
            request: name === "changed" ? "after a write to another repository" : name,
            "p50 ms": quantile(listed[name], 0.5),
            "p95 ms": quantile(listed[name], 0.95)
          }))
      },
      {
        title: "Memory of the service",
        rows: listed.memory.map(([before, after]) => ({ "before MB": before, "after MB": after }))
      },
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
