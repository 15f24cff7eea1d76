/** Searches beside eight busy processes: no search finds nothing where something is. */
import { spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import type { Row } from "../Report.ts"
import { median } from "../Statistics.ts"
import * as SearchQuestions from "./SearchQuestions.ts"
import type { SearchServer } from "./SearchServer.ts"

const QUERIES = 200
const BUSY_PROCESSES = 8

/** Number of files from which the words come. */
const SAMPLED_FILES = 400

/** Returns words of a corpus, and the questions of which something is found. */
const queriesOf = Effect.fnUntraced(function* (path: string) {
  const git = (...args: ReadonlyArray<string>) => BenchmarkEnvironment.runCommand("git", ["-C", path, ...args])
  const paths = (yield* git("ls-tree", "-r", "--name-only", "HEAD")).split("\n").filter((one) => /\.[ch]$/.test(one))
  const step = Math.max(1, Math.floor(paths.length / SAMPLED_FILES))
  const sample = paths.filter((_, at) => at % step === 0)
  const found = yield* git("grep", "-ohIwE", "[A-Za-z_]{6,30}", "HEAD", "--", ...sample)
  const words = [...new Set(found.split("\n"))].filter((word) => word !== "")
  const questions = SearchQuestions.forAllResults
    .filter(({ what }) => what !== SearchQuestions.NOTHING_FOUND)
    .map(({ tongs }) => tongs)
  const each = Math.max(1, Math.floor(words.length / (QUERIES - questions.length)))
  return [...questions, ...words.filter((_, at) => at % each === 0)].slice(0, QUERIES)
})

/** Starts processes that use a core each, until the scope closes. */
const busy = Effect.acquireRelease(
  Effect.sync(() =>
    Array.from({ length: BUSY_PROCESSES }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }))
  ),
  (children) => Effect.sync(() => children.forEach((child) => child.kill("SIGKILL")))
)

/** Runs the queries within the default deadline. */
export const measure = Effect.fnUntraced(function* (path: string, served: SearchServer) {
  const queries = yield* queriesOf(path)
  yield* busy
  return yield* BenchmarkEnvironment.tryPromise(async () => {
    const times: Array<number> = []
    const empty: Array<string> = []
    let incomplete = 0
    for (const query of queries) {
      const { done, files, incomplete: missing } = await served.searchShortly(query)
      times.push(done)
      if (files === 0) empty.push(query)
      if (missing !== undefined && missing !== "limit") incomplete++
    }
    const row: Row = {
      queries: queries.length,
      "found nothing": empty.length,
      "of these": empty.slice(0, 5).join(" "),
      incomplete,
      "median (ms)": median(times),
      "slowest (ms)": Math.max(...times)
    }
    return { row, empty: empty.length }
  })
}, Effect.scoped)
