/** Results of operations as lines: rows of a list with tabs between cells, and members as `name: value`. */
import * as Presentation from "@tongs/core/contract/Presentation"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as Times from "../text/Times.ts"
import * as FieldSelection from "./FieldSelection.ts"

/** Maximum number of characters of a cell that a list shows by default. */
const MAX_CELL = 160

/** Maximum number of elements of an array inside a row or a nested member. */
const MAX_ELEMENTS = 20

/** A column of a list. */
export interface Column {
  readonly path: ReadonlyArray<string>
  readonly schemas: Presentation.Schemas
  /** Shortens texts and object ids. */
  readonly isShort: boolean
  /** Shows an object as names and values of members instead of JSON. */
  readonly isInWords?: boolean
}

/** Returns the columns of a list that the contract declares. */
export const declaredColumns = (schemas: Presentation.Schemas): ReadonlyArray<Column> =>
  Presentation.columns(schemas).map(({ identifies, path }) => ({
    path,
    schemas: schemasAt(schemas, path),
    isShort: !identifies
  }))

/** Returns columns of the members that are objects with any members, for example the parameters of a rule. */
export const mapColumns = (schemas: Presentation.Schemas): ReadonlyArray<Column> =>
  FieldSelection.namesOf(schemas)
    .map((name) => ({ path: [name], schemas: schemasAt(schemas, [name]), isShort: false, isInWords: true }))
    .filter((column) => isMap(column.schemas))

const schemasAt = (schemas: Presentation.Schemas, path: ReadonlyArray<string>): Presentation.Schemas =>
  path.reduce((at, name) => Presentation.memberSchemas(FieldSelection.elementsOrSelf(at), name), schemas)

/** Returns the columns of selected members, which are shown completely. */
export const selectedColumns = (
  paths: ReadonlyArray<ReadonlyArray<string>>,
  schemas: Presentation.Schemas
): ReadonlyArray<Column> => paths.map((path) => ({ path, schemas: schemasAt(schemas, path), isShort: false }))

/** Returns whether a column shortens object ids. */
export const isAbbreviated = ({ isShort, schemas }: Column): boolean =>
  isShort && Presentation.formatOf(schemas) === "id"

/** Returns the names of columns as one line. */
export const heading = (columns: ReadonlyArray<Column>): string => columns.map(({ path }) => path.join(".")).join("\t")

/** Returns an item of a list as one line. */
export const row = (item: unknown, columns: ReadonlyArray<Column>, now: number): string =>
  columns.map((column) => cell(valuesAt(item, column.path), column, now)).join("\t")

/** Returns the value at a path; the values of all elements if the path leads through arrays. */
const valuesAt = (value: unknown, path: ReadonlyArray<string>): unknown => {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path) ?? [])
  return Presentation.isRow(value) ? valuesAt(value[name], rest) : undefined
}

const cell = (value: unknown, { isInWords = false, isShort, schemas }: Column, now: number): string => {
  const text = isInWords && Presentation.isRow(value) ? inWords(value) : inline(value, schemas, now, isShort)
  if (!isShort) return /[\n\t\r]/.test(text) ? JSON.stringify(text) : text
  const line = text.trimStart().replaceAll("\t", " ")
  const [first = ""] = line.split(/\r?\n/, 1)
  const short = first.length > MAX_CELL ? first.slice(0, MAX_CELL).toWellFormed() : first
  return short.length < line.trimEnd().length ? `${short}…` : short
}

/** Returns a value as text on one line. Empty values are shown as `-`. */
const inline = (value: unknown, schemas: Presentation.Schemas, now: number, isShort: boolean): string => {
  if (value === null || value === undefined || value === "") return "-"
  if (Array.isArray(value)) {
    if (value.some((element) => typeof element === "object")) return shortJson(value)
    if (value.length === 0) return "-"
    return value.some((element) => /[,\n\t]/.test(String(element))) ? shortJson(value) : value.map(String).join(",")
  }
  if (typeof value === "object") return Presentation.inlineTitle(schemas, value) ?? shortJson(value)
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const format = Presentation.formatOf(schemas)
  if (format === "age" && typeof value === "string") return isShort ? Times.short(text, now) : Times.long(text, now)
  return isShort && format === "id" ? AbbreviatedId.of(text) : text
}

/** Returns the members of an object as `name value`, separated by commas. */
const inWords = (value: Readonly<Record<string, unknown>>): string =>
  Object.entries(value)
    .map(([name, member]) => `${name} ${typeof member === "string" && isWord(member) ? member : json(member)}`)
    .join(", ") || "-"

/** Returns whether a text among other texts needs no quotation marks. */
const isWord = (text: string): boolean => /^[^\s,"]+$/.test(text)

/** Maximum depth of a value: a forge could exhaust the stack. */
const MAX_DEPTH = 64

/** Encodes a value as JSON. Deeply nested values are replaced by an ellipsis. */
export const json = (value: unknown): string => JSON.stringify(bounded(value, MAX_DEPTH, Infinity)) ?? "-"

/** Encodes a value as JSON on the line of another one, with the first elements of long arrays. */
const shortJson = (value: unknown): string => JSON.stringify(bounded(value, MAX_DEPTH, MAX_ELEMENTS))

const bounded = (value: unknown, depth: number, elements: number): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (depth === 0) return "…"
  if (Array.isArray(value)) {
    const shown = value.slice(0, elements).map((element) => bounded(element, depth - 1, elements))
    return value.length > elements ? [...shown, `… (${value.length - elements} more)`] : shown
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, bounded(member, depth - 1, elements)]))
}

/** Returns a text unchanged, and any other value as JSON. */
export const plain = (value: unknown): string => (typeof value === "string" ? value : json(value))

/** Returns the members of a resource as indented lines `name: value`. */
export const members = (
  value: object,
  schemas: Presentation.Schemas,
  now: number,
  indent = ""
): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([name, member]) =>
    memberLines(name, member, Presentation.memberSchemas(schemas, name), now, indent)
  )

const memberLines = (
  name: string,
  value: unknown,
  schemas: Presentation.Schemas,
  now: number,
  indent: string
): ReadonlyArray<string> => {
  if (value === undefined) return []
  if (Array.isArray(value)) return [`${indent}${name}: ${inline(value, schemas, now, false)}`]
  if (Presentation.isRow(value)) {
    if (Presentation.isFreeForm(schemas) || isMap(schemas)) return [`${indent}${name}: ${json(value)}`]
    const entries = Object.entries(value).filter(([, member]) => member !== undefined)
    const [only] = entries
    if (only === undefined) return []
    // A single member needs no separate line.
    if (entries.length === 1)
      return memberLines(`${name}.${only[0]}`, only[1], Presentation.memberSchemas(schemas, only[0]), now, indent)
    return [`${indent}${name}:`, ...members(value, schemas, now, `${indent}  `)]
  }
  const text = inline(value, schemas, now, false).trimEnd()
  return text.includes("\n")
    ? [`${indent}${name}:`, ...text.split("\n").map((line) => `${indent}  ${line}`)]
    : [`${indent}${name}: ${text}`]
}

/** Returns whether an object may have any members. */
export const isMap = (schemas: Presentation.Schemas): boolean =>
  schemas.some((ast) => ast._tag === "Objects" && ast.indexSignatures.length > 0)
