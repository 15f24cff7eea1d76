/** Any value of the contract as text for people: lists as tables, objects as aligned names and values. */
import * as Table from "@tongs/core/text/Table"
import * as Terminal from "@tongs/core/text/Terminal"
import type { Paint } from "../session/Flags.ts"
import * as Columns from "./Columns.ts"

export interface Options {
  readonly columns: number
  /** Epoch milliseconds. */
  readonly now: number
  readonly paint: Paint
}

export const lines = (value: unknown, options: Options): ReadonlyArray<string> => {
  if (Array.isArray(value)) return list(value, options)
  return Columns.isRow(value) ? object(value, options) : text(String(value), options.columns)
}

const list = (items: ReadonlyArray<unknown>, { columns, now, paint }: Options): ReadonlyArray<string> => {
  if (items.length === 0) return ["Nothing."]
  const rows = items.filter(Columns.isRow)
  if (rows.length === 0) return items.flatMap((item) => text(String(item), columns))
  const [header = "", ...body] = Table.render(Columns.choose(rows, now), rows, columns)
  return [paint.dim(header), ...body]
}

type Row = Readonly<Record<string, unknown>>

const object = (value: Row, options: Options): ReadonlyArray<string> => {
  const telling = leaves(value, Columns.isNoise)
  const named = telling.length > 0 ? telling : leaves(value, () => false)
  const width = Math.max(0, ...named.map(([name]) => Terminal.width(name))) + Table.GAP
  const room = Math.max(20, options.columns - width)
  return [
    ...named.flatMap(([name, leaf]) =>
      text(leaf, room).map((line, index) =>
        `${options.paint.dim(Terminal.pad(index === 0 ? name : "", width))}${line}`.trimEnd()
      )
    ),
    ...Object.entries(value).flatMap(([name, member]) =>
      Array.isArray(member) && member.some(Columns.isRow)
        ? ["", options.paint.bold(Terminal.escape(name)), ...list(member, options)]
        : []
    ),
    ...content(value)
  ]
}

/** Scalars of an object and of the objects in it, by their paths. */
const leaves = (
  value: Row,
  isLeftOut: (name: string) => boolean,
  prefix = ""
): ReadonlyArray<readonly [name: string, text: string]> =>
  Object.entries(value).flatMap(([name, member]) => {
    if (isLeftOut(name) || (name === "content" && isEncoded(value))) return []
    if (Columns.isRow(member)) return leaves(member, isLeftOut, `${prefix}${name}.`)
    if (member === null || member === undefined || member === "") return []
    if (Array.isArray(member)) {
      return member.length === 0 || member.some(Columns.isRow)
        ? []
        : [[Terminal.escape(`${prefix}${name}`), member.join(", ")] as const]
    }
    return [
      [Terminal.escape(`${prefix}${name}`), typeof member === "string" ? member : JSON.stringify(member)] as const
    ]
  })

const isEncoded = (value: Row) => value.encoding === "base64" && typeof value.content === "string"

/** A file's content, where the object carries it and it is text. */
const content = (value: Row): ReadonlyArray<string> => {
  if (!isEncoded(value)) return []
  const bytes = Buffer.from(String(value.content), "base64")
  if (bytes.includes(0)) return ["", "(not text)"]
  return ["", ...Terminal.escape(bytes.toString("utf8"), { newlines: true }).replace(/\n$/, "").split("\n")]
}

/** Lines of a text, each cut to the room there is. */
const text = (value: string, room: number): ReadonlyArray<string> =>
  Terminal.escape(value.trimEnd(), { newlines: true })
    .split("\n")
    .map((line) => Terminal.truncate(line, room))
