/** The requests that the forge received, oldest first. */
import * as RoutePattern from "./RoutePattern.ts"

/** A received request. */
export interface ReceivedRequest {
  readonly method: string
  /** Percent-encoded path, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The first megabyte of the body, as text. */
  readonly body: string
  /** The parsed body. Throws a `SyntaxError` for a body that is not JSON. */
  readonly json: () => unknown
  /** Status of the response. Undefined before the response, and if the connection broke earlier. */
  readonly status: number | undefined
  /** Time until the end of the response in milliseconds. Undefined before the end. */
  readonly duration: number | undefined
  /** The fault that was applied to the request. */
  readonly fault: string | undefined
}

/** Maximum number of requests in the log. The oldest ones are removed. */
const MAX_REQUESTS = 10_000

/** The requests that the forge received, oldest first. */
export class RequestLog implements Iterable<ReceivedRequest> {
  readonly #requests: Array<ReceivedRequest> = []

  get length(): number {
    return this.#requests.length
  }

  /** Returns the request at an index. Negative ones count from the end. */
  at(index: number): ReceivedRequest | undefined {
    return this.#requests.at(index)
  }

  /** Returns the requests of a route, for example `GET /repos/{owner}/{repo}`. */
  to(route: RoutePattern.Route): ReadonlyArray<ReceivedRequest> {
    const matches = RoutePattern.matcher(route)
    return this.#requests.filter(({ method, path }) => matches(method, path))
  }

  [Symbol.iterator](): Iterator<ReceivedRequest> {
    return this.#requests[Symbol.iterator]()
  }

  /** Describes the last requests, one line each. */
  describe(count = 20): string {
    return this.#requests
      .slice(-count)
      .map(({ duration, fault, method, path, query, status }) => {
        const search = query.size === 0 ? "" : `?${query.toString()}`
        const time = duration === undefined ? "" : `, ${Math.round(duration)} ms`
        return `${method} ${path}${search}: ${status ?? "no response"}${time}${fault === undefined ? "" : ` (${fault})`}`
      })
      .join("\n")
  }

  /** @internal */
  add(request: ReceivedRequest): void {
    if (this.#requests.length === MAX_REQUESTS) this.#requests.shift()
    this.#requests.push(request)
  }

  /** @internal */
  clear(): void {
    this.#requests.length = 0
  }
}
