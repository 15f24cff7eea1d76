/**
 * The endpoints of the contract. The build evaluates this module and puts its value into the package
 * (`rolldown.config.ts`).
 */
import * as CatalogEndpoint from "@tongs/core/client/CatalogEndpoint"
import { allEntries } from "@tongs/core/contract/CatalogEntry"
import * as PackedContract from "./PackedContract.ts"

export const value: PackedContract.PackedContract = PackedContract.pack(allEntries().map(CatalogEndpoint.describe))
