/** The titles of screens and of places. */
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as Route from "../content/Route.ts"
import * as FileView from "../screens/code/FileView.ts"
import * as Places from "../screens/Places.ts"
import * as Registry from "../screens/Registry.ts"
import type * as State from "./State.ts"

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

/**
 * Returns the place of the visible screen as parts, not the history of visits: the repository or account, the folders of
 * a path, the items that contain the item, and the screen.
 */
export const of = ({ routes }: State.State): ReadonlyArray<Title> => {
  const route = routes.at(-1) ?? routes[0]
  const place = placeName(route)
  const start = place === "" ? undefined : (Places.start(route) ?? route)
  const isContent = route.screen === "contents.get" || Places.showsContent(route)
  const parts = isContent ? folders(route) : [...containing(routes, route), titleOf(route)]
  return [
    ...(start === undefined ? [] : [{ text: place, route: start }]),
    ...parts.filter(({ text }) => text !== "" && text !== place)
  ]
}

const titleOf = (route: Route.Route): Title => ({ text: ofRoute(route), route })

/** Returns the folders of a path, from the root, and the file. */
const folders = (route: Route.Route): ReadonlyArray<Title> => {
  const { column: _column, find: _find, line: _line, ...values } = route.arguments
  const names = (Route.text(route, "path") ?? "").split("/").filter((name) => name !== "")
  const ref = Route.text(route, "ref")
  const root = ref === undefined || ref === FileView.COMMITTED ? "files" : `files at ${AbbreviatedId.of(ref)}`
  return ["", ...names].map((name, index) => {
    const path = names.slice(0, index).join("/")
    return {
      text: name || root,
      route: index === names.length ? route : Route.make("contents.get", { ...values, path })
    }
  })
}

/** Returns the open screens of items that contain the item of a route, such as the webhook of a delivery. */
const containing = (routes: State.State["routes"], route: Route.Route): ReadonlyArray<Title> =>
  routes.slice(0, -1).flatMap((open) => {
    const entries = Object.entries(open.arguments)
    const isPart = entries.every(([name, value]) => route.arguments[name] === value)
    const isItem = Places.tabLabel(open.screen) === undefined
    return isPart && isItem && entries.length > 0 && entries.length < Object.keys(route.arguments).length
      ? [titleOf(open)]
      : []
  })
