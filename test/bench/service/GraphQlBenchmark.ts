/** Measures how long the embedded forge takes for GraphQL documents that are made to take long. */
import * as Effect from "effect/Effect"
import type { Benchmark } from "../Benchmark.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import { atMost, type Row } from "../Report.ts"
import { median } from "../Statistics.ts"
import * as HostileDocuments from "./HostileDocuments.ts"
import * as ReadComparison from "./ReadComparison.ts"

/** Maximum milliseconds of a document. */
const MAX_MILLIS = 300

/** Length of a shown error. */
const MAX_ANSWER = 60

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  const { tokens, url } = yield* ReadComparison.startTongs()
  const ask = async ({ query, variables }: Pick<HostileDocuments.HostileDocument, "query" | "variables">) => {
    const body = JSON.stringify({ query, variables })
    const started = performance.now()
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokens[0]}`, "content-type": "application/json", "user-agent": "bench" },
      body
    })
    const text = await response.text()
    return { millis: performance.now() - started, status: response.status, text, bytes: body.length }
  }
  const rounds = quick ? 3 : 7
  const rows: Array<Row> = []
  let longest = 0
  // Loads the library.
  yield* BenchmarkEnvironment.tryPromise(() => ask({ query: "{ viewer { login } }" }))
  for (const document of HostileDocuments.documents) {
    const answers = yield* BenchmarkEnvironment.tryPromise(async () => {
      const all = []
      for (let round = 0; round < rounds; round++) all.push(await ask(document))
      return all
    })
    const [first] = answers
    const millis = median(answers.map((answer) => answer.millis))
    longest = Math.max(longest, millis)
    const [, message] = /"message":"((?:[^"\\]|\\.)*)"/.exec(first?.text ?? "") ?? []
    rows.push({
      document: document.name,
      kB: (first?.bytes ?? 0) / 1000,
      ms: millis,
      status: String(first?.status),
      answer: (message ?? "data").slice(0, MAX_ANSWER)
    })
  }
  return {
    sections: [{ title: `Hostile documents over HTTP, median of ${rounds}`, rows }],
    goals: [{ goal: `the longest: at most ${MAX_MILLIS} ms`, ...atMost(longest, MAX_MILLIS, " ms") }],
    notes: ["the time includes sending the document and reading the response"]
  }
})

export const graphql: Benchmark = { name: "graphql", summary: "GraphQL documents that are made to take long", run }
