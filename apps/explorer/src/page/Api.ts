/** The explorer's server as the page sees it: a few answers to read, each kept as long as the page is open. */
import { useEffect, useReducer } from "react"
import type * as Wire from "../Wire.ts"

export type Answer<A> =
  | { readonly _tag: "Loading"; readonly slow: boolean }
  | { readonly _tag: "Ready"; readonly value: A }
  | { readonly _tag: "Failed"; readonly failure: Wire.Failure; readonly retry: () => void }

/** Answers that are kept of each kind. */
const KEPT = 100

/** Milliseconds after which waiting is called slow. */
const SLOW = 1_500

type Parameters = Readonly<Record<string, string | number | undefined>>

/** One thing to ask the server for. */
export class Endpoint<A> {
  readonly #path: string
  readonly #kept = new Map<string, A>()

  constructor(path: string) {
    this.#path = path
  }

  url(parameters: Parameters): string {
    const given = Object.entries(parameters).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] satisfies [string, string]]
    )
    return given.length === 0 ? this.#path : `${this.#path}?${new URLSearchParams(given)}`
  }

  kept(url: string): A | undefined {
    return this.#kept.get(url)
  }

  /** Asks again the next time. */
  forget(): void {
    this.#kept.clear()
  }

  async fetch(url: string, signal: AbortSignal): Promise<A> {
    const response = await fetch(url, { signal, headers: { accept: "application/json" } })
    if (!response.ok) throw new Refusal(await response.json())
    const value: A = await response.json()
    this.#kept.set(url, value)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest)
    return value
  }
}

export const connection = new Endpoint<Wire.Connection>("api/connection")
export const repositories = new Endpoint<Wire.Repositories>("api/repositories")
export const search = new Endpoint<Wire.SearchPage>("api/search")
export const file = new Endpoint<Wire.File>("api/file")
export const tree = new Endpoint<Wire.Tree>("api/tree")
export const branches = new Endpoint<Wire.Branches>("api/branches")

/** Reads an answer, and reads it again when the parameters change; nothing without parameters. */
export const useAnswer = <A>(endpoint: Endpoint<A>, parameters: Parameters | undefined): Answer<A> => {
  const url = parameters === undefined ? undefined : endpoint.url(parameters)
  const [state, dispatch] = useReducer(next, initial)
  const { attempt } = state

  useEffect(() => {
    if (url === undefined || endpoint.kept(url) !== undefined) return
    const controller = new AbortController()
    const slow = setTimeout(() => dispatch({ _tag: "Slow", url }), SLOW)
    endpoint
      .fetch(url, controller.signal)
      .then(
        () => dispatch({ _tag: "Ready", url }),
        (error: unknown) => {
          if (!controller.signal.aborted) dispatch({ _tag: "Failed", url, failure: failureOf(error) })
        }
      )
      .finally(() => clearTimeout(slow))
    return () => {
      clearTimeout(slow)
      controller.abort()
    }
  }, [endpoint, url, attempt])

  const value = url === undefined ? undefined : endpoint.kept(url)
  if (value !== undefined) return { _tag: "Ready", value }
  if (state.failure !== undefined && state.url === url) {
    return { _tag: "Failed", failure: state.failure, retry: () => dispatch({ _tag: "Retry" }) }
  }
  return { _tag: "Loading", slow: state.slow && state.url === url }
}

interface State {
  readonly attempt: number
  /** What the rest is about. */
  readonly url: string | undefined
  readonly slow: boolean
  readonly failure: Wire.Failure | undefined
}

type News =
  | { readonly _tag: "Slow" | "Ready"; readonly url: string }
  | { readonly _tag: "Failed"; readonly url: string; readonly failure: Wire.Failure }
  | { readonly _tag: "Retry" }

const initial: State = { attempt: 0, url: undefined, slow: false, failure: undefined }

const next = (state: State, news: News): State => {
  switch (news._tag) {
    case "Slow":
      return { ...state, url: news.url, slow: true, failure: undefined }
    case "Ready":
      return { ...state, url: news.url, slow: false, failure: undefined }
    case "Failed":
      return { ...state, url: news.url, slow: false, failure: news.failure }
    case "Retry":
      return { ...initial, attempt: state.attempt + 1 }
  }
}

class Refusal extends Error {
  readonly failure: Wire.Failure

  constructor(failure: Wire.Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Whatever is no answer of the server's: it is gone, or something else answered in its place. */
const failureOf = (error: unknown): Wire.Failure =>
  error instanceof Refusal
    ? error.failure
    : { kind: "Offline", message: "The explorer does not answer. Is `tongs explore` still running?" }
