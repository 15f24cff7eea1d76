/**
 * Counts the answered requests of this process in plain numbers, which `/metrics` reads. Counting a request takes less
 * than a microsecond and no fiber.
 */
import * as Context from "effect/Context"
import * as GitPath from "../features/smartHttp/GitPath.ts"
import type { Family, Sample } from "./OpenMetrics.ts"
import { printNumber } from "./OpenMetrics.ts"

/** What the application knows about an answered request. */
export interface Answer {
  /** The operation of the contract, for example `issues/list-for-repo`. Undefined outside of the contract. */
  readonly operation: string | undefined
  /** True if a rate limit refused the request. */
  readonly isLimited: boolean
}

/** Upper bounds of the histogram in seconds. */
const bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, Number.POSITIVE_INFINITY]

const statusClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const

/** Operations outside of the contract. All others share the kind `api`. */
const kinds = ["git-receive-pack", "git-upload-pack", "graphql", "other"] as const
type Kind = (typeof kinds)[number]

const isKind = (operation: string): operation is Kind => kinds.some((kind) => kind === operation)

interface Histogram {
  readonly counts: Array<number>
  sum: number
}

/** The counts of an operation. Operations of one kind share a histogram. */
interface OperationCounts {
  readonly statuses: Array<number>
  readonly histogram: Histogram
}

export class RequestCounters {
  /** Requests whose answer is not complete. */
  inProgress = 0
  #last: Answer | undefined
  readonly #answers = new WeakMap<object, Answer>()
  readonly #operations = new Map<string, OperationCounts>()
  readonly #durations = new Map<string, Histogram>()
  readonly #refused = { primary: 0, secondary: 0, unavailable: 0 }

  /** Records what the application knows about a request. `request` is undefined for a cached answer. */
  note(request: object | undefined, operation: string | undefined, isLimited: boolean): void {
    this.#last = { operation, isLimited }
    if (request !== undefined) this.#answers.set(request, this.#last)
  }

  /** Returns the answer that was noted since the last call. */
  takeLast(): Answer | undefined {
    const last = this.#last
    this.#last = undefined
    return last
  }

  /** Returns the answer to a request that was passed to `note`. */
  answerOf(request: object): Answer | undefined {
    return this.#answers.get(request)
  }

  /** Counts a request. Without an answer of the application, the path says the operation. */
  count(answer: Answer | undefined, url: string, status: number, seconds: number): void {
    const operation = answer?.operation ?? operationOf(url)
    const { histogram, statuses } = this.#operations.get(operation) ?? this.#add(operation)
    const at = Math.floor(status / 100) - 1
    statuses[at] = (statuses[at] ?? 0) + 1
    let bucket = 0
    while (seconds > (bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1
    histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1
    histogram.sum += seconds
    if (status === 503) this.#refused.unavailable += 1
    else if (answer?.isLimited === true) this.#refused[status === 429 ? "secondary" : "primary"] += 1
  }

  #add(operation: string): OperationCounts {
    const kind = isKind(operation) ? operation : "api"
    const histogram = this.#durations.get(kind) ?? { counts: bounds.map(() => 0), sum: 0 }
    this.#durations.set(kind, histogram)
    const counts = { statuses: [0, 0, 0, 0, 0], histogram }
    this.#operations.set(operation, counts)
    return counts
  }

  /** Returns the counts as metrics. */
  families(): ReadonlyArray<Family> {
    const requests = [...this.#operations].flatMap(([operation, { statuses }]) =>
      statusClasses.flatMap((status, at): ReadonlyArray<Sample> => {
        const value = statuses[at] ?? 0
        return value === 0 ? [] : [{ suffix: "_total", labels: { operation, status }, value }]
      })
    )
    return [
      {
        name: "tongs_http_requests",
        type: "counter",
        help: "Answered requests, by the operation of the API and the class of the status.",
        samples: requests
      },
      {
        name: "tongs_http_request_duration_seconds",
        type: "histogram",
        unit: "seconds",
        help: "Time from the headers of a request to the end of its response.",
        samples: [...this.#durations].flatMap(([kind, histogram]) => samplesOf(kind, histogram))
      },
      {
        name: "tongs_http_requests_in_progress",
        type: "gauge",
        help: "Requests whose response is not complete.",
        samples: [{ suffix: "", value: this.inProgress }]
      },
      {
        name: "tongs_http_requests_refused",
        type: "counter",
        help: "Requests refused by the primary or a secondary rate limit, or with 503 for lack of capacity.",
        samples: Object.entries(this.#refused).map(([reason, value]) => ({
          suffix: "_total",
          labels: { reason },
          value
        }))
      }
    ]
  }
}

/** Returns the operation of a request outside of the contract, by its path. */
const operationOf = (url: string): Kind => {
  const [path = "", query = ""] = url.split("?")
  if (path.endsWith("/graphql")) return "graphql"
  const file = GitPath.parse(path)?.file
  if (file === undefined) return "other"
  return GitPath.serviceOf(file === "info/refs" ? new URLSearchParams(query).get("service") : file) ?? "other"
}

const samplesOf = (kind: string, { counts, sum }: Histogram): ReadonlyArray<Sample> => {
  let total = 0
  const buckets = bounds.map((bound, at): Sample => {
    total += counts[at] ?? 0
    return { suffix: "_bucket", labels: { kind, le: boundText(bound) }, value: total }
  })
  return [
    ...buckets,
    { suffix: "_count", labels: { kind }, value: total },
    { suffix: "_sum", labels: { kind }, value: sum }
  ]
}

/** Prints a bound as a decimal fraction, the canonical form of OpenMetrics. */
const boundText = (bound: number): string => (Number.isInteger(bound) ? `${bound}.0` : printNumber(bound))

/** The counters of this process. */
export const RequestMetrics = Context.Reference("@tongs/service/http/RequestMetrics", {
  defaultValue: () => new RequestCounters()
})
