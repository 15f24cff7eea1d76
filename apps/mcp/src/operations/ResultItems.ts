/** The result of an operation as the items of an answer. A long resource becomes several items, so that it can continue. */
import * as Presentation from "@tongs/core/contract/Presentation"
import type { Item } from "../answer/Answer.ts"
import * as TokenEstimate from "../text/TokenEstimate.ts"
import * as Compaction from "./Compaction.ts"
import * as Fields from "./Fields.ts"
import * as ResultText from "./ResultText.ts"

/** Tokens of a resource that is one item. */
const MAX_WHOLE = 1_500

/** Tokens of a part of a long text. */
const MAX_PART = 400

/** Member with a text that an author wrote, in resources that also have the author's relation to the repository. */
const BODY = "body"

/** Returns the author of the text in a resource, such as a comment; undefined for other resources. */
const authorOf = (value: unknown, schemas: Presentation.Schemas): Item["author"] => {
  if (!Presentation.hasMember(schemas, BODY) || !Presentation.hasMember(schemas, "author_association")) return undefined
  const login = Presentation.valueAt(value, ["user", "login"])
  const association = Presentation.valueAt(value, ["author_association"])
  return {
    login: typeof login === "string" ? login : "an unknown author",
    association: typeof association === "string" ? association : undefined
  }
}

/** Returns a function that shows an item of a list as a row. */
export const rowOf = (schemas: Presentation.Schemas, selection: Fields.Selection | undefined, now: number) => {
  if (selection === "all") return (value: unknown): Item => ({ data: value, text: JSON.stringify(value) })
  const columns =
    selection === undefined ? ResultText.declaredColumns(schemas) : ResultText.selectedColumns(selection, schemas)
  // Without members, for example a list of names.
  if (columns.length === 0) return (value: unknown): Item => ({ data: value, text: textOf(value) })
  const heading = ResultText.heading(columns)
  const paths = columns.map(({ path }) => path)
  const hasBody = paths.some(([name]) => name === BODY)
  return (value: unknown): Item => {
    if (!hasColumns(value, columns)) return { data: value, text: textOf(value) }
    const author = hasBody ? authorOf(value, schemas) : undefined
    const text = ResultText.row(value, columns, now)
    return { heading, text, data: Fields.pick(value, paths, schemas), ...(author === undefined ? {} : { author }) }
  }
}

const hasColumns = (value: unknown, columns: ReadonlyArray<ResultText.Column>): boolean =>
  columns.some(({ path: [first = ""] }) => Presentation.valueAt(value, [first]) !== undefined)

/** Returns the items of a stream, and its last event, which can have totals. Leaves out other events. */
export const itemsOfStream = (
  events: ReadonlyArray<unknown>,
  schemas: Presentation.Schemas
): ReadonlyArray<unknown> => {
  const columns = ResultText.declaredColumns(schemas)
  return events.filter((event, index) => index === events.length - 1 || hasColumns(event, columns))
}

/** Returns a note if the rows of a list do not show object ids completely. */
export const notesOf = (
  schemas: Presentation.Schemas,
  selection: Fields.Selection | undefined
): ReadonlyArray<string> =>
  selection === undefined && ResultText.declaredColumns(schemas).some(ResultText.isAbbreviated) ? [ABBREVIATED] : []

const ABBREVIATED = "Object ids are shortened; fields gives them whole."

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value))

/** Returns the items of a list that came in one response. */
export const ofList = (
  values: ReadonlyArray<unknown>,
  schemas: Presentation.Schemas,
  selection: Fields.Selection | undefined,
  now: number
): ReadonlyArray<Item> => values.map(rowOf(schemas, selection, now))

/** Returns a single resource as items: one, or its parts if it is long. */
export const ofResource = (
  value: unknown,
  schemas: Presentation.Schemas,
  selection: Fields.Selection | undefined,
  now: number
): ReadonlyArray<Item> => {
  if (!Presentation.isRow(value)) return [{ data: value, text: textOf(value) }]
  if (selection === "all") return wholeOr(value, JSON.stringify(value), () => jsonParts(value))
  const shown =
    selection === undefined
      ? Compaction.compact(value, schemas)
      : Fields.pick(Compaction.decodeContent(value, schemas), selection, schemas)
  if (!Presentation.isRow(shown)) return [{ data: shown, text: textOf(shown) }]
  // A resource of links only, for example the API's entry points.
  const data = Object.keys(shown).length === 0 && selection === undefined ? value : shown
  const author = authorOf(value, schemas)
  const body: unknown = Presentation.isRow(data) ? data[BODY] : undefined
  if (author === undefined || typeof body !== "string") return parts(data, schemas, selection, now)
  const { [BODY]: _, ...rest } = data
  return [...parts(rest, schemas, selection, now), ...textParts(BODY, body).map((item): Item => ({ ...item, author }))]
}

const fits = (text: string, limit = MAX_WHOLE) => TokenEstimate.estimateTokens(text, limit) <= limit

const wholeOr = (data: unknown, text: string, split: () => ReadonlyArray<Item>): ReadonlyArray<Item> =>
  fits(text) ? [{ data, text }] : split()

