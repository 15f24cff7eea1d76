/** What the person points at: the selected row of a list, or the part of a text at the top of the screen. */
import type * as ScreenContent from "./ScreenContent.ts"
import * as ListWindow from "./ListWindow.ts"
import type { Route } from "./Route.ts"
import * as State from "./State.ts"
import * as View from "./View.ts"

/** Where Enter leads. */
export const route = (state: State.State, world: View.ExternalState): Route | undefined => {
  const content = View.contentOf(world)
  switch (content?._tag) {
    case "List":
      return row(state, world, content)?.route
    case "Document":
      return part(state, world, content)?.route
    case "Notice":
    case undefined:
      return undefined
  }
}

/** What `y` copies. */
export const copyText = (state: State.State, world: View.ExternalState): string | undefined => {
  const content = View.contentOf(world)
  return content?._tag === "List" ? row(state, world, content)?.id : content?.id
}

/** Its page on the web, where the forge names one. */
export const webUrl = (state: State.State, world: View.ExternalState): URL | undefined => {
  const content = View.contentOf(world)
  const url = URL.parse((content?._tag === "List" ? row(state, world, content) : content)?.webUrl ?? "")
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : undefined
}

const row = (
  state: State.State,
  world: View.ExternalState,
  list: ScreenContent.List
): ScreenContent.Row | undefined => {
  const rows = View.filteredRows(state, list)
  return rows[ListWindow.clamp(State.position(state), rows.length, View.bodyRows(state, world)).cursor]
}

const part = (
  state: State.State,
  world: View.ExternalState,
  document: ScreenContent.Document
): ScreenContent.Section | undefined => {
  const layout = View.layoutOf(state, document)
  const { top } = View.scrollPosition(state, layout, View.bodyRows(state, world))
  return View.sectionAt(layout, top) ?? layout.sections[0]
}
