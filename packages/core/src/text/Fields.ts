/**
 * The fields of a resource as names and texts, for people: without API links, and with the titles of nested resources.
 */
import * as Presentation from "../contract/Presentation.ts"

type Row = Readonly<Record<string, unknown>>

/** A field of a resource. */
export interface Field {
  /** Member path, for example `config.url`. Unsafe to print before `Terminal.escape`. */
  readonly path: string
  /** The value as text. Unsafe to print before `Terminal.escape`. */
  readonly text: string
  readonly value: unknown
  readonly format: Presentation.Format
}

/** A list of resources inside a resource, such as the files of a commit. */
export interface NestedList {
  readonly name: string
  readonly items: ReadonlyArray<unknown>
  readonly schemas: Presentation.Schemas
}

/** Returns the fields of an object and of nested objects. If all fields are API links, returns the links. */
export const of = (value: Row, schemas: Presentation.Schemas): ReadonlyArray<Field> => {
  const shown = leaves(value, schemas, Presentation.isHidden)
  return shown.length > 0 ? shown : leaves(value, schemas, () => false)
}

/** Returns the lists of resources that an object contains. */
export const lists = (value: Row, schemas: Presentation.Schemas): ReadonlyArray<NestedList> =>
  Object.entries(value).flatMap(([name, member]) =>
    Array.isArray(member) && member.some(Presentation.isRow)
      ? [{ name, items: member, schemas: Presentation.elementSchemas(Presentation.memberSchemas(schemas, name)) }]
      : []
  )

/** Returns true if the object is a file with base64 content. */
export const isEncodedFile = (value: Row): boolean => value.encoding === "base64" && typeof value.content === "string"

const leaves = (
  value: Row,
  schemas: Presentation.Schemas,
  isHidden: typeof Presentation.isHidden,
  prefix = ""
): ReadonlyArray<Field> =>
  Object.entries(value).flatMap(([name, member]): ReadonlyArray<Field> => {
    const described = Presentation.memberSchemas(schemas, name)
    if (isHidden(name, described) || (name === "content" && isEncodedFile(value)) || isEmpty(member)) return []
    const path = `${prefix}${name}`
    const field = (text: string): Field => ({ path, text, value: member, format: Presentation.formatOf(described) })
    if (Presentation.isRow(member)) {
      const title = Presentation.inlineTitle(described, member)
      return title === undefined ? leaves(member, described, isHidden, `${path}.`) : [field(title)]
    }
    if (Array.isArray(member)) return member.some(Presentation.isRow) ? [] : [field(member.join(", "))]
    return [field(typeof member === "string" ? member : JSON.stringify(member))]
  })

/** Returns true for a value without text: null, undefined, and an empty text or list. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
