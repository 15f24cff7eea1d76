/** A text with a cursor: a commit, a file, the details of a resource. */
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import type { Background, Line } from "../text/StyledLine.ts"
import type { CodeFile, LineNames } from "./CodeFile.ts"
import type { Arguments, Route } from "./Route.ts"

/** A line of a document. */
export interface DocumentLine {
  readonly line: Line
  /** Spans before the line, for example a line number. They do not scroll sideways and are not searched. */
  readonly gutter?: Line | undefined
  /** Formats the margin before the gutter, such as the last commit of the line, which the user shows and hides. */
  readonly margin?: ((columns: number) => Line) | undefined
  /** The background of the whole line. */
  readonly background?: Background | undefined
  /** The screen that Enter opens. */
  readonly route?: Route | undefined
  /** The web page that Enter and `o` open. */
  readonly url?: string | undefined
  /** The text that `y` copies, if not that of the document. */
  readonly copy?: string | undefined
  /** Arguments that the line gives to operations, such as the id of a comment. */
  readonly arguments?: Arguments | undefined
  /** The name of the target of operations on this line. */
  readonly title?: string | undefined
  /**
   * The read operation of this line's resource, if it differs from the screen's. The actions are the operations on this
   * resource.
   */
  readonly entry?: CatalogEntry | undefined
  /** The resource of this line, if not that of the document. */
  readonly value?: unknown
  /** The names of a line of source code, for commands on names. */
  readonly names?: LineNames | undefined
}

/** A part of a document, such as a file of a commit. `]` and `[` jump between sections. */
export interface Section {
  /** Index of the section's first line. */
  readonly firstLine: number
  /** The section in the status line. */
  readonly title: string
  /** The section in the list of sections beside the document. */
  readonly label: Line
  /** Returns the section for a list of this width, if the label depends on it. */
  readonly labelAt?: (columns: number) => Line
}

/** The layout of a document for one width. */
export interface Layout {
  readonly length: number
  /** Formats a line. `now` is in epoch milliseconds. */
  readonly lineAt: (index: number, now: number) => DocumentLine
  /** Returns the text of a line to find in. Default: the formatted line. */
  readonly textAt?: (index: number) => string
  readonly sections: ReadonlyArray<Section>
  /** Index of the line to start at. */
  readonly initialLine: number
  /** Ids of lines by index, in a document whose lines move. The cursor follows the id. */
  readonly ids?: ReadonlyArray<string | undefined>
}

/** A text with a cursor. */
export interface Document {
  readonly _tag: "Document"
  /** The text that `y` copies. */
  readonly id: string
  readonly webUrl?: string | null | undefined
  readonly layout: (columns: number) => Layout
  /** The resource that the document shows, for operations on it. */
  readonly value?: unknown
  /** Arguments that the resource gives to operations, such as the head of a pull request. */
  readonly arguments?: Arguments | undefined
  /** Width of the margins in columns; undefined without margins. */
  readonly marginColumns?: number | undefined
  /** True if the margins are also shown on narrow terminals. */
  readonly showsMargin?: boolean | undefined
  /** The file that the document shows, for commands on code. */
  readonly code?: CodeFile | undefined
  /** True for the changes to files. */
  readonly isDiff?: boolean | undefined
}

/** Options of `make`. */
export type Options = Pick<
  Document,
  "webUrl" | "value" | "arguments" | "marginColumns" | "showsMargin" | "code" | "isDiff"
>

/** Creates a document that caches its layout for the last two widths: of the screen and of a pane. */
export const make = (id: string, layout: (columns: number) => Layout, options: Options = {}): Document => {
  const cached = new Map<number, Layout>()
  return {
    _tag: "Document",
    id,
    ...options,
    layout: (columns) => {
      const known = cached.get(columns)
      if (known !== undefined) return known
      for (const oldest of cached.keys()) if (cached.size > 1) cached.delete(oldest)
      const made = layout(columns)
      cached.set(columns, made)
      return made
    }
  }
}

/** A line whose text depends on the current time, in epoch milliseconds. */
export type LineAtTime = (now: number) => DocumentLine

/** Creates the layout of lines that are already formatted, or that depend only on the time. */
export const fromLines = (
  lines: ReadonlyArray<DocumentLine | LineAtTime>,
  options: Partial<Pick<Layout, "sections" | "initialLine" | "ids">> = {}
): Layout => ({
  length: lines.length,
  lineAt: (index, now) => {
    const line = lines[index] ?? blank
    return typeof line === "function" ? line(now) : line
  },
  sections: options.sections ?? [],
  initialLine: options.initialLine ?? 0,
  ...(options.ids === undefined ? {} : { ids: options.ids })
})

const blank: DocumentLine = { line: [] }

/** Returns the section that contains the line with index `line`. */
export const sectionAt = (layout: Layout, line: number): Section | undefined =>
  layout.sections.findLast((section) => section.firstLine <= line)
