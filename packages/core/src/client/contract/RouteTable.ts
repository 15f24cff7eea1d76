/** Finds routes of the contract. Only raw requests load this module. */
import * as RouteMatcher from "../RouteMatcher.ts"
import { value } from "./RouteData.ts"
import * as RouteList from "./RouteList.ts"

/** Returns the route of the contract for a raw route. A route that the contract lacks stays unchanged. */
export const matchRoute = RouteMatcher.make(() => RouteList.unpack(value))
