/**
 * The contract for the client with Effect, read from the declarations. The build of the published package replaces this
 * module by `PackedForgeContract.ts`, which reads the contract from data. `tongs` needs the declarations anyway.
 */
import { findEntry, groups } from "../../contract/CatalogEntry.ts"
import * as CatalogEndpoint from "../CatalogEndpoint.ts"
import type { LoadableContract } from "../EndpointDescription.ts"
import * as LoadedContract from "./LoadedContract.ts"

/** The contract, whose groups are created on first use. */
export const forgeContract: LoadableContract = {
  methods: {
    groups,
    entriesOf: (group) =>
      CatalogEndpoint.methods.entriesOf(group).map(([name, kind]) => [name, kind, `${group}.${name}`] as const) // a triple
  },
  describe: (id) => {
    const entry = findEntry(id)
    if (entry === undefined) throw new TypeError(`forge.${id} is not a function`)
    return CatalogEndpoint.describe(entry)
  },
  matchRoute: LoadedContract.contract.matchRoute,
  loadGroup: () => undefined,
  loadRoutes: LoadedContract.loadRoutes
}
