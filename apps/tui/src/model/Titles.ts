/** The titles of screens and of places. */
import * as Route from "../content/Route.ts"
import * as Registry from "../screens/Registry.ts"
import type * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"

/** Returns the title of a route: the place and the item, for example `octo/hello` or `abc1234`. */
export const ofRoute = (route: Route.Route): string => {
  const screen = Registry.find(route.screen)
  return screen?.title(route.arguments) ?? route.screen
}

/** Returns the name of the place of a route: `octo/hello`, `octo`, an enterprise; empty for the home. */
export const placeName = (route: Route.Route): string => {
  const owner = Route.text(route, "owner")
  const repo = Route.text(route, "repo")
  if (owner !== undefined && repo !== undefined) return `${owner}/${repo}`
  return Route.text(route, "org") ?? Route.text(route, "username") ?? Route.text(route, "enterprise") ?? ""
}

/** A part of the header, and the screen that it opens. */
export interface Title {
  readonly text: string
  readonly route: Route.Route
}

/** Returns the titles of the open screens, and before each new place its name. */
export const of = (state: State.State): ReadonlyArray<Title> =>
  state.routes.flatMap((route, index) => {
    const place = placeName(route)
    const before = index === 0 ? "" : placeName(state.routes[index - 1] ?? route)
    const isAtPlace = Viewport.tabBar({ ...state, routes: [route] })?.tabs !== undefined && !isBelowPlace(route)
    const text = isAtPlace && index < state.routes.length - 1 ? "" : ofRoute(route)
    return [
      ...(place !== "" && place !== before ? [{ text: place, route }] : []),
      ...(text === "" || text === place ? [] : [{ text, route }])
    ]
  })

const isBelowPlace = (route: Route.Route): boolean => (Route.text(route, "path") ?? "") !== ""
