/** The query languages of the searches for topics and for labels. */
import * as ItemQualifier from "./ItemQualifier.ts"
import * as ItemQuery from "./ItemQuery.ts"
import * as ItemQueryParser from "./ItemQueryParser.ts"

/** A condition on a topic. */
export type Filter =
  | { readonly name: "is"; readonly value: "curated" | "featured" }
  | { readonly name: "repositories"; readonly min?: number; readonly max?: number }
  | { readonly name: "created"; readonly from?: string; readonly to?: string }

/** A condition on a topic. */
export type Condition = ItemQuery.Condition<Filter>

/** A parsed query. Texts are searched in the name. */
export type TopicQuery = ItemQuery.ItemQuery<Filter, never, never>

const { dates, filter, memberOf, numbers, oneOf, without } = ItemQualifier

const propertyOf: ItemQualifier.Parse<Filter> = (value) => {
  const property = memberOf(["curated", "featured"], value.toLowerCase().replace(/^not-/, ""))
  if (property === undefined) return oneOf("is", ["curated", "featured", "not-curated", "not-featured"])
  return /^not-/i.test(value) ? without({ name: "is", value: property }) : filter({ name: "is", value: property })
}

const language = ItemQualifier.language<Filter>({
  qualifiers: { is: propertyOf, repositories: numbers("repositories"), created: dates("created") }
})

const labelLanguage = ItemQualifier.language<never>({ qualifiers: {} })

/** Parses a query. Fails with diagnostics for all errors (at most `MAX_DIAGNOSTICS`) in the order of the text. */
export const parse = (text: string) => ItemQueryParser.parse(language, text)

/** Parses a query for labels, which has no qualifiers. */
export const parseLabels = (text: string) => ItemQueryParser.parse(labelLanguage, text)

/** Prints a query. Parsing the text gives the same query. */
export const print = (query: TopicQuery): string => ItemQuery.print(query, [])
