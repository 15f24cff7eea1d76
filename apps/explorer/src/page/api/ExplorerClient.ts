/** A client for the API of the explorer's server, with a cache of responses. */
import { type Query, QueryClient, useQuery, type UseQueryOptions } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as Connectivity from "./Connectivity.ts"
import * as EarlyRequests from "./EarlyRequests.ts"
import { connection, type Endpoint, type Parameters, url } from "./Endpoints.ts"

export * from "./Endpoints.ts"

/** The state of a request. */
export type RequestState<A> =
  | { readonly _tag: "Loading"; readonly slow: boolean }
  | { readonly _tag: "Ready"; readonly value: A }
  | { readonly _tag: "Failed"; readonly failure: ExplorerApi.Failure; readonly retry: () => void }

/** Milliseconds after which a pending request is slow. */
const SLOW_AFTER = 1_500

/** Milliseconds that an unused response stays cached. */
const CACHE_TIME = 10 * 60_000

/** True for a file or folder of a work tree, which other programs change. */
const isWorkTree = ({ state: { data } }: Query): boolean =>
  typeof data === "object" && data !== null && "workTree" in data

/**
 * The cache. Responses never become stale, so that going back shows responses at once. Nothing is refetched or retried
 * automatically, because requests count against rate limits. Files of work trees, which are local, are read again when
 * the user returns to them or to the window.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: (query) => (isWorkTree(query) ? 0 : Infinity),
      gcTime: CACHE_TIME,
      retry: false,
      refetchOnWindowFocus: isWorkTree,
      refetchOnReconnect: false,
      // The server on this machine is reachable without a network.
      networkMode: "always"
    }
  }
})

/** The cache key of a request. */
export const queryKey = <A>({ path }: Endpoint<A>, parameters: Parameters = {}) => [path, parameters]

/** The parts of a request other than a GET. */
export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request, GET by default, and reports connectivity. Rejects with a `RequestError` for any failure. */
export const send = async (url: string, signal: AbortSignal, init: RequestOptions = {}): Promise<Response> => {
  const request =
    (init.method === undefined ? EarlyRequests.take(url, signal) : undefined) ??
    fetch(url, { ...init, signal, headers: { accept: "application/json", ...init.headers } })
  const response = await request.catch((error: unknown) => {
    if (signal.aborted) throw error
    return undefined
  })
  const body: unknown = response?.ok === false ? await response.json().catch(() => undefined) : undefined
  if (signal.aborted) throw signal.reason
  const failure = response?.ok === true ? undefined : isFailure(body) ? body : offline
  Connectivity.recordOutcome(connectivityOf.get(failure?.kind) ?? "connected", url === connection.path)
  if (response === undefined || failure !== undefined) throw new RequestError(failure ?? offline)
  return response
}

const connectivityOf = new Map<string | undefined, "forge-unreachable" | "offline">([
  ["Unreachable", "forge-unreachable"],
  ["Offline", "offline"]
])

const isFailure = (body: unknown): body is ExplorerApi.Failure =>
  typeof body === "object" && body !== null && "kind" in body && "message" in body && typeof body.message === "string"

/** Requests an endpoint without the cache. Rejects with a `RequestError`. */
export const get = async <A>({ path }: Endpoint<A>, parameters: Parameters, signal: AbortSignal): Promise<A> =>
  (await send(url(path, parameters), signal)).json()

/** The React Query options of a request. */
export const queryOptions = <A>(endpoint: Endpoint<A>, parameters: Parameters) => ({
  queryKey: queryKey(endpoint, parameters),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => get(endpoint, parameters, signal)
})

interface Options {
  /** Milliseconds between polls; `false` for none. */
  readonly pollInterval?: number | false
  /** Whether to poll while the page is hidden, too. */
  readonly pollsInBackground?: boolean
}

/** Items per page, the maximum of the contract. */
const PER_PAGE = 100
/** Maximum number of items to request. */
const MAX_ITEMS = 1_000

const getAll = async <A>(
  endpoint: Endpoint<ReadonlyArray<A>>,
  parameters: Parameters,
  signal: AbortSignal
): Promise<ReadonlyArray<A>> => {
  const items: Array<A> = []
  for (let page = 1; items.length < MAX_ITEMS; page++) {
    const next = await get(endpoint, { ...parameters, page, per_page: PER_PAGE }, signal)
    items.push(...next)
    if (next.length < PER_PAGE) break
  }
  return items
}

/** Requests all pages of a list, up to 1,000 items. */
export const useAll = <A>(
  endpoint: Endpoint<ReadonlyArray<A>>,
  parameters: Parameters
): RequestState<ReadonlyArray<A>> =>
  useResult({
    queryKey: queryKey(endpoint, parameters),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => getAll(endpoint, parameters, signal)
  })

/** Requests an endpoint, and again when the parameters change. Sends no request without parameters. */
export const useRequest = <A>(
  endpoint: Endpoint<A>,
  parameters: Parameters | undefined,
  { pollInterval = false, pollsInBackground = false }: Options = {}
): RequestState<A> =>
  useResult({
    ...queryOptions(endpoint, parameters ?? {}),
    enabled: parameters !== undefined,
    refetchInterval: pollInterval,
    refetchIntervalInBackground: pollsInBackground
  })

const useResult = <A>(options: UseQueryOptions<A>): RequestState<A> => {
  const { data, error, isPending, refetch } = useQuery(options)
  const slow = useIsSlow(isPending && options.enabled !== false)
  if (data !== undefined) return { _tag: "Ready", value: data }
  if (error !== null) return { _tag: "Failed", failure: failureOf(error), retry: () => void refetch() }
  return { _tag: "Loading", slow }
}

/** True once `isPending` has been true for 1.5 seconds. */
export const useIsSlow = (isPending: boolean): boolean => {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!isPending) return
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isPending])
  return slow
}

/** A failed request. */
export class RequestError extends Error {
  readonly failure: ExplorerApi.Failure

  constructor(failure: ExplorerApi.Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** The failure of a request. Any other error means that the server is offline. */
export const failureOf = (error: unknown): ExplorerApi.Failure =>
  error instanceof RequestError ? error.failure : offline

const offline: ExplorerApi.Failure = {
  kind: "Offline",
  message: "The explorer does not respond. Is `tongs explore` still running?"
}
