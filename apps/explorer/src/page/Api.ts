/** The explorer's server as the page sees it: what there is to ask for, and the answers, kept as long as they are good. */
import { keepPreviousData, QueryClient, useQuery, type UseQueryOptions } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import type { IndexStatus, LeftOutFile } from "@tongs/core/contract/CodeIndex"
import type { Definition, Outline, Reference } from "@tongs/core/contract/CodeNavigation"
import type { FileMatches } from "@tongs/core/contract/CodeSearch"
import type { Blame } from "@tongs/core/contract/History"
import type * as ExplorerApi from "../ExplorerApi.ts"
import * as Connectivity from "./api/Connectivity.ts"

export type Answer<A> =
  | { readonly _tag: "Loading"; readonly slow: boolean }
  | { readonly _tag: "Ready"; readonly value: A }
  | { readonly _tag: "Failed"; readonly failure: ExplorerApi.Failure; readonly retry: () => void }

export type Parameters = Readonly<Record<string, string | number | ReadonlyArray<string> | undefined>>

/** Milliseconds after which waiting is called slow. */
const SLOW = 1_500

/** Milliseconds that an answer which nobody looks at is kept. */
const KEPT = 10 * 60_000

/**
 * Answers stay good until they are asked for anew: a reader who goes back sees what was there, at once. Nothing is asked
 * twice by itself, for a request may cost.
 */
export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      gcTime: KEPT,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // The server is on this machine, whatever the network does.
      networkMode: "always"
    }
  }
})

/** One thing to ask the server for. `A` is what it answers. */
export interface Endpoint<A> {
  readonly path: string
  /** Never there: it carries the type. */
  readonly answer?: A
}

const endpoint = <A>(path: string): Endpoint<A> => ({ path: `api/${path}` })

export const connection = endpoint<ExplorerApi.Connection>("connection")
export const repositories = endpoint<ExplorerApi.Repositories>("repositories")
export const activity = endpoint<ExplorerApi.Activity>("activity")
export const search = endpoint<ExplorerApi.SearchPage>("search")
export const file = endpoint<ExplorerApi.File>("file")
export const tree = endpoint<ExplorerApi.Folder>("tree")
export const refs = endpoint<ExplorerApi.Refs>("refs")
export const history = endpoint<ExplorerApi.History>("history")

/** Results of code navigation: those of one page, and their total number. */
export interface Found<A> {
  readonly total_count: number
  readonly incomplete_results: boolean
  readonly items: ReadonlyArray<A>
}

// Extensions of the contract (`ExplorerApi.Capabilities`).
const extension = <A>(path: string) => endpoint<A>(`tongs/${path}`)
const fileExtension = <A>(name: string) => extension<A>(`repos/:owner/:repo/${name}/:path`)

export const matches = fileExtension<FileMatches>("matches")
export const outline = fileExtension<Outline>("outline")
export const blame = fileExtension<Blame>("blame")
export const definitions = extension<Found<Definition>>("repos/:owner/:repo/definitions/:name")
export const references = extension<Found<Reference>>("repos/:owner/:repo/references/:name")
export const index = extension<IndexStatus>("index")
export const leftOut = extension<ReadonlyArray<LeftOutFile>>("repos/:owner/:repo/index/left-out")

/** What the cache knows an answer by. */
export const key = <A>({ path }: Endpoint<A>, parameters: Parameters = {}) => [path, parameters]

/** The URL of a request, relative to the page. Parameters that the path names go into it, all others into the query. */
export const url = (path: string, parameters: Parameters): string => {
  const query = new URLSearchParams()
  let filled = path
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue
    const values = typeof value === "object" ? value : [String(value)]
    if (path.includes(`/:${name}`)) filled = filled.replace(`:${name}`, () => encodeURIComponent(values.join(",")))
    else for (const one of values) query.append(name, one)
  }
  return query.size === 0 ? filled : `${filled}?${query}`
}

/** Asks, and throws a `Refusal` where the answer is none. */
export const ask = async (url: string, signal: AbortSignal): Promise<Response> => {
  const response = await fetch(url, { signal, headers: { accept: "application/json" } }).catch((error: unknown) => {
    if (signal.aborted) throw error
    return undefined
  })
  const said: unknown = response?.ok === false ? await response.json().catch(() => undefined) : undefined
  if (signal.aborted) throw signal.reason
  const failure = response?.ok === true ? undefined : isFailure(said) ? said : offline
  Connectivity.report(reaches.get(failure?.kind) ?? "connected", url === connection.path)
  if (response === undefined || failure !== undefined) throw new Refusal(failure ?? offline)
  return response
}

const reaches = new Map<string | undefined, "forge-unreachable" | "offline">([
  ["Unreachable", "forge-unreachable"],
  ["Offline", "offline"]
])

const isFailure = (said: unknown): said is ExplorerApi.Failure =>
  typeof said === "object" && said !== null && "kind" in said && "message" in said && typeof said.message === "string"

/** Asks for the whole of an answer, past the cache. */
export const get = async <A>({ path }: Endpoint<A>, parameters: Parameters, signal: AbortSignal): Promise<A> =>
  (await ask(url(path, parameters), signal)).json()

/** The question as the cache asks it. */
export const query = <A>(endpoint: Endpoint<A>, parameters: Parameters) => ({
  queryKey: key(endpoint, parameters),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => get(endpoint, parameters, signal)
})

interface Options {
  /** While the answer for new parameters is on its way, the one before stands. */
  readonly keep?: boolean
  /** Asks again after so many milliseconds, or not (`false`). */
  readonly every?: number | false
}

/** Items of a page, and the most that are read of a list. */
const PER_PAGE = 100
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

/** Reads all pages of a list, up to 1,000 items. */
export const useAll = <A>(endpoint: Endpoint<ReadonlyArray<A>>, parameters: Parameters): Answer<ReadonlyArray<A>> =>
  useResult({
    queryKey: key(endpoint, parameters),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => getAll(endpoint, parameters, signal)
  })

/** Reads an answer, and reads it again when the parameters change; nothing without parameters. */
export const useAnswer = <A>(
  endpoint: Endpoint<A>,
  parameters: Parameters | undefined,
  { every = false, keep = false }: Options = {}
): Answer<A> =>
  useResult({
    ...query(endpoint, parameters ?? {}),
    enabled: parameters !== undefined,
    refetchInterval: every,
    ...(keep ? { placeholderData: keepPreviousData } : {})
  })

const useResult = <A>(options: UseQueryOptions<A>): Answer<A> => {
  const { data, error, isPending, refetch } = useQuery(options)
  const slow = useSlow(isPending && options.enabled !== false)
  if (data !== undefined) return { _tag: "Ready", value: data }
  if (error !== null) return { _tag: "Failed", failure: failureOf(error), retry: () => void refetch() }
  return { _tag: "Loading", slow }
}

/** Whether something has been waited for longer than people like. */
export const useSlow = (waits: boolean): boolean => {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!waits) return
    const timer = setTimeout(() => setSlow(true), SLOW)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [waits])
  return slow
}

/** What the server said instead of an answer. */
export class Refusal extends Error {
  readonly failure: ExplorerApi.Failure

  constructor(failure: ExplorerApi.Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Whatever is no answer of the server's: it is gone, or something else answered in its place. */
export const failureOf = (error: unknown): ExplorerApi.Failure => (error instanceof Refusal ? error.failure : offline)

const offline: ExplorerApi.Failure = {
  kind: "Offline",
  message: "The explorer does not answer. Is `tongs explore` still running?"
}
