/** What the person points at: the selected row of a list, or the part of a text at the top of the screen. */
import type * as Content from "./Content.ts"
import * as ListWindow from "./ListWindow.ts"
import type { Place } from "./Place.ts"
import * as State from "./State.ts"
import * as View from "./View.ts"

/** Where Enter leads. */
export const place = (state: State.State, world: View.World): Place | undefined => {
  const content = View.content(world)
  switch (content?._tag) {
    case "List":
      return row(state, world, content)?.place
    case "Document":
      return part(state, world, content)?.place
    case "Notice":
    case undefined:
      return undefined
  }
}

/** What `y` copies. */
export const id = (state: State.State, world: View.World): string | undefined => {
  const content = View.content(world)
  return content?._tag === "List" ? row(state, world, content)?.id : content?.id
}

/** Its page on the web, where the forge names one. */
export const web = (state: State.State, world: View.World): URL | undefined => {
  const content = View.content(world)
  const url = URL.parse((content?._tag === "List" ? row(state, world, content) : content)?.web ?? "")
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : undefined
}

const row = (state: State.State, world: View.World, list: Content.List): Content.Row | undefined => {
  const rows = View.rowsOf(state, list)
  return rows[ListWindow.clamp(State.position(state), rows.length, View.bodyRows(state, world)).cursor]
}

const part = (state: State.State, world: View.World, document: Content.Document): Content.Part | undefined => {
  const layout = View.layoutOf(state, document)
  const { top } = View.scrolled(state, layout, View.bodyRows(state, world))
  return View.partAt(layout, top) ?? layout.parts[0]
}
