/** The query language of the search for repositories. */
import { repositorySorts } from "../../contract/SearchSorts.ts"
import * as ItemQualifier from "./ItemQualifier.ts"
import * as ItemQuery from "./ItemQuery.ts"
import * as ItemQueryParser from "./ItemQueryParser.ts"

/** The parts of a repository with text. */
export const places = ["name", "description", "topics", "readme"] as const // literal types for `Place`
/** A part of a repository with text. */
export type Place = (typeof places)[number]

const usualPlaces: ReadonlyArray<Place> = ["name", "description", "topics"]

/** What results can be sorted by. */
export type SortName = (typeof repositorySorts)[number]

/** Qualifiers whose value is a range of numbers. `size` is in kilobytes. */
export type NumberName =
  | "size"
  | "followers"
  | "forks"
  | "stars"
  | "topics"
  | "good-first-issues"
  | "help-wanted-issues"

/** A condition on the metadata of a repository. */
export type Filter =
  /** Compared without case. The owner can be `@me`. */
  | { readonly name: "repo" | "user" | "org" | "language" | "topic" | "license"; readonly value: string }
  | { readonly name: "is"; readonly value: "public" | "private" }
  | { readonly name: "archived" | "mirror" | "template"; readonly value: "true" }
  /** `true` matches all repositories: without a `fork` filter, a search leaves forks out. */
  | { readonly name: "fork"; readonly value: "true" | "only" | "false" }
  | { readonly name: NumberName; readonly min?: number; readonly max?: number }
  | { readonly name: "created" | "pushed"; readonly from?: string; readonly to?: string }

/** A condition on a repository. */
export type Condition = ItemQuery.Condition<Filter>

/** A parsed query. */
export type RepositoryQuery = ItemQuery.ItemQuery<Filter, Place, SortName>

const { choice, dates, flag, named, numbers, repository } = ItemQualifier

const language = ItemQualifier.language<Filter, Place, SortName>({
  places,
  usualPlaces,
  sorts: repositorySorts,
  qualifiers: {
    repo: repository,
    user: named("user"),
    org: named("org"),
    language: named("language"),
    topic: named("topic"),
    license: named("license"),
    is: choice("is", ["public", "private"]),
    archived: flag("archived"),
    mirror: flag("mirror"),
    template: flag("template"),
    fork: choice("fork", ["true", "only", "false"]),
    size: numbers("size"),
    followers: numbers("followers"),
    forks: numbers("forks"),
    stars: numbers("stars"),
    topics: numbers("topics"),
    "good-first-issues": numbers("good-first-issues"),
    "help-wanted-issues": numbers("help-wanted-issues"),
    created: dates("created"),
    pushed: dates("pushed")
  }
})

/** Parses a query. Fails with diagnostics for all errors (at most `MAX_DIAGNOSTICS`) in the order of the text. */
export const parse = (text: string) => ItemQueryParser.parse(language, text)

/** Prints a query. Parsing the text gives the same query. */
export const print = (query: RepositoryQuery): string => ItemQuery.print(query, usualPlaces)
