/** Measures a list of 50 pages with a delay of 50 ms each. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Comparison from "../Comparison.ts"
import { atMost, type Goal, type Row } from "../Report.ts"
import { median } from "../Statistics.ts"
import * as ForkedWorker from "../ForkedWorker.ts"
import { LATENCY_MILLIS, PAGE_COUNT } from "./PagedStub.ts"

const ways = [
  { name: "tongs", script: "EffectPaging.worker.ts", question: { concurrency: 1 }, title: "one by one" },
  { name: "tongs", script: "EffectPaging.worker.ts", question: { concurrency: 4 }, title: "4 at a time" },
  { name: "tongs", script: "EffectPaging.worker.ts", question: { concurrency: 8 }, title: "8 at a time" },
  { name: "octokit", script: "OctokitPaging.worker.ts", question: {}, title: "its paging plugin" }
]

export const measure = Effect.fnUntraced(function* (rounds: number) {
  const contenders = yield* Effect.forEach(ways, ({ question, script, title }) =>
    Effect.map(ForkedWorker.make(`${import.meta.dirname}/${script}`), (worker) => ({
      name: title,
      measure: worker.request(question, Schema.Finite)
    }))
  )
  const results = yield* Comparison.run(contenders, rounds)
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
  return {
    section: { title: `A list of ${PAGE_COUNT} pages, each ${LATENCY_MILLIS} ms away; ${rounds} rounds`, rows },
    goals
  }
})
