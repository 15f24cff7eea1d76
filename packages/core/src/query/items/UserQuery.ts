/** The query language of the search for users and organizations. */
import { userSorts } from "../../contract/SearchSorts.ts"
import * as ItemQualifier from "./ItemQualifier.ts"
import * as ItemQuery from "./ItemQuery.ts"
import * as ItemQueryParser from "./ItemQueryParser.ts"

/** The parts of an account with text. */
export const places = ["login", "name", "email"] as const // literal types for `Place`
/** A part of an account with text. */
export type Place = (typeof places)[number]

/** What results can be sorted by. */
export type SortName = (typeof userSorts)[number]

/** A condition on the profile of an account. */
export type Filter =
  /** Names are compared without case; `fullname` and `location` by their words. */
  | { readonly name: "user" | "org" | "fullname" | "location" | "language"; readonly value: string }
  | { readonly name: "type"; readonly value: "user" | "org" }
  | { readonly name: "repos" | "followers"; readonly min?: number; readonly max?: number }
  | { readonly name: "created"; readonly from?: string; readonly to?: string }

/** A condition on an account. */
export type Condition = ItemQuery.Condition<Filter>

/** A parsed query. */
export type UserQuery = ItemQuery.ItemQuery<Filter, Place, SortName>

const { choice, dates, named, numbers } = ItemQualifier

const language = ItemQualifier.language<Filter, Place, SortName>({
  places,
  sorts: userSorts,
  qualifiers: {
    user: named("user"),
    org: named("org"),
    fullname: named("fullname"),
    location: named("location"),
    language: named("language"),
    type: choice("type", ["user", "org"]),
    repos: numbers("repos"),
    followers: numbers("followers"),
    created: dates("created")
  }
})

/** Parses a query. Fails with diagnostics for all errors (at most `MAX_DIAGNOSTICS`) in the order of the text. */
export const parse = (text: string) => ItemQueryParser.parse(language, text)

/** Prints a query. Parsing the text gives the same query. */
export const print = (query: UserQuery): string => ItemQuery.print(query, places)
