/** The explorer's server as the page sees it: what there is to ask for, and the answers, kept as long as they are good. */
import { keepPreviousData, QueryClient, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import type * as Explore from "@tongs/core/explore/Explore"
import type * as Wire from "../Wire.ts"
import * as Connectivity from "./api/Connectivity.ts"

export type Answer<A> =
  | { readonly _tag: "Loading"; readonly slow: boolean }
  | { readonly _tag: "Ready"; readonly value: A }
  | { readonly _tag: "Failed"; readonly failure: Wire.Failure; readonly retry: () => void }

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

export const connection = endpoint<Wire.Connection>("connection")
export const repositories = endpoint<Wire.Repositories>("repositories")
export const pulse = endpoint<Wire.Pulse>("pulse")
export const search = endpoint<Wire.SearchPage>("search")
export const file = endpoint<Wire.File>("file")
export const tree = endpoint<Wire.Tree>("tree")
export const refs = endpoint<Wire.Refs>("refs")
export const history = endpoint<Wire.History>("history")

// Where the forge has an index (`Wire.Capabilities`).
export const matches = endpoint<Explore.Matches>("tongs/matches")
export const symbols = endpoint<Explore.Outline>("tongs/symbols")
export const definitions = endpoint<Explore.Definitions>("tongs/definitions")
export const blame = endpoint<Explore.Blame>("tongs/blame")
export const index = endpoint<Explore.Index>("tongs/index")
export const leftOut = endpoint<Explore.LeftOut>("tongs/index/left-out")

/** What the cache knows an answer by. */
export const key = <A>({ path }: Endpoint<A>, parameters: Parameters = {}) => [path, parameters]

/** The URL of a question, relative to the page. */
export const url = (path: string, parameters: Parameters): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((one): [string, string] => [
      name,
      String(one)
    ])
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
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

const isFailure = (said: unknown): said is Wire.Failure =>
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

/** Reads an answer, and reads it again when the parameters change; nothing without parameters. */
export const useAnswer = <A>(
  endpoint: Endpoint<A>,
  parameters: Parameters | undefined,
  { every = false, keep = false }: Options = {}
): Answer<A> => {
  const { data, error, isPending, refetch } = useQuery({
    ...query(endpoint, parameters ?? {}),
    enabled: parameters !== undefined,
    refetchInterval: every,
    ...(keep ? { placeholderData: keepPreviousData } : {})
  })
  const slow = useSlow(isPending && parameters !== undefined)
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
  readonly failure: Wire.Failure

  constructor(failure: Wire.Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Whatever is no answer of the server's: it is gone, or something else answered in its place. */
export const failureOf = (error: unknown): Wire.Failure => (error instanceof Refusal ? error.failure : offline)

const offline: Wire.Failure = {
  kind: "Offline",
  message: "The explorer does not answer. Is `tongs explore` still running?"
}
