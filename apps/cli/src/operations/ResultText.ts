/** Formats results of operations as text for users: lists as tables, objects as aligned names and values. */
import * as Presentation from "@tongs/core/contract/Presentation"
import * as Cell from "@tongs/core/text/Cell"
import * as Fields from "@tongs/core/text/Fields"
import * as Table from "@tongs/core/text/Table"
import * as Terminal from "@tongs/core/text/Terminal"
import * as TableText from "../base/TableText.ts"
import type { Paint } from "../session/Flags.ts"

/** Options of the text format. */
export interface Options {
  /** Width of the terminal in columns. Infinite for programs, so that no value is truncated or abbreviated. */
  readonly columns: number
  /** Current time in epoch milliseconds, for relative times. */
  readonly now: number
  readonly paint: Paint
}

export const lines = (value: unknown, schemas: Presentation.Schemas, options: Options): ReadonlyArray<string> => {
  if (Array.isArray(value)) return list(value, Presentation.itemSchemas(schemas), options)
  return Presentation.isRow(value) ? object(value, schemas, options) : text(String(value), options.columns)
}

type Row = Readonly<Record<string, unknown>>

/** Minimum useful widths of columns for text and for titles, and of the values of an object. */
const least = { text: 12, title: 16, value: 20 } as const // literal types

/** Formats items with these schemas as a table, or as tab-separated values for programs. */
export const list = (
  items: ReadonlyArray<unknown>,
  schemas: Presentation.Schemas,
  options: Options
): ReadonlyArray<string> => {
  const isForPrograms = !Number.isFinite(options.columns)
  if (items.length === 0) return isForPrograms ? [] : ["Nothing."]
  const rows = items.filter(Presentation.isRow)
  if (rows.length === 0) {
    return items.flatMap((item) => (isForPrograms ? TableText.cell(String(item)) : text(String(item), options.columns)))
  }
  const formatting = { abbreviate: true, now: options.now }
  const columns = columnsOf(schemas, rows)
    // For programs, the columns do not depend on the rows.
    .filter(
      ({ identifies, path }) =>
        identifies || isForPrograms || rows.some((row) => !Fields.isEmpty(Presentation.valueAt(row, path)))
    )
    .map(({ format, header, identifies, isTitle, path }): TableText.Column<Row> => ({
      header,
      value: (row) => Cell.text(Presentation.valueAt(row, path), format, formatting),
      raw: (row) => rawText(Presentation.valueAt(row, path)),
      keep: identifies || format !== "line",
      least: isTitle ? least.title : least.text,
      optional: !identifies && !isTitle,
      ...(!identifies && ["bytes", "count", "number"].includes(format) ? { align: "right" } : {})
    }))
  return TableText.lines(columns, rows, options)
}

/** Formats a value for programs: the first line of a text, other values as in JSON, lists separated by commas. */
const rawText = (value: unknown): string => {
  if (Array.isArray(value)) return value.filter((item) => typeof item !== "object").join(",")
  if (typeof value === "string") return value.split(/\r?\n/, 1).join()
  return typeof value === "number" || typeof value === "boolean" ? String(value) : ""
}

/** Returns the declared columns. Without declared columns, returns the scalar members of the first row. */
const columnsOf = (schemas: Presentation.Schemas, [first = {}]: ReadonlyArray<Row>) => {
  const declared = Presentation.columns(schemas)
  return declared.length > 0 ? declared : Presentation.columnsOf(first)
}

const object = (value: Row, schemas: Presentation.Schemas, options: Options): ReadonlyArray<string> => {
  const named = Fields.of(value, schemas).map(({ path, text }) => [Terminal.escape(path), text] as const) // a pair
  const width = Math.max(0, ...named.map(([name]) => Terminal.width(name))) + Table.GAP
  const { dim } = options.paint
  // In a narrow terminal, a value is below the name.
  const isNarrow = options.columns - width < least.value
  const indent = isNarrow ? Table.GAP : width
  return [
    ...named.flatMap(([name, leaf]) => {
      const values = text(leaf, options.columns - indent)
      if (isNarrow) return [dim(name), ...values.map((line) => `${" ".repeat(indent)}${line}`.trimEnd())]
      return values.map((line, index) => `${dim(Terminal.pad(index === 0 ? name : "", width))}${line}`.trimEnd())
    }),
    ...Fields.lists(value, schemas).flatMap(({ items, name, schemas }) => [
      ...(named.length > 0 ? [""] : []),
      options.paint.bold(Terminal.escape(name)),
      ...list(items, schemas, options)
    ]),
    ...content(value)
  ]
}

/** Decodes the base64 `content` of an object for a file. Returns a note for binary content. */
const content = (value: Row): ReadonlyArray<string> => {
  if (!Fields.isEncodedFile(value)) return []
  const bytes = Buffer.from(String(value.content), "base64")
  if (bytes.includes(0)) return ["", "(not text)"]
  return ["", ...Terminal.escape(bytes.toString("utf8"), { newlines: true }).replace(/\n$/, "").split("\n")]
}

/** Splits a text into lines, and truncates each to `room` columns. */
const text = (value: string, room: number): ReadonlyArray<string> =>
  Terminal.escape(value.trimEnd(), { newlines: true })
    .split("\n")
    .map((line) => Terminal.truncate(line, room))
