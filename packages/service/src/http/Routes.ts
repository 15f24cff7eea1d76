/** The routes of the service: every endpoint of the contract with the handler. */
import type * as Schema from "effect/Schema"
import * as FindMyWay from "effect/http/FindMyWay"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  type CatalogEntry,
  entriesOfGroup,
  groups as groupNames,
  isStream,
  successSchema
} from "@tongs/core/contract/CatalogEntry"
import { type Dialect, pathOf, valueToService, vocabularies } from "@tongs/core/contract/Dialect"
import * as OperationIndex from "@tongs/core/contract/OperationIndex"
import * as Renaming from "@tongs/core/contract/Renaming"
import * as SchemaShape from "@tongs/core/contract/SchemaShape"
import type { AnyHandler, GroupHandlers } from "../api/Handlers.ts"
import * as RequestInput from "../api/RequestInput.ts"
import * as RequestTarget from "../api/RequestTarget.ts"
import type { UnimplementedOperations } from "./UnimplementedOperations.ts"

export interface Route {
  readonly entry: CatalogEntry
  /** Group and name of the endpoint, for example `gitRefs.get`. */
  readonly name: string
  /** Path in request statistics, for example `/repos/{owner}/{repo}`. */
  readonly template: string
  readonly handle: AnyHandler
  readonly readInput: ReturnType<typeof RequestInput.makeDecoder>
  /** Kind of resource that the path addresses. */
  readonly target: RequestTarget.TargetKind
  /** True if the response is a stream of events. */
  readonly hasEvents: boolean
  /** Renames members of the success value to the names of the dialect. Undefined if the names are equal. */
  readonly rename: Renaming.Rename | undefined
  /** The last parameter of the path, if slashes are allowed. */
  readonly rest: LastParameter | undefined
}

interface LastParameter {
  readonly name: string
  /** The words after the parameter, for example `/rename`. */
  readonly words: string
}

export interface MatchedRoute {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
}

