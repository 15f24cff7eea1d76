/** The routes of the service: every endpoint of the contract with its handler. */
import * as FindMyWay from "effect/http/FindMyWay"
import { type CatalogEntry, entries, successSchema } from "@tongs/core/contract/Catalog"
import { type Dialect, pathOf, valueToService, vocabularies } from "@tongs/core/contract/Dialect"
import * as Renaming from "@tongs/core/contract/Renaming"
import type { AnyHandler, GroupHandlers } from "../api/Handlers.ts"
import * as RequestInput from "../api/RequestInput.ts"
import * as RequestTarget from "./RequestTarget.ts"

export interface Route {
  readonly entry: CatalogEntry
  /** Group and name of the endpoint, for example `gitRefs.get`. */
  readonly name: string
  /** Path as request statistics show it, for example `/repos/{owner}/{repo}`. */
  readonly template: string
  readonly handle: AnyHandler
  readonly readInput: ReturnType<typeof RequestInput.makeDecoder>
  /** Kind of resource that the path addresses. */
  readonly target: RequestTarget.TargetKind
  /** Renames members of the success value to those of the dialect. Undefined if the names are equal. */
  readonly rename: Renaming.Rename | undefined
}

export interface MatchedRoute {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
}

export interface Routes {
  /** Finds the route of a percent-encoded path. */
  readonly find: (method: string, path: string) => MatchedRoute | undefined
  /** Returns the HTTP methods that a path supports. */
  readonly methods: (path: string) => ReadonlyArray<string>
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/**
 * Returns the router paths of an endpoint. A last parameter that can contain slashes becomes a wildcard, because clients
 * send these slashes both raw and encoded.
 */
const paths = (dialect: Dialect, entry: CatalogEntry): ReadonlyArray<FindMyWay.PathInput> => {
  const { alsoAt, rest } = entry.operation
  return [pathOf(dialect, entry), ...(alsoAt === undefined ? [] : [alsoAt])].flatMap((path) => {
    const last = path.lastIndexOf("/")
    if (rest === false || path[last + 1] !== ":") return [absolute(path)]
    const stem = absolute(path.slice(0, last))
    return rest === "optional" ? [stem, `${stem}/*` as const] : [`${stem}/*` as const]
  })
}

/** Converts path parameters to the `service` dialect. Returns `undefined` if the request's dialect lacks a value. */
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

/** Adds a leading slash if missing, as the type of the router's paths requires. */
const absolute = (path: string): `/${string}` => `/${path.replace(/^\//, "")}`

/** Maximum length of a path parameter in characters. It only bounds the router: handlers validate the values. */
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
      readInput: RequestInput.makeDecoder(entry),
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
