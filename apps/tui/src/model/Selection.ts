/** The selected item: the row under the cursor, or the section at the top of a document. */
import * as ListWindow from "./ListWindow.ts"
import type { Route } from "./Route.ts"
import type { Document, List, Row, Section } from "./ScreenContent.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

/** Returns the screen that Enter opens. */
export const route = (state: State.State, external: ExternalState): Route | undefined => {
  const content = Viewport.contentOf(external)
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

/** Returns the text that `y` copies. */
export const copyText = (state: State.State, external: ExternalState): string | undefined => {
  const content = Viewport.contentOf(external)
  return content?._tag === "List" ? row(state, external, content)?.id : content?.id
}

/** Returns the web page that `o` opens. Ignores URLs that are not HTTP or HTTPS. */
export const webUrl = (state: State.State, external: ExternalState): URL | undefined => {
  const content = Viewport.contentOf(external)
  const url = URL.parse((content?._tag === "List" ? row(state, external, content) : content)?.webUrl ?? "")
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : undefined
}

const row = (state: State.State, external: ExternalState, list: List): Row | undefined => {
  const rows = Viewport.filteredRows(state, list)
  return rows[ListWindow.clamp(State.position(state), rows.length, Viewport.bodyRows(state, external)).cursor]
}

const section = (state: State.State, external: ExternalState, document: Document): Section | undefined => {
  const layout = Viewport.layoutOf(state, document)
  const { top } = Viewport.scrollPosition(state, layout, Viewport.bodyRows(state, external))
  return Viewport.sectionAt(layout, top) ?? layout.sections[0]
}
