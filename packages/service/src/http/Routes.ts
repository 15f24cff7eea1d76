/** The routes of the service: every endpoint of the contract with its handler. */
import * as FindMyWay from "effect/http/FindMyWay"
import { type Entry, entries, successSchema } from "@tongs/core/contract/Catalog"
import { type Dialect, pathOf, valueToService, vocabularies } from "@tongs/core/contract/Dialect"
import * as Renaming from "@tongs/core/contract/Renaming"
import type { AnyHandler, GroupHandlers } from "../api/Handlers.ts"
import * as RequestInput from "../api/RequestInput.ts"
import * as RequestTarget from "./RequestTarget.ts"

export interface Route {
  readonly entry: Entry
  /** For example `gitRefs.get`. */
  readonly name: string
  /** The path in insights: `/repos/{owner}/{repo}`. */
  readonly template: string
  readonly handle: AnyHandler
  readonly readInput: ReturnType<typeof RequestInput.reader>
  /** The kind of target that the path addresses. */
  readonly target: RequestTarget.TargetKind
  /** Renames members of the success to the dialect, if any differ. */
  readonly rename: Renaming.Rename | undefined
}

export interface MatchedRoute {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
}

export interface Routes {
  /** Finds the route of a percent-encoded path. */
  readonly find: (method: string, path: string) => MatchedRoute | undefined
  /** The methods of a path. */
  readonly methods: (path: string) => ReadonlyArray<string>
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/**
 * The router paths of an endpoint. If the last parameter can contain slashes, the path is a wildcard, because clients
 * send slashes raw or encoded.
 */
const paths = (dialect: Dialect, entry: Entry): ReadonlyArray<FindMyWay.PathInput> => {
  const { alsoAt, rest } = entry.operation
  return [pathOf(dialect, entry), ...(alsoAt === undefined ? [] : [alsoAt])].flatMap((path) => {
    const last = path.lastIndexOf("/")
    if (rest === false || path[last + 1] !== ":") return [absolute(path)]
    const stem = absolute(path.slice(0, last))
    return rest === "optional" ? [stem, `${stem}/*` as const] : [`${stem}/*` as const]
  })
}

/** Parameters in the `service` dialect; undefined if a value exists only in the other dialect. */
const toService = (dialect: Dialect, params: MatchedRoute["params"]): MatchedRoute["params"] | undefined => {
  let changed = params
  for (const name of Object.keys(vocabularies[dialect].values)) {
    const value = params[name]
    if (value === undefined) continue
    const service = valueToService(dialect, name, value)
    if (service === undefined) return undefined
    changed = { ...changed, [name]: service }
  }
  return changed
}

/** Types a path with its leading slash. */
const absolute = (path: string): `/${string}` => `/${path.replace(/^\//, "")}`

/** Maximum length of a path parameter in the router; handlers validate the values. */
const maxParamLength = 16 * 1024

export const make = (groups: ReadonlyArray<GroupHandlers>, dialect: Dialect): Routes => {
  const router = FindMyWay.make<Route>({
    caseSensitive: true,
    ignoreTrailingSlash: false,
    ignoreDuplicateSlashes: false,
    maxParamLength
  })
  for (const entry of entries) {
    const handle = groups.find(({ group }) => group === entry.group)?.handlers[entry.name]
    if (handle === undefined) throw new Error(`The contract's ${entry.group}.${entry.name} has no handler`)
    const route: Route = {
      entry,
      handle,
      name: `${entry.group}.${entry.name}`,
      template: entry.endpoint.path.replaceAll(/:(\w+)/g, "{$1}"),
      readInput: RequestInput.reader(entry),
      target: RequestTarget.kindOf(entry.endpoint.path),
      rename: Renaming.fromService(dialect, successSchema(entry.endpoint))
    }
    for (const path of paths(dialect, entry)) router.on(entry.endpoint.method, path, route)
  }

  const find = (method: string, path: string): MatchedRoute | undefined => {
    const found = router.find(method === "HEAD" ? "GET" : method, path)
    if (found === undefined) return undefined
    const route = found.handler
    if (route.entry.operation.rest === false) {
      const params = toService(dialect, found.params)
      return params === undefined ? undefined : { route, params }
    }
    const { "*": rest = "", ...params } = found.params
    const last = route.entry.endpoint.path.slice(route.entry.endpoint.path.lastIndexOf(":") + 1)
    return { route, params: { ...params, [last]: rest } }
  }

  return { find, methods: (path) => methods.filter((method) => find(method, path) !== undefined) }
}
