/** The contract as data: the names of the methods, and what the engine needs of their endpoints. */
import type { Contract, EndpointDescription, MethodKind, Methods } from "@tongs/core/client/EndpointDescription"
import * as RouteMatcher from "@tongs/core/client/RouteMatcher"
import { value as names } from "./MethodNames.ts"
import * as PackedContract from "./PackedContract.ts"

/** Identifies an endpoint: its group and name, for example `gitRefs.get`. */
export type Endpoint = string

const kinds: Readonly<Record<string, MethodKind>> = { "*": "list", "~": "stream" }

/** The methods of the client. */
export const methods: Methods<Endpoint> = {
  groups: Object.keys(names),
  entriesOf: (group) =>
    (names[group] ?? "").split(" ").map((method) => {
      const name = method.replace(/\W$/, "")
      return [name, kinds[method.slice(name.length)] ?? "call", `${group}.${name}`] as const // a triple
    })
}

const unpacked = async (): Promise<Contract<Endpoint>> => {
  const endpoints = PackedContract.unpack((await import("./ContractData.ts")).value)
  const byName = new Map(endpoints.map((endpoint) => [`${endpoint.group}.${endpoint.name}`, endpoint]))
  return {
    describe: (endpoint): EndpointDescription => {
      const known = byName.get(endpoint)
      if (known === undefined) throw new Error(`the contract has no endpoint ${endpoint}`)
      return known
    },
    matchRoute: RouteMatcher.make(() => endpoints)
  }
}

let loading: Promise<Contract<Endpoint>> | undefined

/** Loads the endpoints when they are first needed. They are a fifth of the package. */
export const load = (): Promise<Contract<Endpoint>> =>
  (loading ??= unpacked().catch((error: unknown) => {
    loading = undefined // the next call tries again
    throw error
  }))
