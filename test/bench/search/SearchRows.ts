/** The rows of the search benchmark: one query or one index, with all programs. */
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import type { Row } from "../Report.ts"
import { median } from "../Statistics.ts"
import type { SearchQuestion } from "./SearchQuestions.ts"
import type { IndexTiming, SearchServer } from "./SearchServer.ts"
import { missing, type SearchTiming } from "./SearchTiming.ts"
import * as ZoektPeer from "./ZoektPeer.ts"

/** Maximum number of files per search, for Tongs and zoekt. */
const LIMIT = 200

/** The programs that run a query. */
export interface Programs {
  readonly served: SearchServer
  readonly zoekt: ZoektPeer.ZoektPeer | undefined
  readonly rounds: number
  /** Programs without an index, by name. Slower programs, which run fewer rounds. */
  readonly others: Readonly<Record<string, () => SearchTiming | Promise<SearchTiming>>>
}

/** Rounds for programs without an index. */
export const SLOW_ROUNDS = 3

/** Runs a query with all programs. Prints the medians. */
export const make = (question: SearchQuestion, { others, rounds, served, zoekt }: Programs) =>
  BenchmarkEnvironment.tryPromise(async (): Promise<Row> => {
    const { isContract, tongs, what, zoekt: query } = question
    const own = await times(rounds, () =>
      isContract === true ? served.searchContract(tongs) : served.searchStreamed(tongs, LIMIT)
    )
    const canZoekt = zoekt !== undefined && query !== undefined && (ZoektPeer.hasSymbols() || !query.startsWith("sym:"))
    const peer = canZoekt ? await times(rounds, () => zoekt.search(query, LIMIT)) : missing
    const row: Record<string, string | number> = {
      question: what,
      query: tongs,
      files: own.files,
      "first (ms)": own.first,
      "done (ms)": own.done,
      "zoekt files": peer.files,
      "zoekt (ms)": peer.done
    }
    for (const [name, search] of Object.entries(others)) {
      const other = await times(Math.min(rounds, SLOW_ROUNDS), search)
      row[`${name} files`] = other.files
      row[`${name} first`] = other.first
      row[`${name} (ms)`] = other.done
    }
    return row
  })

/** Milliseconds of a search that is not repeated as often as others. */
const SLOW = 3_000

/** Repeats a search after one round that fills the caches. Returns the medians. */
export const times = async (
  rounds: number,
  search: () => SearchTiming | Promise<SearchTiming>
): Promise<SearchTiming> => {
  const first = await search()
  if (Number.isNaN(first.done) || first.done > 4 * SLOW) return first
  const timings: Array<SearchTiming> = []
  for (let round = 0; round < (first.done > SLOW ? 2 : rounds); round++) timings.push(await search())
  return {
    ...(timings.find(({ incomplete }) => incomplete !== undefined) ?? timings.at(-1) ?? first),
    first: median(timings.map(({ first }) => first)),
    done: median(timings.map(({ done }) => done))
  }
}

/** Returns one row for the index of each program, after the queries. */
export const indexes = (
  built: IndexTiming,
  served: SearchServer,
  zoekt: ZoektPeer.ZoektPeer | undefined
): ReadonlyArray<Row> => [
  {
    program: "tongs",
    "index (MB)": built.indexBytes / 1e6,
    "built in (s)": built.seconds,
    "memory, building (MB)": built.peakMegabytes,
    "memory, building and serving (MB)": served.peakMegabytes()
  },
  ...(zoekt === undefined
    ? []
    : [
        {
          program: ZoektPeer.hasSymbols() ? "zoekt with symbols" : "zoekt without symbols",
          "index (MB)": zoekt.indexBytes / 1e6,
          "built in (s)": zoekt.seconds,
          "memory, building (MB)": zoekt.buildMegabytes,
          "memory, building and serving (MB)": Math.max(zoekt.buildMegabytes, zoekt.servingMegabytes())
        }
      ])
]