const jsonParts = (value: Readonly<Record<string, unknown>>): ReadonlyArray<Item> =>
  Object.entries(value).flatMap(([name, member]): ReadonlyArray<Item> => {
    const text = `${name}: ${JSON.stringify(member)}`
    if (Array.isArray(member) && !fits(text, MAX_PART))
      return member.map((element) => ({
        heading: `${name}:`,
        data: { [name]: [element] },
        text: JSON.stringify(element)
      }))
    return typeof member === "string" && !fits(text, MAX_PART)
      ? textParts(name, member)
      : [{ data: { [name]: member }, text }]
  })

/** Returns whether a member is shown as a table or as blocks of text after the others. */
const isLong = (member: unknown): boolean => {
  if (Array.isArray(member)) return member.some(Presentation.isRow) || member.length > 100
  return typeof member === "string" && !fits(member, MAX_PART)
}

const parts = (
  value: Readonly<Record<string, unknown>>,
  schemas: Presentation.Schemas,
  selection: ReadonlyArray<ReadonlyArray<string>> | undefined,
  now: number
): ReadonlyArray<Item> => {
  const selected = selection === undefined ? undefined : Fields.childrenOf(selection)
  const short = Object.fromEntries(Object.entries(value).filter(([, member]) => !isLong(member)))
  const long = Object.entries(value).filter(([, member]) => isLong(member))
  const first = ResultText.members(short, schemas, now).join("\n")
  const rest = long.flatMap(([name, member]) =>
    memberItems(name, member, Presentation.memberSchemas(schemas, name), selected?.get(name), now)
  )
  const all = [...(first === "" ? [] : ofShort(short, first, schemas, now)), ...rest]
  const text = all.map((item, index) => printed(item, all[index - 1])).join("\n")
  return wholeOr(value, text, () => all)
}

const printed = ({ heading, text }: Item, previous: Item | undefined): string =>
  heading === undefined || heading === previous?.heading ? text : `${heading}\n${text}`

/** Splits many short members into one item each. */
const ofShort = (
  value: Readonly<Record<string, unknown>>,
  text: string,
  schemas: Presentation.Schemas,
  now: number
): ReadonlyArray<Item> =>
  wholeOr(value, text, () =>
    Object.entries(value).map(([name, member]) => ({
      data: { [name]: member },
      text: ResultText.members({ [name]: member }, schemas, now).join("\n")
    }))
  )

const memberItems = (
  name: string,
  member: unknown,
  schemas: Presentation.Schemas,
  selected: ReadonlyArray<ReadonlyArray<string>> | undefined,
  now: number
): ReadonlyArray<Item> => {
  if (typeof member === "string") return textParts(name, member)
  if (!Array.isArray(member)) return []
  const elements = Presentation.elementSchemas(schemas)
  const columns = columnsOf(elements, selected)
  const title = `${name} (${member.length})`
  if (columns.length === 0)
    return member.map((element) => ({
      heading: `${title}:`,
      data: { [name]: [element] },
      text: Presentation.isRow(element)
        ? `- ${ResultText.members(element, elements, now, "  ").join("\n").trimStart()}`
        : textOf(element)
    }))
  const heading = `${title}: ${ResultText.heading(columns)}`
  return member.map((element) => ({
    heading,
    data: { [name]: [element] },
    text: ResultText.row(element, columns, now)
  }))
}

/** Returns the columns of a nested list; none if its elements are shown with all members. */
const columnsOf = (
  elements: Presentation.Schemas,
  selected: ReadonlyArray<ReadonlyArray<string>> | undefined
): ReadonlyArray<ResultText.Column> => {
  if (Presentation.isFreeForm(elements)) return []
  if (selected === undefined) return ResultText.declaredColumns(elements)
  return Fields.isWhole(selected) ? [] : ResultText.selectedColumns(selected, elements)
}

/** Returns the names of the members of a resource that are shown as rows with some of their members. */
export const tablesOf = (value: unknown, schemas: Presentation.Schemas): ReadonlyArray<string> =>
  Presentation.isRow(value)
    ? Object.entries(value).flatMap(([name, member]) => {
        const elements = Presentation.elementSchemas(Presentation.memberSchemas(schemas, name))
        return Array.isArray(member) && member.some(Presentation.isRow) && hidesMembers(elements) ? [name] : []
      })
    : []

/** Returns whether the rows of elements lack some of their members. */
const hidesMembers = (elements: Presentation.Schemas): boolean => {
  const shown = new Set(
    columnsOf(elements, undefined).map(({ isShort, path, schemas }) =>
      isShort && Presentation.formatOf(schemas) === "id" ? "" : path.join(".")
    )
  )
  return shown.size > 0 && Fields.namesOf(elements).some((name) => !shown.has(name))
}

/** Splits a long text into parts of whole lines. */
const textParts = (name: string, text: string): ReadonlyArray<Item> => {
  const items: Array<Item> = []
  let part = ""
  const push = () => {
    if (part !== "") items.push({ heading: `${name}:`, data: { [name]: part }, text: part })
    part = ""
  }
  for (const line of text.split("\n")) {
    let rest = line
    while (!fits(rest, MAX_PART)) {
      push()
      part = TokenEstimate.tokenPrefix(rest, MAX_PART)
      rest = rest.slice(part.length)
      push()
    }
    if (!fits(`${part}\n${rest}`, MAX_PART)) push()
    part = part === "" ? rest : `${part}\n${rest}`
  }
  push()
  return items
}
