/**
 * The contract for the published client with Effect: has the names of the methods from the start, and loads the
 * endpoints of a group with the first call to the group.
 */
import type { LoadableContract } from "../EndpointDescription.ts"
import * as LoadedContract from "./LoadedContract.ts"
import { value as names } from "./MethodNames.ts"

export const forgeContract: LoadableContract = {
  methods: {
    groups: Object.keys(names),
    entriesOf: (group) =>
      Object.entries(names[group] ?? {}).map(([name, kind]) => [name, kind, `${group}.${name}`] as const) // a triple
  },
  ...LoadedContract.contract,
  loadGroup: LoadedContract.loadGroup,
  loadRoutes: LoadedContract.loadRoutes
}
