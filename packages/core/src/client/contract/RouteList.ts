/** The routes of the contract as data: method and path, with a mark for `rest`, and the other path. */
import type { EndpointDescription } from "../EndpointDescription.ts"
import type * as RouteMatcher from "../RouteMatcher.ts"

/**
 * By method and path, for example `GET /repos/:owner/:repo`: `*` or `?` if the last parameter may contain slashes or be
 * missing, then the path in the dialect `github` if that differs.
 */
export type RouteList = Readonly<Record<string, string>>

export const pack = (routes: ReadonlyArray<RouteMatcher.Route>): RouteList =>
  Object.fromEntries(
    routes.map(({ githubPath = "", method, path, rest }) => [
      `${method} ${path}`,
      `${rest === undefined ? "" : rest === true ? "*" : "?"}${githubPath}`
    ])
  )

export const unpack = (list: RouteList): ReadonlyArray<RouteMatcher.Route> =>
  Object.entries(list).map(([route, mark]) => {
    const [method = "", path = ""] = route.split(" ")
    const githubPath = mark.replace(/^[*?]/, "")
    return {
      method: method as EndpointDescription["method"], // oxlint-disable-line typescript/no-unsafe-type-assertion -- a method of the contract
      path,
      ...(githubPath === "" ? {} : { githubPath }),
      ...(mark === githubPath ? {} : { rest: mark.startsWith("*") || "optional" })
    }
  })
