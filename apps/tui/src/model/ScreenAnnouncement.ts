/** Describes the screen for screen readers: the title, the selected row or line, and failures. */
import * as Document from "../content/Document.ts"
import * as Route from "../content/Route.ts"
import type { Table } from "../content/Table.ts"
import * as StyledLine from "../text/StyledLine.ts"
import * as Announcement from "./Announcement.ts"
import * as FailureMessage from "./FailureMessage.ts"
import * as State from "./State.ts"
import * as StatusLine from "./StatusLine.ts"
import * as Titles from "./Titles.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"
import * as WindowAnnouncement from "./WindowAnnouncement.ts"

/** Describes the screen. `position` is the position in the content. */
export const make = (state: State.State, external: ExternalState, position: string): Announcement.Announcement => {
  const route = State.route(state)
  const { overlay } = state
  const { load } = external
  const isBehind = overlay !== undefined
  const screen = {
    place: Route.id(route),
    title: titleOf(state),
    introduction: load.view === undefined ? [] : [load.view],
    section: isBehind ? noSection : sectionOf(state, external),
    focus: isBehind ? undefined : focusOf(state, external),
    position: isBehind ? "" : positionOf(external, position),
    message: state.message,
    problem: problemOf(external),
    loading: load.content === undefined && load.failure === undefined ? loadingOf(state, external) : "",
    input:
      state.prompt === undefined
        ? undefined
        : Announcement.inputOf(StatusLine.promptNames[state.prompt.purpose], state.prompt.input),
    reading: isBehind ? undefined : readingOf(state, external)
  }
  return overlay === undefined ? screen : { ...screen, ...WindowAnnouncement.make(state, external, overlay) }
}

const titleOf = (state: State.State): string => {
  const path = Titles.of(state).map(({ text }) => text)
  const bar = Viewport.tabBar(state)
  const tab = bar?.tabs[bar.current]
  if (bar === undefined || tab === undefined) return path.join(", ")
  const inTab = tab.screens.length > 1 ? `, screen ${bar.screen + 1} of ${tab.screens.length}` : ""
  return `${path.join(", ")}. Tab ${bar.current + 1} of ${bar.tabs.length}: ${tab.label}${inTab}`
}

const problemOf = ({ load: { content, failure } }: ExternalState): string => {
  if (failure === undefined) return ""
  const { hint, title } = FailureMessage.of(failure)
  const isFinal = content === undefined || failure._tag === "BadCredentials"
  return isFinal ? `${title}. ${hint}` : `${title}. Trying again until it works`
}

const loadingOf = (state: State.State, { limits }: ExternalState): string => {
  const waiting = limits.waitReason === undefined ? "" : `, waiting: ${limits.waitReason}`
  return `Loading ${Titles.ofRoute(State.route(state))}${waiting}`
}

const focusOf = (state: State.State, external: ExternalState): Announcement.Focus | undefined => {
  const content = Viewport.contentOf(external)
  switch (content?._tag) {
    case undefined:
      return undefined
    case "Notice":
      return Announcement.sentence(`${content.title}. ${content.hint}`)
    case "Table": {
      if (content.rows.count === 0)
        return Announcement.sentence(`${content.emptyMessage.title}. ${content.emptyMessage.hint}`)
      const row = Viewport.selectedRow(state, external)
      const { filter, marked } = State.position(state)
      const { cursor } = Viewport.windowOf(state, external)
      const rows = Viewport.visibleRows(state, external, content)
      if (rows.count === 0) return Announcement.sentence(`No matches for ${filter}. Escape clears the filter`)
      if (row === undefined) return Announcement.sentence("Not loaded")
      const mark = marked.has(row.id) ? "marked, " : ""
      const text = (now: number) => `${mark}${rowText(content, cursor, rows, now)}`
      // At a constant time, so that only the text of an age differs.
      const count = filter === "" ? "" : ` ${rows.count}`
      return { item: row.id, texts: [{ text: text(external.now), key: `${text(0)}${count}` }] }
    }
    case "Document": {
      const layout = Viewport.layoutOf(state, content)
      const { cursor } = Viewport.windowOf(state, external)
      if (layout.length === 0) return Announcement.sentence("Empty")
      const text = (now: number) => lineText(layout, cursor, now)
      const line = { text: text(external.now), key: text(0) }
      const name = State.position(state).column === undefined ? undefined : Viewport.selectedName(state, external)
      const named = name === undefined ? [] : [{ text: `name ${name.text}`, key: `name ${name.start}` }]
      return { item: String(cursor), texts: [line, ...named] }
    }
  }
}

const rowText = (table: Table, index: number, { at }: Viewport.VisibleRows, now: number): string => {
  const cells = (at(index)?.cells(now) ?? []).map((line) => StyledLine.text(line).trim())
  const named = cells.map((text, column) => {
    const header = table.hasHeader === true && column > 0 ? (table.columns[column]?.header ?? "") : ""
    return text === "" || header === "" ? text : `${header} ${text}`
  })
  return named.filter((text) => text !== "").join(", ")
}

const lineText = (layout: Document.Layout, index: number, now: number): string => {
  const text = StyledLine.text(layout.lineAt(index, now).line).replaceAll(rule, "").trimEnd()
  if (drawing.test(text)) return "blank"
  // Every line of a file or a diff is a link. One word at the first link is enough.
  const isFirstLink = isLink(layout, index, now) && (index === 0 || !isLink(layout, index - 1, now))
  return isFirstLink ? `${text}, link` : text
}

const isLink = (layout: Document.Layout, index: number, now: number): boolean => {
  const { route, url } = layout.lineAt(index, now)
  return route !== undefined || url !== undefined
}

/** The lines around titles. */
const rule = /─{2,} ?/g

/** Lines of box drawing, blocks and braille, and empty lines. */
const drawing = /^[\s\u2500-\u259f\u2800-\u28ff]*$/

/** Leaves out the section, which is announced once, before the line. */
const positionOf = (external: ExternalState, position: string): string =>
  Viewport.contentOf(external)?._tag === "Document" ? position.replace(/ {2}.*/, "") : position

const noSection: Announcement.Text = { text: "", key: "" }

const sectionOf = (state: State.State, external: ExternalState): Announcement.Text => {
  const content = Viewport.contentOf(external)
  if (content?._tag !== "Document") return noSection
  const layout = Viewport.layoutOf(state, content)
  const section = Document.sectionAt(layout, Viewport.windowOf(state, external).cursor)
  if (section === undefined) return noSection
  const index = layout.sections.indexOf(section) + 1
  // The number of sections grows while the document loads.
  return {
    text: `${section.title}, section ${index} of ${layout.sections.length}`,
    key: `${index} ${section.title}`
  }
}

const readingOf = (state: State.State, external: ExternalState): Announcement.Reading | undefined => {
  const content = Viewport.contentOf(external)
  const { cursor } = Viewport.windowOf(state, external)
  if (content?._tag === "Table") {
    const rows = Viewport.visibleRows(state, external, content)
    return { cursor, at: (index) => rowText(content, index, rows, external.now) }
  }
  if (content?._tag !== "Document") return undefined
  const layout = Viewport.layoutOf(state, content)
  return { cursor, at: (index) => lineText(layout, index, external.now) }
}
