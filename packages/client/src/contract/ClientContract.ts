/**
 * The contract as data. The client has the names of the groups from the start; the first call of a group loads its
 * endpoints, and the first raw request the routes.
 */
import type { Contract, EndpointDescription, MethodKind } from "@tongs/core/client/EndpointDescription"
import * as RouteMatcher from "@tongs/core/client/RouteMatcher"
import { value as names } from "./GroupNames.ts"
import { kindByName } from "./MethodKinds.ts"
import * as PackedContract from "./PackedContract.ts"
import * as RouteList from "./RouteList.ts"

/** Identifies an endpoint: its group and name, for example `gitRefs.get`. */
export type Endpoint = string

/** The names of the groups, in the order of the contract. */
export const groups: ReadonlyArray<string> = names.groups.split(" ")

/** Returns how a method gives its result. */
export const kindOf = (group: string, name: string): MethodKind => names.kinds[`${group}.${name}`] ?? kindByName(name)

const endpoints = new Map<Endpoint, EndpointDescription>()

let matchRoute = (route: string): string => route

/** The loaded part of the contract. Throws a `TypeError` for a method that the contract does not have. */
export const contract: Contract<Endpoint> = {
  describe: (endpoint) => {
    const known = endpoints.get(endpoint)
    if (known === undefined) throw new TypeError(`forge.${endpoint} is not a function`)
    return known
  },
  matchRoute: (route) => matchRoute(route)
}

/** Parts that are loaded or loading. The value of a loaded part is undefined. */
const parts = new Map<string, Promise<void> | undefined>()

const loadPart = (name: string, load: () => Promise<void>): Promise<void> | undefined => {
  if (parts.has(name)) return parts.get(name)
  const loading = load().then(
    () => void parts.set(name, undefined),
    (error: unknown) => {
      parts.delete(name) // the next call tries again
      throw error
    }
  )
  parts.set(name, loading)
  return loading
}

/** Loads the endpoints of a group. Returns undefined if it is loaded. */
export const loadGroup = (group: string): Promise<void> | undefined =>
  loadPart(group, async () => {
    const load = (await import("./GroupLoaders.ts")).value[group]
    if (load === undefined) return
    for (const endpoint of PackedContract.unpack((await load()).value))
      endpoints.set(`${group}.${endpoint.name}`, endpoint)
  })

/** Loads the routes, for raw requests. Returns undefined if they are loaded. */
export const loadRoutes = (): Promise<void> | undefined =>
  loadPart("", async () => {
    const { value } = await import("./RouteData.ts")
    matchRoute = RouteMatcher.make(() => RouteList.unpack(value))
  })
