/**
 * The contract for the client with Effect, read from the declarations. The build of the published package replaces this
 * module by `PackedForgeContract.ts`, which reads the contract from data. `tongs` needs the declarations anyway.
 */
import { entriesOfGroup, groups } from "../../contract/CatalogEntry.ts"
import * as CatalogEndpoint from "../CatalogEndpoint.ts"
import type { LoadableContract } from "../EndpointDescription.ts"

/** The contract, whose groups are created on first use. */
export const forgeContract: LoadableContract = {
  methods: {
    groups,
    entriesOf: (group) =>
      CatalogEndpoint.methods.entriesOf(group).map(([name, kind]) => [name, kind, `${group}.${name}`] as const) // a triple
  },
  describe: (id) => {
    const [name, method] = id.split(".")
    const group = groups.find((one) => one === name)
    const entry = group && entriesOfGroup(group).find((one) => one.name === method)
    if (entry === undefined) throw new TypeError(`forge.${id} is not a function`)
    return CatalogEndpoint.describe(entry)
  },
  matchRoute: CatalogEndpoint.matchRoute,
  loadGroup: () => undefined,
  loadRoutes: () => undefined
}
