/** Finds routes of the contract. Only raw requests load this module. */
import * as RouteMatcher from "../RouteMatcher.ts"
import { value } from "./RouteData.ts"
import * as RouteList from "./RouteList.ts"

/** Returns the route of the contract for a raw route. Unchanged if the contract lacks it. */
export const matchRoute = RouteMatcher.make(() => RouteList.unpack(value))
