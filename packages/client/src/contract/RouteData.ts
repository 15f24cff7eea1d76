/**
 * The routes of the contract, which the first raw request loads. The build evaluates this module and puts its value into
 * the package (`rolldown.config.ts`).
 */
import * as CatalogEndpoint from "@tongs/core/client/CatalogEndpoint"
import { allEntries } from "@tongs/core/contract/CatalogEntry"
import * as RouteList from "./RouteList.ts"

export const value: RouteList.RouteList = RouteList.pack(allEntries().map(CatalogEndpoint.describe))
