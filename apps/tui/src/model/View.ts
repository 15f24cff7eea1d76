/** Computes the screen from the state and the content: its lines, and the values of a window. `views` draws both. */
import type * as Cause from "effect/Cause"
import * as Registry from "../screens/Registry.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"
import type { Announcement } from "./Announcement.ts"
import * as Body from "./Body.ts"
import * as DocumentBody from "./DocumentBody.ts"
import * as FailureMessage from "./FailureMessage.ts"
import * as Header from "./Header.ts"
import * as KeyHints from "./KeyHints.ts"
import * as ScreenAnnouncement from "./ScreenAnnouncement.ts"
import * as State from "./State.ts"
import * as StatusLine from "./StatusLine.ts"
import * as TableBody from "./TableBody.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"
import * as WindowContent from "./WindowContent.ts"

/** The parts of the screen that react to the mouse. Rows and columns count from 0. */
export interface MouseAreas {
  readonly clicks: ReadonlyArray<Header.ClickArea & { readonly row: number }>
  /** The first row of the items. */
  readonly itemsTop: number
  readonly itemRows: number
  readonly mainFrom: number
  readonly mainTo: number
}

/** A window over the content. */
export interface Window {
  readonly content: WindowContent.WindowContent
  /** The rows of the screen that the window may cover. */
  readonly top: number
  readonly rows: number
}

/** The content of the complete screen. */
export interface View {
  readonly columns: number
  readonly rows: number
  /** Exactly `rows` lines of exactly `columns` columns, without the window. */
  readonly lines: ReadonlyArray<Line>
  readonly window: Window | undefined
  /** True while nothing but a message about loading is visible. */
  readonly isLoading: boolean
  /** The cause if loading died. This is a bug, which ends the program. */
  readonly defect: Cause.Cause<unknown> | undefined
  readonly mouse: MouseAreas
  /** Describes the screen for screen readers. */
  readonly announcement: () => Announcement
}

/** Minimum size of the terminal. */
const minSize = { columns: 40, rows: 10 }

/** Computes the screen. */
export const make = (state: State.State, external: ExternalState): View => {
  const { columns, rows } = state
  const isTooSmall = columns < minSize.columns || rows < minSize.rows
  const body = isTooSmall ? tooSmall(state) : bodyOf(state, external)
  const header = Header.line(state, external)
  const tabs = Header.tabs(state)
  const rule = Header.rule(state)
  const head = [header, ...(tabs === undefined ? [] : [tabs]), rule]
  const height = Viewport.bodyRows(state)
  const suggestions = StatusLine.suggestions(state)
  const shown = suggestions === undefined ? body.lines : [...fill(body.lines, columns, height - 1), suggestions]
  const filled = fill(shown, columns, height)
  const { overlay } = state
  const lines = [
    ...head.map(({ line }) => StyledLine.fit(line, columns)),
    ...filled,
    StatusLine.make(state, external, body.position),
    KeyHints.line(state, external)
  ]
  const content = Viewport.contentOf(external)
  const { mainColumns, paneColumns, side } = Viewport.split(state, content)
  const mainFrom = side === "left" ? paneColumns + 1 : 0
  return {
    columns,
    rows,
    lines: fill(isTooSmall ? body.lines : lines, columns, rows),
    window:
      overlay === undefined
        ? undefined
        : { content: WindowContent.make(state, external, overlay), top: head.length, rows: height },
    isLoading: body.isLoading ?? false,
    defect: external.load.defect,
    mouse: {
      clicks: head.flatMap(({ areas }, row) => areas.map((area) => ({ ...area, row }))),
      itemsTop: head.length + height - Viewport.itemRows(state, content),
      itemRows: Viewport.itemRows(state, content),
      mainFrom,
      mainTo: mainFrom + mainColumns
    },
    announcement: () => ScreenAnnouncement.make(state, external, body.position)
  }
}

/** Makes exactly `rows` lines of exactly `columns` columns. */
const fill = (lines: ReadonlyArray<Line>, columns: number, rows: number): ReadonlyArray<Line> =>
  Array.from({ length: rows }, (_, index) => StyledLine.fit(lines[index] ?? StyledLine.empty, columns))

/** The message for a small terminal has the whole screen, because other content may not fit. */
const tooSmall = ({ columns }: State.State): Body.Body => {
  const text = `Terminal too small. At least ${minSize.columns} by ${minSize.rows} are needed`
  const lines = StyledLine.wrap(text, Math.max(1, columns)).map((part) => StyledLine.line(part, "warning"))
  return { lines, position: "" }
}

const bodyOf = (state: State.State, external: ExternalState): Body.Body => {
  const content = Viewport.contentOf(external)
  if (content === undefined) return withoutContent(state, external)
  switch (content._tag) {
    case "Notice":
      return Body.message(state, "strong", content)
    case "Table":
      return TableBody.make(state, external, content)
    case "Document":
      return DocumentBody.make(state, external, content)
  }
}

const withoutContent = (state: State.State, external: ExternalState): Body.Body => {
  const { failure } = external.load
  if (failure !== undefined) {
    const { hint, title } = FailureMessage.of(failure)
    const next = failure._tag === "BadCredentials" ? "" : ` ${StatusLine.problem(external) ?? ""}`
    return Body.message(state, "error", { title, hint: `${hint}.${next}`.replace("..", ".") })
  }
  const subject = Registry.find(State.route(state).screen)?.title(State.route(state).arguments) ?? "the screen"
  const preview = external.pane
  const loading: Line = [
    StyledLine.span("  Loading "),
    StyledLine.span(subject),
    StyledLine.spinner,
    ...StatusLine.slowness(external)
  ]
  if (preview?._tag !== "Document") return { lines: [loading], position: "", isLoading: true }
  // Shows the preview of the selected row of the previous screen.
  const layout = preview.layout(Viewport.contentColumns(state.columns))
  const known = Array.from({ length: Math.min(layout.length, Viewport.bodyRows(state)) }, (_, index) => [
    Body.indent,
    ...layout.lineAt(index, external.now).line
  ])
  return { lines: known, position: "", isLoading: true }
}
