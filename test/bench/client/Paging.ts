/** How long a list of 50 pages takes where every page is 50 ms away. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Contest from "../Contest.ts"
import { atMost, type Goal, type Row } from "../Report.ts"
import { median } from "../Statistics.ts"
import * as Worker from "../Worker.ts"
import { latency, pages } from "./Pages.stub.ts"

const ways = [
  { name: "tongs", script: "Paging.worker.ts", question: { concurrency: 1 }, title: "one by one" },
  { name: "tongs", script: "Paging.worker.ts", question: { concurrency: 4 }, title: "4 at a time" },
  { name: "tongs", script: "Paging.worker.ts", question: { concurrency: 8 }, title: "8 at a time" },
  { name: "octokit", script: "OctokitPaging.worker.ts", question: {}, title: "its paging plugin" }
]

export const measure = Effect.fnUntraced(function* (rounds: number) {
  const contenders = yield* Effect.forEach(ways, ({ question, script, title }) =>
    Effect.map(Worker.make(`${import.meta.dirname}/${script}`), (worker) => ({
      name: title,
      measure: worker.ask(question, Schema.Finite)
    }))
  )
  const results = yield* Contest.run(contenders, rounds)
  const took = (title: string) => median(results.get(title) ?? [])
  const share = took("8 at a time") / took("one by one")
  const rows: ReadonlyArray<Row> = ways.map(({ name, title }) => ({
    client: name,
    pages: title,
    ms: took(title),
    "of one by one": took(title) / took("one by one")
  }))
  const goals: ReadonlyArray<Goal> = [
    { goal: "50 pages, 8 at a time: at most a quarter of one by one", ...atMost(share, 0.25, " of it") }
  ]
  return { section: { title: `A list of ${pages} pages, each ${latency} ms away; ${rounds} rounds`, rows }, goals }
})
