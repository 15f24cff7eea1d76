/** A mixed load for ten minutes, and the limits. Each kind of request has a different limit. */
import * as StrictForge from "./StrictForge.test-support.ts"

export const routes = {
  /** Limited by the points of one endpoint: 900 per minute. */
  reads: "GET /repos/{owner}/{repo}/commits",
  /** Limited by content creation: 500 per hour, 80 per minute. */
  writes: "POST /repos/{owner}/{repo}/git/refs",
  /** Limited by a separate window: 30 per minute. */
  searches: "GET /search/code"
} as const // literal keys

type Kind = keyof typeof routes

export const kinds: ReadonlyArray<Kind> = ["reads", "writes", "searches"]

/** Allowed requests in the first ten minutes: ten minutes of points, ten search windows, one hour of content. */
export const allowed: Readonly<Record<Kind, number>> = { reads: 9000, writes: 500, searches: 300 }

/** The kinds of a number of fibers: most read, some write, some search. */
export const kindsOfFibers = (count: number): ReadonlyArray<Kind> =>
  Array.from({ length: count }, (_, index) => (index % 5 === 3 ? "writes" : index % 5 === 4 ? "searches" : "reads"))

/** Random CPU times of requests (milliseconds). */
export const cpuMillis = (seed: number) => {
  const random = StrictForge.seededRandom(seed)
  return () => Math.round(20 + 60 * random())
}

/** Served requests by kind. */
export const servedByKind = (strict: {
  readonly served: (route: string) => ReadonlyArray<StrictForge.SeenRequest>
}) => ({
  reads: strict.served("GET /repos/:owner/:repo/commits").length,
  writes: strict.served("POST /repos/:owner/:repo/git/refs").length,
  searches: strict.served("GET /search/code").length
})

export interface LoadOutcome {
  readonly used: Readonly<Record<Kind, number>>
  readonly refused: number
}

/** A table with one line per client. */
export const table = (outcomes: Readonly<Record<string, LoadOutcome>>): string =>
  [
    ["client", ...kinds.map((name) => `${name} of ${allowed[name]}`), "refused"],
    ...Object.entries(outcomes).map(([client, { refused, used }]) => [
      client,
      ...kinds.map((name) => `${used[name]} (${Math.round((100 * used[name]) / allowed[name])} %)`),
      String(refused)
    ])
  ]
    .map((row) =>
      row
        .map((cell) => cell.padEnd(20))
        .join("")
        .trimEnd()
    )
    .join("\n")
