/** The routes of the contract as data: method and path, with the member `rest` as a mark. */
import type { EndpointDescription } from "../EndpointDescription.ts"
import type * as RouteMatcher from "../RouteMatcher.ts"

/** The mark of a route by its method and path, for example `GET /repos/:owner/:repo`. */
export type RouteList = Readonly<Record<string, "" | "*" | "?">>

export const pack = (routes: ReadonlyArray<RouteMatcher.Route>): RouteList =>
  Object.fromEntries(
    routes.map(({ method, path, rest }) => [`${method} ${path}`, rest === undefined ? "" : rest === true ? "*" : "?"])
  )

export const unpack = (list: RouteList): ReadonlyArray<RouteMatcher.Route> =>
  Object.entries(list).map(([route, mark]) => {
    const [method = "", path = ""] = route.split(" ")
    return {
      method: method as EndpointDescription["method"], // oxlint-disable-line typescript/no-unsafe-type-assertion -- a method of the contract
      path,
      ...(mark === "" ? {} : { rest: mark === "*" || "optional" })
    }
  })
