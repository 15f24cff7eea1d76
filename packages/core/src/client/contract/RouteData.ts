/**
 * The routes of the contract, which the first raw request loads. The build evaluates this module and puts the value
 * into the package (`rolldown.config.ts`).
 */
import * as CatalogEndpoint from "../CatalogEndpoint.ts"
import { allEntries } from "../../contract/CatalogEntry.ts"
import * as RouteList from "./RouteList.ts"

export const value: RouteList.RouteList = RouteList.pack(allEntries().map(CatalogEndpoint.routeOf))
