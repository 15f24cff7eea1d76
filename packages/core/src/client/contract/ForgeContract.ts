/**
 * The contract as the client with Effect reads it: from its declarations. The published package has the same from data
 * (`PackedForgeContract.ts`), which its build puts in place of this module. `tongs` needs the declarations anyway.
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
