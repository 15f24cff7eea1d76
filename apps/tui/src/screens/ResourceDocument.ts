/** The details of a resource: fields and nested lists, from the declarations of the contract. */
import * as Presentation from "@tongs/core/contract/Presentation"
import * as Cell from "@tongs/core/text/Cell"
import * as Fields from "@tongs/core/text/Fields"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Document from "../content/Document.ts"
import type { DocumentLine } from "../content/Document.ts"
import type { Arguments } from "../content/Route.ts"
import * as Route from "../content/Route.ts"
import * as ColumnLayout from "../text/ColumnLayout.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"

/** Maximum width of the column with the names of fields. */
const MAX_NAME_WIDTH = 40

/** Maximum number of lines of one field. */
const MAX_FIELD_LINES = 400

/** Options of `make`. */
export interface Options {
  /** A last line, such as the key that changes a setting. */
  readonly hint?: string | undefined
  /** Arguments of the screen, for links to objects of the repository. */
  readonly values?: Arguments
  /** Arguments that the resource gives to operations. */
  readonly given?: Arguments
}

/** Creates the document of a resource with these schemas. */
export const make = (
  title: string,
  value: unknown,
  schemas: Presentation.Schemas,
  { given, hint, values = {} }: Options = {}
): Document.Document =>
  Document.make(
    title,
    (columns) =>
      Document.fromLines([
        ...heading(title, columns),
        ...body(value, schemas, values, columns),
        ...(hint === undefined ? [] : [blank, { line: StyledLine.line(hint, "muted") }])
      ]),
    { webUrl: webUrlOf(value), value, arguments: given }
  )

const webUrlOf = (value: unknown): string | undefined => {
  const url = Presentation.isRow(value) ? value.html_url : undefined
  return typeof url === "string" ? url : undefined
}

const heading = (title: string, columns: number): ReadonlyArray<DocumentLine> =>
  title === ""
    ? []
    : [...StyledLine.wrap(title, columns).map((text) => ({ line: StyledLine.line(text, "title") })), blank]

const blank: DocumentLine = { line: [] }

/** Formats a value of any shape. */
const body = (
  value: unknown,
  schemas: Presentation.Schemas,
  values: Arguments,
  columns: number
): ReadonlyArray<DocumentLine | Document.LineAtTime> => {
  if (Array.isArray(value)) return nested(value, Presentation.elementSchemas(schemas), values, columns)
  if (!Presentation.isRow(value)) return wrapped(textOfScalar(value), columns).map((line) => ({ line }))
  const fields = Fields.of(value, schemas)
  const lists = Fields.lists(value, schemas)
  return [
    ...fieldLines(fields, columns),
    ...lists.flatMap(({ items, name, schemas }) => [
      blank,
      { line: StyledLine.line(`${label(name)} (${items.length})`, "strong") },
      ...nested(items, schemas, values, columns)
    ])
  ]
}

const textOfScalar = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

const label = (path: string): string => path.replaceAll("_", " ")

/** Formats fields as names and values. A time is followed by the age. */
export const fieldLines = (
  fields: ReadonlyArray<Fields.Field>,
  columns: number
): ReadonlyArray<DocumentLine | Document.LineAtTime> => {
  const widest = fields.reduce((width, { path }) => Math.max(width, Terminal.width(Terminal.escape(label(path)))), 0)
  const width = Math.min(widest, MAX_NAME_WIDTH, Math.max(8, Math.floor(columns / 2)))
  return fields.flatMap((field) => {
    const at = timeOf(field)
    if (at !== undefined) return timeLines(field, at, { columns, width })
    return wrapped(textOf(field), columns - width - 2, roleOf(field))
      .slice(0, MAX_FIELD_LINES)
      .map((line, index): DocumentLine => {
        const name = nameOf(index === 0 ? field.path : "", width)
        const url = typeof field.value === "string" && /^https?:\/\//.test(field.value) ? field.value : undefined
        return { line: [...name, ...line], copy: field.text, ...(url === undefined ? {} : { url }) }
      })
  })
}

const nameOf = (path: string, width: number): Line => StyledLine.fit(StyledLine.line(label(path), "muted"), width + 2)

/** Formats a time as its age and, in the same line if it has room, the time. */
const timeLines = (
  field: Fields.Field,
  at: number,
  { columns, width }: { readonly columns: number; readonly width: number }
): ReadonlyArray<DocumentLine | Document.LineAtTime> => {
  const time = textOf(field)
  const isShort = width + 2 + AGE_WIDTH + 2 + time.length <= columns
  return [
    (now) => ({
      line: [
        ...nameOf(field.path, width),
        StyledLine.span(RelativeTime.format(at, now)),
        ...(isShort ? [StyledLine.span(`  ${time}`, "muted")] : [])
      ],
      copy: field.text
    }),
    ...(isShort
      ? []
      : StyledLine.wrap(time, Math.max(1, columns - width - 2)).map((part): DocumentLine => ({
          line: [...nameOf("", width), StyledLine.span(part, "muted")],
          copy: field.text
        })))
  ]
}

