/**
 * The endpoints of the contract by group. The build evaluates this module, and makes each group a separate module
 * (`rolldown.config.ts`).
 */
import * as CatalogEndpoint from "../CatalogEndpoint.ts"
import { entriesOfGroup, groups } from "../../contract/CatalogEntry.ts"
import * as PackedContract from "./PackedContract.ts"

export const value: Readonly<Record<string, PackedContract.PackedContract>> = Object.fromEntries(
  groups.map((group) => [group, PackedContract.pack(entriesOfGroup(group).map(CatalogEndpoint.describe))])
)
