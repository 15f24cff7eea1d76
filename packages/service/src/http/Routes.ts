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
  /** As `gitRefs.get`. */
  readonly name: string
  /** The path as the reports name it: `/repos/{owner}/{repo}`. */
  readonly template: string
  readonly handle: AnyHandler
  readonly readInput: ReturnType<typeof RequestInput.reader>
  /** What it is about. */
  readonly target: RequestTarget.TargetKind
  /** From the documents' names of members to the dialect's, if its success has such members. */
  readonly rename: Renaming.Rename | undefined
}

export interface MatchedRoute {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
}

export interface Routes {
  /** The route of a path, percent-encoded as it came. */
  readonly find: (method: string, path: string) => MatchedRoute | undefined
  /** The methods that a path has. */
  readonly methods: (path: string) => ReadonlyArray<string>
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/**
 * The last parameter of some paths holds slashes. Clients send them raw as well as encoded, so such a path is a
 * wildcard here, and the parameter is what the wildcard took.
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

/** Parameters in the documents' vocabulary; undefined if one of them has a value that only the other dialect has. */
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

/** Every path of the contract begins with a slash; this tells the types so. */
const absolute = (path: string): `/${string}` => `/${path.replace(/^\//, "")}`

/** Longest part of a path that is taken for a parameter; longer ones are looked at, and refused, by their handlers. */
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
