/** A mixed load for ten minutes, and what the limits allow of it: each kind meets another limit. */
import * as StrictForge from "./StrictForge.test-support.ts"

export const routes = {
  /** The points of one endpoint: 900 a minute. */
  reads: "GET /repos/{owner}/{repo}/commits",
  /** The content of an hour: 500, no more than 80 of them a minute. */
  writes: "POST /repos/{owner}/{repo}/git/refs",
  /** A window of its own: 30 a minute. */
  searches: "GET /search/code"
} as const // the keys are the kinds

type Kind = keyof typeof routes

export const kinds: ReadonlyArray<Kind> = ["reads", "writes", "searches"]

/** In ten minutes from a fresh start: ten full minutes of points, ten windows of search, and an hour's content. */
export const allowed: Readonly<Record<Kind, number>> = { reads: 9000, writes: 500, searches: 300 }

/** What each of so many fibers does: most read, some write, some search. */
export const kindsOfFibers = (count: number): ReadonlyArray<Kind> =>
  Array.from({ length: count }, (_, index) => (index % 5 === 3 ? "writes" : index % 5 === 4 ? "searches" : "reads"))

/** Milliseconds that the forge computes for a request. */
export const cpuMillis = (seed: number) => {
  const random = StrictForge.seededRandom(seed)
  return () => Math.round(20 + 60 * random())
}

/** Requests that were served, by kind. */
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

/** Who did how well, a line each. */
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