export interface Routes {
  /** Finds the route of a percent-encoded path. Undefined for the path of an unimplemented operation. */
  readonly find: (method: string, path: string) => MatchedRoute | undefined
  /** Returns the HTTP methods that a path supports. */
  readonly methods: (path: string) => ReadonlyArray<string>
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** A path of the router, and the words after a wildcard, for example `/rename`. */
interface RouterPath {
  readonly path: FindMyWay.PathInput
  readonly words: string
}

/** The routes of a router path, of which the first one is used whose words end the requested path. */
type Candidates = ReadonlyArray<{ readonly words: string; readonly route: () => Route }>

/**
 * Returns the router paths of an endpoint. A last parameter that can contain slashes becomes a wildcard, because clients
 * send these slashes both raw and encoded. The wildcard includes the words after the parameter.
 */
const paths = (dialect: Dialect, operation: OperationIndex.IndexedOperation): ReadonlyArray<RouterPath> => {
  const { alsoAt, rest } = operation
  return [pathOf(dialect, { endpoint: operation }), ...(alsoAt === undefined ? [] : [alsoAt])].flatMap((path) => {
    const last = path.lastIndexOf(`/:${lastParameter(operation.path).name}`)
    if (rest === undefined || last === -1) return [{ path: absolute(path), words: "" }]
    const stem = absolute(path.slice(0, last))
    const wildcard = { path: `${stem}/*`, words: lastParameter(path).words } as const // a path
    return rest === "optional" ? [{ path: stem, words: "" }, wildcard] : [wildcard]
  })
}

/** Returns the path without the query and what else follows it, as the router does. */
const withoutQuery = (path: string) => path.replace(/[?;#].*/s, "")

const lastParameter = (path: string): LastParameter => {
  const [, name = "", words = ""] = /\/:(\w+)([^:]*)$/.exec(path) ?? []
  return { name, words }
}

/** Names of the path parameters whose values differ between dialects. */
const translated = {
  service: Object.keys(vocabularies.service.values),
  github: Object.keys(vocabularies.github.values)
}

/** Converts path parameters to the `service` dialect. Returns `undefined` if the request's dialect lacks a value. */
const toService = (dialect: Dialect, params: MatchedRoute["params"]): MatchedRoute["params"] | undefined => {
  let changed = params
  for (const name of translated[dialect]) {
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

/** Maximum length of a path parameter in characters. The limit only bounds the router: handlers validate the values. */
const MAX_PARAM_LENGTH = 16 * 1024

const entryOf = (group: (typeof groupNames)[number], name: string): CatalogEntry => {
  const entry = entriesOfGroup(group).find((one) => one.name === name)
  if (entry === undefined) throw new Error(`The contract has no ${group}.${name}`)
  return entry
}

/** Returns the schema of the success with a body, which another media type has if the first success is empty. */
const bodySchema = ({ endpoint }: CatalogEntry): Schema.Top => {
  const first = successSchema(endpoint)
  if (!HttpApiSchema.isNoContent(first.ast)) return first
  return [...endpoint.success].find(({ ast }) => !HttpApiSchema.isNoContent(ast)) ?? first
}

const makeRoute = (dialect: Dialect, entry: CatalogEntry, handle: AnyHandler): Route => {
  const { endpoint, group, name, operation } = entry
  if (operation.public && RequestTarget.needsSignIn(endpoint.method, endpoint.path)) {
    throw new Error(`The contract's ${group}.${name} is public, but its handler needs a signed-in caller`)
  }
  return {
    entry,
    handle,
    name: `${group}.${name}`,
    template: endpoint.path.replaceAll(/:(\w+)/g, "{$1}"),
    readInput: RequestInput.makeDecoder(entry),
    target: RequestTarget.kindOf(endpoint.path),
    hasEvents: isStream(endpoint),
    rename: Renaming.fromService(dialect, SchemaShape.of(bodySchema(entry))),
    rest: operation.rest === false ? undefined : lastParameter(endpoint.path)
  }
}

/** An operation of the contract, and its route, which the first request creates. */
interface RoutedOperation {
  readonly operation: OperationIndex.IndexedOperation
  readonly route: () => Route
}

/** Returns every operation of the contract. Throws for an operation without a handler. */
const routedOperations = (dialect: Dialect, groups: ReadonlyArray<GroupHandlers>): ReadonlyArray<RoutedOperation> => {
  const handlersOf = new Map(groups.map(({ group, handlers }) => [group, handlers]))
  return groupNames.flatMap((group) =>
    (OperationIndex.value[group] ?? []).map((operation) => {
      const { name } = operation
      const handle = handlersOf.get(group)?.[name]
      if (handle === undefined) throw new Error(`The contract's ${group}.${name} has no handler`)
      let made: Route | undefined
      return { operation, route: () => (made ??= makeRoute(dialect, entryOf(group, name), handle)) }
    })
  )
}

/** Returns the number of segments of a path. Like the router, ignores the host and all that follows `?`, `;` or `#`. */
const depthOf = (path: string): number => path.replace(/^https?:\/\/[^/]*|[?;#].*/gs, "").split("/").length - 1

/** Returns whether an operation may match paths of this depth. The router decides. */
const canMatch = ({ alsoAt, path, rest }: OperationIndex.IndexedOperation, depth: number): boolean =>
  [path, ...(alsoAt === undefined ? [] : [alsoAt])].some((one) =>
    rest === undefined ? depthOf(one) === depth : depthOf(one.slice(0, one.lastIndexOf("/:"))) <= depth
  )

/**
 * Creates the routes. The first request of a method and depth creates the router of these paths, because a router of
 * all operations would take most of the start. The first request to an endpoint creates the endpoint.
 */
export const make = (
  groups: ReadonlyArray<GroupHandlers>,
  dialect: Dialect,
  unimplemented: UnimplementedOperations
): Routes => {
  const operations = routedOperations(dialect, groups)
  // Deeper paths match only operations whose last parameter may contain slashes.
  const maxDepth = 1 + Math.max(...operations.map(({ operation }) => depthOf(operation.path)))
  const routers = new Map<string, FindMyWay.Router<Candidates>>()
  const routerOf = (method: (typeof methods)[number], path: string): FindMyWay.Router<Candidates> => {
    const depth = Math.min(depthOf(path), maxDepth)
    const key = `${method} ${depth}`
    const known = routers.get(key)
    if (known !== undefined) return known
    const router = FindMyWay.make<Candidates>({
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      maxParamLength: MAX_PARAM_LENGTH
    })
    const matching = operations.filter(({ operation }) => operation.method === method && canMatch(operation, depth))
    const found = matching.flatMap(({ operation, route }) =>
      paths(dialect, operation).map(({ path, words }) => ({ path, words, route }))
    )
    for (const [routerPath, routes] of Map.groupBy(found, ({ path }) => path)) {
      const [one] = routes
      if (routes.length > 1 && (one === undefined || !one.path.endsWith("*")))
        throw new Error(`The contract has ${method} ${routerPath} twice`)
      router.on(
        method,
        routerPath,
        routes.toSorted((a, b) => b.words.length - a.words.length)
      )
    }
    routers.set(key, router)
    return router
  }

  const precedences = new Map<Route, ((path: string) => boolean) | undefined>()
  const isUnimplemented = (route: Route, path: string): boolean => {
    if (!precedences.has(route)) precedences.set(route, unimplemented.precedence(route.entry))
    return precedences.get(route)?.(path) === true
  }

  const find = (method: string, path: string): MatchedRoute | undefined => {
    const routed = methods.find((one) => one === (method === "HEAD" ? "GET" : method))
    const found = routed && routerOf(routed, path).find(routed, path)
    if (found === undefined) return undefined
    const requested = withoutQuery(path)
    const candidate = found.handler.find(({ words }) => requested.endsWith(words))
    if (candidate === undefined) return undefined
    const route = candidate.route()
    if (isUnimplemented(route, path)) return undefined
    if (route.rest === undefined) {
      const params = toService(dialect, found.params)
      return params === undefined ? undefined : { route, params }
    }
    const { name } = route.rest
    const { words } = candidate
    const rest = found.params["*"] ?? ""
    const params: Record<string, string | undefined> = {}
    for (const other of Object.keys(found.params)) if (other !== "*") params[other] = found.params[other]
    params[name] = rest.slice(0, rest.length - words.length)
    return { route, params }
  }

  return { find, methods: (path) => methods.filter((method) => find(method, path) !== undefined) }
}
