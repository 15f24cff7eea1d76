/** The lines of a document, with the list of sections beside the text. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Document from "../content/Document.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"
import * as Body from "./Body.ts"
import * as FindInText from "./FindInText.ts"
import * as ListWindow from "./ListWindow.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

export const make = (state: State.State, external: ExternalState, document: Document.Document): Body.Body => {
  const height = Viewport.bodyRows(state)
  const layout = Viewport.layoutOf(state, document)
  const window = Viewport.windowOf(state, external)
  const { mainColumns, paneColumns, side } = Viewport.split(state, document)
  const { findText, left } = State.position(state)
  const name = state.isPaneFocused ? undefined : Viewport.selectedName(state, external)
  const marginColumns = Viewport.marginColumns(state, document, mainColumns)
  const lines: Array<Line> = []
  for (let index = window.top; index < layout.length && lines.length < height; index++) {
    const made = layout.lineAt(index, external.now)
    const isSelected = index === window.cursor && !state.isPaneFocused
    const line = isSelected && name !== undefined ? (made.names?.lineWith(name) ?? made.line) : made.line
    const text = StyledLine.dropColumns(findText === "" ? line : FindInText.highlight(line, findText), left)
    const margin = StyledLine.fit(made.margin?.(marginColumns) ?? StyledLine.empty, marginColumns)
    const gutter = [...(marginColumns === 0 ? [] : [...margin, rule]), ...(made.gutter ?? [])]
    if (state.isWrapped)
      lines.push(
        ...Body.documentRows({ ...made, gutter, line: text }, mainColumns, height - lines.length, isSelected, false)
      )
    else lines.push(Body.itemLine([...gutter, ...text], mainColumns, isSelected, false, made.background))
  }
  return {
    lines:
      side === undefined
        ? lines
        : Body.beside(height, sectionLines(state, layout, window.cursor, paneColumns), paneColumns, lines, mainColumns),
    position: documentPosition(state.columns, layout, window.cursor)
  }
}

const rule = StyledLine.span(" │", "muted")

/**
 * Returns the line and the section of the cursor. A long title is cut at the start, so that the number stays visible.
 */
const documentPosition = (columns: number, layout: Document.Layout, cursor: number): string => {
  const lines = `${NumberFormat.format(Math.min(layout.length, cursor + 1))}/${NumberFormat.quantity(layout.length, "line")}`
  const section = Document.sectionAt(layout, cursor)
  if (section === undefined) return lines
  const number = ` (${layout.sections.indexOf(section) + 1}/${layout.sections.length})`
  const title = [StyledLine.span(section.title)]
  // One space before the line, two before the title.
  const room = Math.max(0, columns - lines.length - number.length - 3)
  return `${lines}  ${StyledLine.text(StyledLine.fitFromEnd(title, Math.min(room, StyledLine.width(title))))}${number}`
}

/** Creates the list of a document's sections. The section of the cursor is selected. */
const sectionLines = (
  state: State.State,
  layout: Document.Layout,
  cursor: number,
  columns: number
): ReadonlyArray<Line> => {
  const section = Document.sectionAt(layout, cursor)
  const current = section === undefined ? -1 : layout.sections.indexOf(section)
  const height = Viewport.bodyRows(state)
  const { top } = ListWindow.clamp(
    { cursor: Math.max(0, current), top: Math.max(0, current - Math.floor(height / 2)) },
    layout.sections.length,
    height
  )
  return layout.sections
    .slice(top, top + height)
    .map(({ label, labelAt }, index) =>
      Body.itemLine(labelAt?.(Viewport.contentColumns(columns)) ?? label, columns, top + index === current, false)
    )
}
