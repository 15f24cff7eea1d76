/** A single resource as the items of an answer. A long one becomes several items, so that the answer can continue. */
import * as Presentation from "@tongs/core/contract/Presentation"
import type { Item } from "../answer/Answer.ts"
import * as Compaction from "./Compaction.ts"
import * as FieldSelection from "./FieldSelection.ts"
import { authorOf, BODY } from "./ListItems.ts"
import * as ResultText from "./ResultText.ts"
import * as TextParts from "./TextParts.ts"

/** Tokens of a resource that is one item. */
const MAX_WHOLE = 1_500

/** Maximum tokens of an item. A longer one is split. */
const MAX_ITEM = MAX_WHOLE

/** Returns a single resource as items: one item, or one for each part of a long resource. */
export const make = (
  value: unknown,
  schemas: Presentation.Schemas,
  selection: FieldSelection.Selection | undefined,
  now: number
): ReadonlyArray<Item> => itemsOf(value, schemas, selection, now).flatMap((item) => TextParts.splitItem(item, MAX_ITEM))

const itemsOf = (
  value: unknown,
  schemas: Presentation.Schemas,
  selection: FieldSelection.Selection | undefined,
  now: number
): ReadonlyArray<Item> => {
  if (!Presentation.isRow(value)) return [{ data: value, text: ResultText.plain(value) }]
  if (selection === "all") return wholeOr(value, ResultText.json(value), () => jsonParts(value))
  const shown =
    selection === undefined
      ? Compaction.compact(value, schemas)
      : FieldSelection.pick(Compaction.decodeContent(value, schemas), selection, schemas)
  if (!Presentation.isRow(shown)) return [{ data: shown, text: ResultText.plain(shown) }]
  // A resource of links only, for example the API's entry points.
  const data = Object.keys(shown).length === 0 && selection === undefined ? value : shown
  const author = authorOf(value, schemas)
  const body: unknown = Presentation.isRow(data) ? data[BODY] : undefined
  if (author === undefined || typeof body !== "string") return parts(data, schemas, selection, now)
  const { [BODY]: _, ...rest } = data
  return [
    ...parts(rest, schemas, selection, now),
    ...TextParts.split(BODY, body).map((item): Item => ({ ...item, author }))
  ]
}

const wholeOr = (data: unknown, text: string, split: () => ReadonlyArray<Item>): ReadonlyArray<Item> =>
  TextParts.fits(text, MAX_WHOLE) && TextParts.fits(ResultText.json(data), MAX_WHOLE) ? [{ data, text }] : split()

const jsonParts = (value: Readonly<Record<string, unknown>>): ReadonlyArray<Item> =>
  Object.entries(value).flatMap(([name, member]): ReadonlyArray<Item> => {
    const text = `${name}: ${ResultText.json(member)}`
    if (Array.isArray(member) && !TextParts.fits(text, TextParts.MAX))
      return member.map((element) => ({
        heading: `${name}:`,
        data: { [name]: [element] },
        text: ResultText.json(element)
      }))
    return typeof member === "string" && !TextParts.fits(text, TextParts.MAX)
      ? TextParts.split(name, member)
      : [{ data: { [name]: member }, text }]
  })

/** Returns whether a member is shown after the other members, as a table or as blocks of text. */
const isLong = (member: unknown): boolean => {
  if (Array.isArray(member)) return member.some(Presentation.isRow) || member.length > 100
  return typeof member === "string" && !TextParts.fits(member, TextParts.MAX)
}

const parts = (
  value: Readonly<Record<string, unknown>>,
  schemas: Presentation.Schemas,
  selection: ReadonlyArray<ReadonlyArray<string>> | undefined,
  now: number
): ReadonlyArray<Item> => {
  const selected = selection === undefined ? undefined : FieldSelection.childrenOf(selection)
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
  if (typeof member === "string") return TextParts.split(name, member)
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
        : ResultText.plain(element)
    }))
  const heading = `${title}: ${ResultText.heading(columns)}`
  const paths = columns.map(({ path }) => path)
  return member.map((element) => ({
    heading,
    data: { [name]: [FieldSelection.pick(element, paths, elements)] },
    text: ResultText.row(element, columns, now)
  }))
}

/** Returns the columns of a nested list; no columns if the elements are shown with all members. */
const columnsOf = (
  elements: Presentation.Schemas,
  selected: ReadonlyArray<ReadonlyArray<string>> | undefined
): ReadonlyArray<ResultText.Column> => {
  if (Presentation.isFreeForm(elements)) return []
  if (selected === undefined) return withMaps(elements)
  return FieldSelection.isWhole(selected) ? [] : ResultText.selectedColumns(selected, elements)
}

/** Returns the declared columns, and columns of objects that the declaration leaves out because a list has no room. */
const withMaps = (elements: Presentation.Schemas): ReadonlyArray<ResultText.Column> => {
  const declared = ResultText.declaredColumns(elements)
  if (declared.length === 0) return []
  const shown = new Set(declared.map(({ path: [first] }) => first))
  return [...declared, ...ResultText.mapColumns(elements).filter(({ path: [first] }) => !shown.has(first))]
}

/** Returns the names of the members of a resource that are shown as rows with only some columns. */
export const tablesOf = (value: unknown, schemas: Presentation.Schemas): ReadonlyArray<string> =>
  Presentation.isRow(value)
    ? Object.entries(value).flatMap(([name, member]) => {
        const elements = Presentation.elementSchemas(Presentation.memberSchemas(schemas, name))
        return Array.isArray(member) && member.some(Presentation.isRow) && hidesMembers(elements) ? [name] : []
      })
    : []

/** Returns whether the rows of elements lack some members. */
const hidesMembers = (elements: Presentation.Schemas): boolean => {
  const shown = new Set(
    columnsOf(elements, undefined).map(({ isShort, path, schemas }) =>
      isShort && Presentation.formatOf(schemas) === "id" ? "" : path.join(".")
    )
  )
  return shown.size > 0 && FieldSelection.namesOf(elements).some((name) => !shown.has(name))
}
