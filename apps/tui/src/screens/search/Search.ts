/** The results of a code search, by file. Uses the forge's code search extension, if any. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Connection } from "@tongs/connection/Connection"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { CodeSearchItem } from "@tongs/core/contract/groups/Search"
import type { Forge } from "@tongs/core/client/Forge"
import type { Failure } from "@tongs/core/contract/Failure"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import type { Page } from "@tongs/core/paging/Page"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as CodeQueryPrinter from "@tongs/core/query/CodeQueryPrinter"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import type { Notice } from "../../content/Content.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import { type Screen, text } from "../Screen.ts"
import * as SearchResults from "./SearchResults.ts"
import type { Results } from "./SearchResults.ts"
import * as SearchTable from "./SearchTable.ts"

/** Items per page. Each item contains a repository, and the client does not cache much larger responses. */
const PER_PAGE = 50

/** Maximum number of pages of results to load. */
const MAX_PAGES = 4

/** Maximum number of files in a response of the extension. */
const MAX_FILES = 300

/** Lines of context around a match. */
const CONTEXT = 1

/** Time limit of a search by the extension in milliseconds. */
const DEADLINE = 6_000

/** Interval of updates while results arrive. */
const UPDATE_INTERVAL = "80 millis"

/** Maximum number of retries of a search while the forge's index is not ready, after 1 s, 2 s, 3 s and so on. */
const MAX_RETRIES = 8

/** Maximum number of searches that continue a search of commits, which stops at the deadline. */
const MAX_OLDER = 20

/** A query and the repository to search; all repositories by default. */
interface Search {
  readonly query: string
  readonly searchesWorkTrees: boolean
  readonly repository: string | undefined
}

/** Limits a query to a repository. Returns an invalid query unchanged, so that the positions of errors stay correct. */
const within = (query: string, repository: string): string =>
  Result.match(CodeQueryParser.parse(query), {
    onSuccess: (parsed) => CodeQueryPrinter.print(CodeQuery.within(parsed, repository)),
    onFailure: () => query
  })

/** Returns the query of a screen, limited to the repository of the screen. */
export const queryOf = (values: Arguments): string => {
  const owner = text(values, "owner")
  const query = text(values, "q")
  return owner === "" ? query : within(query, `${owner}/${text(values, "repo")}`)
}

type Found = Stream.Stream<{ readonly results: Results; readonly age: number }, Failure>

/** Searches with the extension. Shows results on arrival. */
const extension = (
  forge: Forge["Service"],
  { query, repository, searchesWorkTrees }: Search,
  options: Source.LoadOptions
): Found => {
  const source = searchesWorkTrees ? ({ source: "work_trees" } as const) : {} // a literal
  const q = repository === undefined ? query : within(query, repository)
  const attempt = (count: number, newer: Results = SearchResults.empty): Found =>
    Stream.suspend(() => {
      let last = SearchResults.beforeOlder(newer)
      const older = newer.cursor === undefined ? {} : { cursor: newer.cursor }
      const { priority, timeout } = options
      return Stream.concat(
        forge.codeSearch
          .search(
            { q, limit: MAX_FILES, context: CONTEXT, deadline: DEADLINE, ...source, ...older },
            { priority, timeout }
          )
          .pipe(
            Stream.groupedWithin(MAX_FILES, UPDATE_INTERVAL),
            Stream.map((events) => (last = SearchResults.withEvents(last, events))),
            Stream.filter(({ commits, files }) => files.length + commits.length > 0),
            Stream.map((results) => ({ results, age: 0 }))
          ),
        Stream.suspend(() => {
          const hasRoom = last.commits.length < MAX_FILES && count < MAX_OLDER
          if (last.cursor !== undefined && hasRoom) return attempt(count + 1, last)
          if (last.files.length + last.commits.length > 0) return Stream.empty
          const isUnfinished = last.incomplete.length > 0 && count < MAX_RETRIES
          if (!isUnfinished) return Stream.succeed({ results: { ...last, isDone: true }, age: 0 })
          return Stream.unwrap(Effect.as(Effect.sleep(`${count + 1} seconds`), attempt(count + 1)))
        })
      )
    })
  return attempt(0)
}

type Pages = Stream.Stream<Page<CodeSearchItem>, Failure>

/** Retries a search without results while the forge's index is not ready. */
const retryUntilReady = (search: (attempt: number) => Pages, attempt = 0): Pages =>
  Stream.flatMap(search(attempt), (page) =>
    page.incompleteResults && page.items.length === 0 && attempt < MAX_RETRIES
      ? Stream.unwrap(Effect.as(Effect.sleep(`${attempt + 1} seconds`), retryUntilReady(search, attempt + 1)))
      : Stream.succeed(page)
  )

/** Searches with the search of the API. */
const standard = (forge: Forge["Service"], { query, repository }: Search, options: Source.LoadOptions): Found =>
  retryUntilReady((attempt) => {
    const { staleFor: _, ...fresh } = options
    const q = repository === undefined ? query : `${query} repo:${repository}`
    return forge.search
      .code({ q }, { ...(attempt === 0 ? options : fresh), perPage: PER_PAGE, mediaType: "text-match" })
      .pages.pipe(Stream.take(MAX_PAGES))
  }).pipe(
    Stream.scan(
      () => ({ results: SearchResults.empty, age: 0 }),
      ({ age, results }, page) => ({
        results: SearchResults.withPage(results, page.items, page.totalCount, page.incompleteResults),
        age: Math.max(age, ResponseAge.age(page))
      })
    ),
    Stream.filter(({ results }) => results.isDone)
  )

/**
 * The screen of a code search. The argument `q` is the query; `owner` and `repo` limit the search to one repository.
 */
export const screen: Screen = {
  id: "search.code",
  label: "code search",
  entry: entriesOfGroup("search").find(({ name }) => name === "code"),
  required: ["q"],
  title: (values) => `"${text(values, "q")}"`,
  open: (environment, values) => {
    const query = text(values, "q")
    const owner = text(values, "owner")
    const { searchesWorkTrees = false } = Context.get(environment.services, Connection)
    const repository = owner === "" ? undefined : `${owner}/${text(values, "repo")}`
    const search: Search = { query, repository, searchesWorkTrees }
    const shown = (found: Found) =>
      Stream.map(found, ({ age, results }): Source.Loaded => ({
        content: SearchTable.make(query, results, search.repository !== undefined),
        age
      }))
    return Source.fromStream(environment, (forge, options) =>
      shown(extension(forge, search, options)).pipe(
        Stream.catchTag("Unsupported", () => {
          const parsed = SearchQuery.parse(query)
          return Result.isFailure(parsed)
            ? Stream.succeed(refused(query, parsed.failure[0]?.message ?? "Invalid query"))
            : shown(standard(forge, search, options))
        }),
        // The same query would be refused again.
        Stream.catchTag("ValidationFailed", (failure) => Stream.succeed(refused(query, failure.message)))
      )
    )
  }
}

const refused = (query: string, hint: string): Source.Loaded => {
  const content: Notice = { _tag: "Notice", id: query, title: `This forge cannot search for ${query}`, hint }
  return { content, age: 0 }
}
