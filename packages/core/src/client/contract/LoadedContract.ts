/**
 * The contract as data, in parts: the first call of a group loads the endpoints of the group, and the first raw request
 * the routes. The group and the name identify an endpoint, for example `gitRefs.get`.
 */
import type { Contract, EndpointDescription } from "../EndpointDescription.ts"

const endpoints = new Map<string, EndpointDescription>()

let matchRoute = (route: string): string => route

/** The loaded part of the contract. Throws a `TypeError` for a method that the contract does not have. */
export const contract: Contract<string> = {
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
  loading.catch(() => undefined) // fails the calls that wait for the part
  return loading
}

/** Loads the endpoints of a group. Returns undefined for a loaded group. */
export const loadGroup = (group: string): Promise<void> | undefined =>
  loadPart(group, async () => {
    const { load } = await import("./GroupTable.ts")
    for (const endpoint of await load(group)) endpoints.set(`${group}.${endpoint.name}`, endpoint)
  })

/** Loads the routes, for raw requests. Returns undefined if the routes are loaded. */
export const loadRoutes = (): Promise<void> | undefined =>
  loadPart("", async () => {
    matchRoute = (await import("./RouteTable.ts")).matchRoute
  })
