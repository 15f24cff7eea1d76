/** Says why a list is empty: the filters of the call, and the filters that apply by default. */
import type { CatalogEntry, InputField } from "@tongs/core/contract/CatalogEntry"
import type { Arguments } from "../answer/Answer.ts"
import * as QuotedText from "../text/QuotedText.ts"

/** Maximum number of characters of a filter's value to show. */
const MAX_VALUE = 60

/** Query fields that select no items. */
const others = new Set(["sort", "order", "direction", "ref", "sha", "ignore_whitespace", "patches"])

/** Returns the notes for an empty list. */
export const notesOf = ({ fields }: Pick<CatalogEntry, "fields">, input: Arguments): ReadonlyArray<string> => {
  const filters = fields.filter((field) => field.in === "query" && !others.has(field.name))
  const given = filters.filter(({ name }) => input[name] !== undefined)
  if (given.length > 0) {
    const values = given.map(({ name }) => `${name} ${QuotedText.quote(String(input[name]), MAX_VALUE)}`)
    return [`No item matches ${values.join(" and ")}.`]
  }
  return filters.flatMap((field) => {
    const value = defaultOf(field)
    return value === undefined || value === "all"
      ? []
      : [`${field.name} is ${value} by default. Others: ${field.values.filter((one) => one !== value).join(", ")}.`]
  })
}

/** Returns the value that the description of a field names as the default. */
const defaultOf = ({ description, values }: InputField): string | undefined =>
  values.find((value) => description.includes(`${value} by default`))
