/** Measures reads and writes of issues over HTTP, compared with `emulate`, a forge in memory. */
import * as Effect from "effect/Effect"
import type { Benchmark } from "../Benchmark.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as ForkedWorker from "../ForkedWorker.ts"
import { atLeast, type Goal, type Row } from "../Report.ts"
import * as ReadComparison from "./ReadComparison.ts"
import * as WriteBenchmark from "./WriteBenchmark.ts"
import { issueOperations } from "./WriteSample.ts"

/** Issues of the repository, items of each list, and issues without a comment for each with two. */
const ISSUES = 300
const ITEMS = 30
const SILENT = 2

const ISSUE_PATH = "/repos/{owner}/bench/issues"

const questions: ReadonlyArray<ReadComparison.Question> = [
  { title: "30 issues", template: `${ISSUE_PATH}?per_page=30`, items: 30 },
  { title: "30 issues with a label", template: `${ISSUE_PATH}?labels=label-1&per_page=30`, items: 30 },
  {
    title: "30 issues of all states, by update",
    template: `${ISSUE_PATH}?state=all&sort=updated&per_page=30`,
    items: 30
  },
  { title: "one issue", template: `${ISSUE_PATH}/1` },
  { title: "30 comments", template: `${ISSUE_PATH}/1/comments`, items: 30 },
  { title: "30 labels", template: "/repos/{owner}/bench/labels?per_page=30", items: 30 },
  { title: "30 milestones", template: "/repos/{owner}/bench/milestones?per_page=30", items: 30 }
]

const body = (index: number) =>
  `The lamp ${index} is dark since Monday.\n\n- [ ] look at it\n- [ ] replace it\n`.repeat(4)

/** Adds equal labels, milestones, issues and comments to a forge. */
const fill = ({ path, tokens, url }: ReadComparison.Server) =>
  BenchmarkEnvironment.tryPromise(async () => {
    let requests = 0
    const post = async (template: string, content: object) => {
      const response = await fetch(url + path(template), {
        method: "POST",
        headers: {
          authorization: `Bearer ${tokens[requests++ % tokens.length]}`,
          "content-type": "application/json",
          "user-agent": "bench"
        },
        body: JSON.stringify(content)
      })
      if (response.status !== 201) throw new Error(`${template}: ${response.status} ${await response.text()}`)
      await response.arrayBuffer()
    }
    for (let at = 0; at < ITEMS; at++) {
      await post("/repos/{owner}/bench/labels", { name: `label-${at}`, color: "ededed" })
      await post("/repos/{owner}/bench/milestones", { title: `Milestone ${at}` })
    }
    for (let at = 1; at <= ISSUES; at++) {
      await post(ISSUE_PATH, {
        title: `Lamp ${at} is dark`,
        body: body(at),
        labels: [`label-${at % 3}`, `label-${3 + (at % (ITEMS - 3))}`],
        assignees: [path("{owner}")],
        milestone: 1 + (at % ITEMS)
      })
      const comments = at === 1 ? ITEMS : at % (SILENT + 1) === 0 ? 2 : 0
      for (let one = 0; one < comments; one++) await post(`${ISSUE_PATH}/${at}/comments`, { body: body(one) })
    }
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
    const goal = (name: string, suffix: string): Goal => ({
      goal: `${question.title}${suffix}: at least twice emulate`,
      ...atLeast(speedOf(name) / speedOf("emulate"), 2, " ×")
    })
    goals.push(goal("tongs", ""), goal(ReadComparison.UNCACHED, ", cold"))
  }
  const times = quick ? 20 : 50
  const writes: Array<Row> = []
  const writer = yield* ForkedWorker.make(`${import.meta.dirname}/WriteLoad.worker.ts`)
  const servers = [tongs, emulate].map(({ name, path, tokens, url }) => ({
    name,
    url,
    tokens,
    owner: path("{owner}"),
    sha: path("{sha}")
  }))
  for (const operation of issueOperations) {
    const { rows: found } = yield* WriteBenchmark.compare(servers, operation, writer, { rounds, times, milliseconds })
    writes.push(...found)
  }
  return {
    sections: [
      {
        title: `Reads of ${ISSUES} issues over ${ReadComparison.CONNECTIONS} kept-alive connections, median of ${rounds} rounds of ${milliseconds} ms`,
        rows
      },
      {
        title: `Writes, and reads after a write, over one connection, median of ${rounds} rounds of ${times}`,
        rows: writes
      }
    ],
    goals,
    notes: [
      `peer: emulate ${BenchmarkEnvironment.versionOf("emulate")}, which holds its data in memory; tongs flushes each write to disk, with its events and references`,
      "tongs, cold: each request has a new URL, so no response is cached"
    ]
  }
})

export const issues: Benchmark = { name: "issues", summary: "issues of the embedded forge over HTTP", run }
