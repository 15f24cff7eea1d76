/** The contract for the client: the names of the groups from the start, the rest from the first call. */
import type { MethodKind } from "@tongs/core/client/EndpointDescription"
import { value as names } from "./GroupNames.ts"
import { kindByName } from "./MethodKinds.ts"

export { contract, loadGroup, loadRoutes } from "@tongs/core/client/contract/LoadedContract"

/** Identifies an endpoint: group and name, for example `gitRefs.get`. */
export type Endpoint = string

/** The names of the groups, in the order of the contract. */
export const groups: ReadonlyArray<string> = names.groups.split(" ")

/** Returns the kind of a method's result: one value, a list or a stream. */
export const kindOf = (group: string, name: string): MethodKind =>
  names.kinds[`${group}.${name}`] ?? names.kinds[name] ?? kindByName(name)
