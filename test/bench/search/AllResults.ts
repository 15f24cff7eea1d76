/** Measures queries of which every program finds all results: all files with the number of matches. */
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import { atMost, formatNumber, type Goal, type Row } from "../Report.ts"
import * as SearchPrograms from "./SearchPrograms.ts"
import * as SearchQuestions from "./SearchQuestions.ts"
import * as SearchRows from "./SearchRows.ts"
import type { SearchServer } from "./SearchServer.ts"
import { missing, type SearchTiming } from "./SearchTiming.ts"
import type * as ZoektPeer from "./ZoektPeer.ts"

/** A query with the results of all programs. */
interface Measurement {
  readonly question: SearchQuestions.SearchQuestion
  readonly tongs: SearchTiming
  readonly zoekt: SearchTiming
  readonly ripgrep: SearchTiming
  readonly gitGrep: SearchTiming
}

interface Programs {
  readonly served: SearchServer
  readonly zoekt: ZoektPeer.ZoektPeer | undefined
  readonly rounds: number
}

/** Runs the queries in the repository at `path` with all programs. No queries for another repository than Linux. */
export const measure = Effect.fnUntraced(function* (path: string, { rounds, served, zoekt }: Programs) {
  const measurements: Array<Measurement> = []
  if (!(yield* SearchQuestions.isLinux(path))) return { rows: [], goals: [] }
  for (const question of SearchQuestions.forAllResults) {
    measurements.push(
      yield* BenchmarkEnvironment.tryPromise(async () => ({
        question,
        tongs: await SearchRows.times(rounds, () => served.searchAll(question.tongs)),
        zoekt: await SearchRows.times(rounds, () => zoekt?.searchAll(question.zoekt ?? "") ?? missing),
        ripgrep: await SearchRows.times(SearchRows.SLOW_ROUNDS, () => SearchPrograms.ripgrep(question, path, "counts")),
        gitGrep: await SearchRows.times(SearchRows.SLOW_ROUNDS, () => SearchPrograms.gitGrep(question, path, "counts"))
      }))
    )
  }
  return { rows: measurements.map(rowOf), goals: goalsOf(measurements) }
})

const rowOf = ({ gitGrep, question, ripgrep, tongs, zoekt }: Measurement): Row => ({
  question: question.what,
  query: question.tongs,
  files: tongs.files,
  matches: tongs.matches,
  missing: tongs.incomplete,
  "first (ms)": tongs.first,
  "done (ms)": tongs.done,
  "zoekt files": zoekt.files,
  "zoekt (ms)": zoekt.done,
  "ripgrep files": ripgrep.files,
  "ripgrep matches": ripgrep.matches,
  "ripgrep (ms)": ripgrep.done,
  "git grep files": gitGrep.files,
  "git grep (ms)": gitGrep.done
})

/** Times of zoekt and of ripgrep that a search may take, and milliseconds that each search may take. */
const ZOEKT = 3
const RIPGREP = 0.25
const ALLOWED = 10

const goalsOf = (measurements: ReadonlyArray<Measurement>): ReadonlyArray<Goal> => {
  const each = (goal: string, holds: (one: Measurement) => boolean): Goal => {
    const failed = measurements.filter((one) => !holds(one)).map(({ question }) => question.what)
    return {
      goal: `all results: ${goal}`,
      measured:
        `${measurements.length - failed.length} of ${measurements.length}` +
        (failed.length === 0 ? "" : `, not ${failed.join("; ")}`),
      met: failed.length === 0
    }
  }
  const largest = (times: ReadonlyArray<number>) => Math.max(...times.filter((time) => !Number.isNaN(time)))
  const found = measurements.filter(({ tongs }) => tongs.files > 0)
  const empty = measurements.filter(({ tongs }) => tongs.files === 0)
  return [
    each("complete", ({ tongs }) => tongs.incomplete === undefined),
    each(
      `at most ${ZOEKT} times zoekt or ${ALLOWED} ms`,
      // Absent programs have no time, so that no comparison fails.
      ({ tongs, zoekt }) => !(tongs.done > Math.max(ZOEKT * zoekt.done, ALLOWED))
    ),
    each(`at most ${formatNumber(RIPGREP)} of ripgrep`, ({ ripgrep, tongs }) => !(tongs.done > RIPGREP * ripgrep.done)),
    { goal: "all results: first within 20 ms", ...atMost(largest(found.map(({ tongs }) => tongs.first)), 20, " ms") },
    {
      goal: "all results: nothing found within 3 ms",
      ...atMost(largest(empty.map(({ tongs }) => tongs.done)), 3, " ms")
    }
  ]
}
