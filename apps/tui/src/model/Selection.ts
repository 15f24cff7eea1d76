/** The selected item: the row under the cursor, or the section at the top of a document. */
import * as ListWindow from "./ListWindow.ts"
import type { Route } from "./Route.ts"
import type * as ScreenContent from "./ScreenContent.ts"
import * as State from "./State.ts"
import * as View from "./View.ts"

/** The screen that Enter opens. */
export const route = (state: State.State, external: View.ExternalState): Route | undefined => {
  const content = View.contentOf(external)
  switch (content?._tag) {
    case "List":
      return row(state, external, content)?.route
    case "Document":
      return section(state, external, content)?.route
    case "Notice":
    case undefined:
      return undefined
  }
}

/** The text that `y` copies. */
export const copyText = (state: State.State, external: View.ExternalState): string | undefined => {
  const content = View.contentOf(external)
  return content?._tag === "List" ? row(state, external, content)?.id : content?.id
}

/** The web page that `o` opens. Ignores URLs that are not HTTP. */
export const webUrl = (state: State.State, external: View.ExternalState): URL | undefined => {
  const content = View.contentOf(external)
  const url = URL.parse((content?._tag === "List" ? row(state, external, content) : content)?.webUrl ?? "")
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : undefined
}

const row = (
  state: State.State,
  external: View.ExternalState,
  list: ScreenContent.List
): ScreenContent.Row | undefined => {
  const rows = View.filteredRows(state, list)
  return rows[ListWindow.clamp(State.position(state), rows.length, View.bodyRows(state, external)).cursor]
}

const section = (
  state: State.State,
  external: View.ExternalState,
  document: ScreenContent.Document
): ScreenContent.Section | undefined => {
  const layout = View.layoutOf(state, document)
  const { top } = View.scrollPosition(state, layout, View.bodyRows(state, external))
  return View.sectionAt(layout, top) ?? layout.sections[0]
}
