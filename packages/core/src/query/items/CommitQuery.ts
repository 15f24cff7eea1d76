/** The query language of the search for commits. */
import { commitSorts } from "../../contract/SearchSorts.ts"
import * as ItemQualifier from "./ItemQualifier.ts"
import * as ItemQuery from "./ItemQuery.ts"
import * as ItemQueryParser from "./ItemQueryParser.ts"

/** What results can be sorted by. */
export type SortName = (typeof commitSorts)[number]

/** The persons of a commit. */
export type Person = "author" | "committer"

/** A condition on a commit or its repository. */
export type Filter =
  | { readonly name: "repo" | "user" | "org"; readonly value: string }
  /** The login of the person, or `@me`. */
  | { readonly name: Person; readonly value: string }
  /** Words of the name, or the complete address. */
  | { readonly name: `${Person}-name` | `${Person}-email`; readonly value: string }
  /** The beginning of an object id. */
  | { readonly name: "hash" | "parent" | "tree"; readonly value: string }
  | { readonly name: "merge"; readonly value: "true" }
  | { readonly name: "is"; readonly value: "public" | "private" }
  | { readonly name: `${Person}-date`; readonly from?: string; readonly to?: string }

/** A condition on a commit. */
export type Condition = ItemQuery.Condition<Filter>

/** A parsed query. Texts are searched in the message. */
export type CommitQuery = ItemQuery.ItemQuery<Filter, never, SortName>

const { choice, dates, filter, flag, named, repository } = ItemQualifier

/** Creates the parser of the beginning of an object id. */
const objectId =
  (name: "hash" | "parent" | "tree"): ItemQualifier.Parse<Filter> =>
  (value) =>
    /^[0-9a-f]{4,64}$/i.test(value)
      ? filter({ name, value: value.toLowerCase() })
      : { message: `${name}: takes the hexadecimal digits of an object id, at least 4.` }

const language = ItemQualifier.language<Filter, never, SortName>({
  sorts: commitSorts,
  qualifiers: {
    repo: repository,
    user: named("user"),
    org: named("org"),
    author: named("author"),
    "author-name": named("author-name"),
    "author-email": named("author-email"),
    "author-date": dates("author-date"),
    committer: named("committer"),
    "committer-name": named("committer-name"),
    "committer-email": named("committer-email"),
    "committer-date": dates("committer-date"),
    hash: objectId("hash"),
    parent: objectId("parent"),
    tree: objectId("tree"),
    merge: flag("merge"),
    is: choice("is", ["public", "private"])
  }
})

/** Parses a query. Fails with diagnostics for all errors (at most `MAX_DIAGNOSTICS`) in the order of the text. */
export const parse = (text: string) => ItemQueryParser.parse(language, text)

/** Prints a query. Parsing the text gives the same query. */
export const print = (query: CommitQuery): string => ItemQuery.print(query, [])
