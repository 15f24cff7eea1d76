/** What the endpoints of the searches share: parameters, access rules and the page of results. */
import * as Schema from "effect/Schema"
import * as Operation from "./Operation.ts"
import { pageQuery } from "./Parameters.ts"
import { openEnum } from "./Scalars.ts"

/** A fragment of a text of a result, with the positions of the matches. */
export const TextMatch = Schema.Struct({
  object_url: Schema.String,
  object_type: Schema.NullOr(Schema.String),
  property: openEnum(["content", "path", "title", "body", "name", "description", "login", "email", "message"]),
  fragment: Schema.String,
  matches: Schema.Array(
    Schema.Struct({
      text: Schema.String,
      /** Start and end of a match, in UTF-16 code units from the start of the fragment. */
      indices: Schema.Array(Schema.Int)
    })
  )
}).annotate({ identifier: "TextMatch" })
export type TextMatch = typeof TextMatch.Type

/** The members of a result that its resource lacks. */
export const matchFields = {
  score: Schema.Finite,
  /** Fragments with matches. Present only with the text-match media type. */
  text_matches: Schema.optionalKey(Schema.Array(TextMatch))
}

/** The members of a page of results. */
export const pageFields = <Item extends Schema.Top>(item: Item) => ({
  total_count: Schema.Int,
  /** True if the search reached the time limit: results may be missing. */
  incomplete_results: Schema.Boolean,
  items: Schema.Array(item)
})

/** The parameter of a query. */
export const queryText = (example: string) =>
  Schema.String.annotate({ description: `Words and qualifiers, for example \`${example}\`.` })

/** The parameters of a search: the query, the order and the page. */
export const searchQuery = <const Sorts extends ReadonlyArray<string>>(example: string, sorts: Sorts) => ({
  q: queryText(example),
  sort: Schema.optionalKey(Schema.Literals(sorts).annotate({ description: "What to sort by; best match by default." })),
  order: Schema.optionalKey(Schema.Literals(["asc", "desc"]).annotate({ description: "desc by default; needs sort." })),
  ...pageQuery
})

/** Access rules and media types of a search. Private resources need the scope `repo`. */
export const searches = {
  public: true,
  permission: [[Operation.metadataRead]],
  privateScopes: ["repo"],
  paging: "page",
  resource: "search",
  mediaTypes: ["text-match"]
} as const // literal types