/** Seconds since 1970 above which a number is a time rather than a count: the year 2001. */
const MIN_EPOCH_SECONDS = 1_000_000_000

/** Returns the time of a field in epoch milliseconds; undefined for other fields. */
const timeOf = ({ format, path, value }: Fields.Field): number | undefined => {
  if (typeof value === "number")
    return /(^|\.)reset$/.test(path) && value > MIN_EPOCH_SECONDS ? value * 1_000 : undefined
  const isTime = typeof value === "string" && (format === "age" || path.endsWith("_at"))
  const at = isTime ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** Returns the screen of a git object in a list, such as a file of a tree or the parent of a commit. */
const objectRoute = (item: unknown, { owner, repo }: Arguments): Route.Route | undefined => {
  if (!Presentation.isRow(item) || owner === undefined || repo === undefined) return undefined
  const { sha, type } = item
  if (typeof sha !== "string" || !/^[0-9a-f]{40,64}$/.test(sha)) return undefined
  if (type === "tree") return Route.make("gitTrees.get", { owner, repo, tree_sha: sha })
  if (type === "blob") return Route.make("gitBlobs.get", { owner, repo, file_sha: sha })
  if (type === "tag") return Route.make("gitTags.get", { owner, repo, tag_sha: sha })
  return Route.make("commits.get", { owner, repo, ref: sha })
}

const textOf = ({ format, path, text, value }: Fields.Field): string =>
  typeof value === "number" && timeOf({ format, path, text, value }) !== undefined
    ? new Date(value * 1_000).toISOString().replace(".000", "")
    : typeof value === "number" || typeof value === "boolean"
      ? Cell.text(value, format, { abbreviate: false, now: 0 })
      : text

const roleOf = ({ format, value }: Fields.Field): StyledLine.Role => {
  if (format === "id") return "id"
  if (typeof value === "boolean") return value ? "accent" : "muted"
  return typeof value === "string" && /^https?:\/\//.test(value) ? "link" : "plain"
}

const wrapped = (text: string, columns: number, role: StyledLine.Role = "plain"): ReadonlyArray<Line> =>
  text === "" ? [StyledLine.empty] : StyledLine.wrap(text, columns).map((part) => StyledLine.line(part, role))

/** Maximum number of items of a nested list to show. */
const MAX_NESTED = 1_000

/** Width of a column with ages, whose text depends on the time. */
const AGE_WIDTH = 14

/** Formats items as a table. */
const nested = (
  all: ReadonlyArray<unknown>,
  schemas: Presentation.Schemas,
  values: Arguments,
  width: number
): ReadonlyArray<DocumentLine | Document.LineAtTime> => {
  const items = all.slice(0, MAX_NESTED)
  const [first] = items
  const declared = Presentation.columns(schemas)
  const columns = declared.length > 0 || !Presentation.isRow(first) ? declared : Presentation.columnsOf(first)
  if (columns.length === 0) return items.flatMap((item) => wrapped(String(item), width).map((line) => ({ line })))
  const isLine = ({ format }: Presentation.Column) => format === "line"
  const growing = columns[0]?.format === "line" ? 0 : Math.max(0, columns.findLastIndex(isLine))
  const layout = columns.map(({ format, identifies }, index): ColumnLayout.Column => ({
    size: index === growing ? "grow" : "fit",
    ...(format === "count" || format === "bytes" || format === "number" ? { align: "right" } : {}),
    ...(identifies || index === growing ? {} : { optional: index, maxShare: 0.5 })
  }))
  const cells = (item: unknown, now: number) =>
    columns.map(({ format, identifies, path }) =>
      StyledLine.line(
        Cell.text(Presentation.valueAt(item, path), format, { abbreviate: true, now }),
        identifies ? "id" : "plain"
      )
    )
  const headers = columns.map(({ header }) => StyledLine.line(header, "muted"))
  const measured = ColumnLayout.naturalWidths(layout, [headers, ...items.map((item) => cells(item, 0))])
  const natural = measured.map((width, index) => (columns[index]?.format === "age" ? AGE_WIDTH : width))
  const widths = ColumnLayout.columnWidths(layout, natural, width)
  return [
    { line: ColumnLayout.joinCells(layout, widths, headers) },
    ...items.map((item): Document.LineAtTime => (now) => ({
      line: ColumnLayout.joinCells(layout, widths, cells(item, now)),
      route: objectRoute(item, values)
    }))
  ]
}
