/** Items of lists as rows of an answer. */
import * as Presentation from "@tongs/core/contract/Presentation"
import type { Item } from "../answer/Answer.ts"
import * as FieldSelection from "./FieldSelection.ts"
import * as ResultText from "./ResultText.ts"

/** Member with a text by an author, in resources that also have the author's relation to the repository. */
export const BODY = "body"

/** Returns the author of the text in a resource, such as a comment; undefined for other resources. */
export const authorOf = (value: unknown, schemas: Presentation.Schemas): Item["author"] => {
  if (!Presentation.hasMember(schemas, BODY) || !Presentation.hasMember(schemas, "author_association")) return undefined
  const login = Presentation.valueAt(value, ["user", "login"])
  const association = Presentation.valueAt(value, ["author_association"])
  return {
    login: typeof login === "string" ? login : "an unknown author",
    association: typeof association === "string" ? association : undefined
  }
}

/**
 * Returns a function that shows an item of a list as a row. `omits` names declared columns whose value the
 * first line of the answer has for all rows.
 */
export const rowOf = (
  schemas: Presentation.Schemas,
  selection: FieldSelection.Selection | undefined,
  now: number,
  omits: (path: ReadonlyArray<string>) => boolean = () => false
) => {
  if (selection === "all") return (value: unknown): Item => ({ data: value, text: ResultText.json(value) })
  const all =
    selection === undefined ? ResultText.declaredColumns(schemas) : ResultText.selectedColumns(selection, schemas)
  const columns = selection === undefined ? all.filter(({ path }) => !omits(path)) : all
  // Without members, for example a list of names.
  if (columns.length === 0) return (value: unknown): Item => ({ data: value, text: ResultText.plain(value) })
  const heading = ResultText.heading(columns)
  const paths = all.map(({ path }) => path)
  const hasBody = paths.some(([name]) => name === BODY)
  return (value: unknown): Item => {
    if (!hasColumns(value, columns)) return { data: value, text: ResultText.plain(value) }
    const author = hasBody ? authorOf(value, schemas) : undefined
    const text = ResultText.row(value, columns, now)
    return {
      heading,
      text,
      data: FieldSelection.pick(value, paths, schemas),
      ...(author === undefined ? {} : { author })
    }
  }
}

const hasColumns = (value: unknown, columns: ReadonlyArray<ResultText.Column>): boolean =>
  columns.some(({ path: [first = ""] }) => Presentation.valueAt(value, [first]) !== undefined)

/** Returns the items of a stream, and the last event, which can have totals. Leaves out other events. */
export const itemsOfStream = (
  events: ReadonlyArray<unknown>,
  schemas: Presentation.Schemas
): ReadonlyArray<unknown> => {
  const columns = ResultText.declaredColumns(schemas)
  return events.filter((event, index) => index === events.length - 1 || hasColumns(event, columns))
}

/** Returns notes about members that the rows of a list leave out or shorten. */
export const notesOf = (
  schemas: Presentation.Schemas,
  selection: FieldSelection.Selection | undefined
): ReadonlyArray<string> => (selection === undefined ? [...moreFields(schemas), ...abbreviations(schemas)] : [])

/** Maximum number of names in a note. */
const MAX_NAMES = 12

const moreFields = (schemas: Presentation.Schemas): ReadonlyArray<string> => {
  const columns = ResultText.declaredColumns(schemas)
  const shown = new Set(columns.map(({ path: [first] }) => first))
  const names = FieldSelection.namesOf(schemas).filter((name) => !shown.has(name))
  if (columns.length === 0 || names.length === 0) return []
  return [`More fields: ${names.slice(0, MAX_NAMES).join(", ")}${names.length > MAX_NAMES ? ", …" : "."}`]
}

const abbreviations = (schemas: Presentation.Schemas): ReadonlyArray<string> =>
  ResultText.declaredColumns(schemas).some(ResultText.isAbbreviated) ? [ABBREVIATED] : []

const ABBREVIATED = "Object ids are shortened; fields gives them whole."

/** Returns the items of a list that came in one response. */
export const ofList = (
  values: ReadonlyArray<unknown>,
  schemas: Presentation.Schemas,
  selection: FieldSelection.Selection | undefined,
  now: number
): ReadonlyArray<Item> => values.map(rowOf(schemas, selection, now))
