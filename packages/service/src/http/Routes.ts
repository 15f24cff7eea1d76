/** The routes of the service: every endpoint of the contract with its handler. */
import * as FindMyWay from "effect/http/FindMyWay"
import { type Entry, entries } from "@tongs/core/contract/Catalog"
import type { AnyHandler, GroupHandlers } from "./Handlers.ts"
import * as Input from "./Input.ts"

export interface Route {
  readonly entry: Entry
  /** As `gitRefs.get`. */
  readonly name: string
  readonly handler: AnyHandler
  readonly readInput: ReturnType<typeof Input.reader>
  /** Whether it lies below `/repos/{owner}/{repo}`. */
  readonly onRepository: boolean
  /** The status of its success. */
  readonly status: number
}

export interface Found {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
}

export interface Routes {
  /** The route of a path, percent-encoded as it came. */
  readonly find: (method: string, path: string) => Found | undefined
  /** The methods that a path has. */
  readonly methods: (path: string) => ReadonlyArray<string>
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

const statusOf = ({ endpoint }: Entry): number => {
  const [success] = endpoint.success
  const status = success?.ast.annotations?.httpApiStatus
  return typeof status === "number" ? status : 200
}

/**
 * The last parameter of some paths holds slashes. Clients send them raw as well as encoded, so such a path is a
 * wildcard here, and the parameter is what the wildcard took.
 */
const paths = ({ endpoint, operation }: Entry): ReadonlyArray<FindMyWay.PathInput> => {
  const path = endpoint.path as FindMyWay.PathInput // every path of the contract begins with a slash
  if (operation.rest === false) return [path]
  const stem = path.slice(0, path.lastIndexOf("/")) as `/${string}` // as above
  return operation.rest === "optional" ? [stem, `${stem}/*`] : [`${stem}/*`]
}

/** Longest part of a path that is taken for a parameter; longer ones are looked at, and refused, by their handlers. */
const maxParamLength = 16 * 1024

export const make = (groups: ReadonlyArray<GroupHandlers>): Routes => {
  const router = FindMyWay.make<Route>({
    caseSensitive: true,
    ignoreTrailingSlash: false,
    ignoreDuplicateSlashes: false,
    maxParamLength
  })
  for (const entry of entries) {
    const handler = groups.find(({ group }) => group === entry.group)?.handlers[entry.name]
    if (handler === undefined) throw new Error(`The contract's ${entry.group}.${entry.name} has no handler`)
    const route: Route = {
      entry,
      handler,
      name: `${entry.group}.${entry.name}`,
      readInput: Input.reader(entry),
      onRepository: entry.endpoint.path.startsWith("/repos/:owner/:repo"),
      status: statusOf(entry)
    }
    for (const path of paths(entry)) router.on(entry.endpoint.method, path, route)
  }

  const find = (method: string, path: string): Found | undefined => {
    const found = router.find(method === "HEAD" ? "GET" : method, path)
    if (found === undefined) return undefined
    const route = found.handler
    if (route.entry.operation.rest === false) return { route, params: found.params }
    const { "*": rest = "", ...params } = found.params
    const last = route.entry.endpoint.path.slice(route.entry.endpoint.path.lastIndexOf(":") + 1)
    return { route, params: { ...params, [last]: rest } }
  }

  return { find, methods: (path) => methods.filter((method) => router.find(method, path) !== undefined) }
}
