/** The contract's search: one request to the forge, with line numbers if reading files is free. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import type { CodeSearchItem, TextMatch } from "@tongs/core/contract/groups/Search"
import * as Failure from "@tongs/core/contract/Failure"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import type * as ExplorerApi from "../ExplorerApi.ts"
import * as FragmentLines from "./FragmentLines.ts"
import { interactive } from "./RequestOptions.ts"

const PER_PAGE = 30

/** One page of results. An invalid query fails without a request. */
export const page = Effect.fn("Search.page")(function* (q: string, number: number) {
  const parsed = SearchQuery.parse(q)
  if (Result.isFailure(parsed)) {
    return yield* new Failure.ValidationFailed({
      request: "GET /search/code",
      detail: parsed.failure.map((problem) => problem.message).join(" "),
      status: 422,
      errors: []
    })
  }
  const forge = yield* Forge
  const connection = yield* Connection
  const found = yield* forge.search.code(
    { q },
    { ...(yield* interactive), page: number, perPage: PER_PAGE, mediaType: "text-match" }
  ).first
  const hits = found.items.map((item) => ({ hit: hitOf(item), blob: item.sha }))
  return {
    total: found.totalCount ?? hits.length,
    incomplete: found.incompleteResults,
    hits: connection.kind === "embedded" ? yield* FragmentLines.locateFragments(hits) : hits.map(({ hit }) => hit),
    next: found.links.next === undefined ? null : number + 1
  } satisfies ExplorerApi.SearchPage
})

const hitOf = (item: CodeSearchItem): ExplorerApi.SearchHit => {
  const matches = item.text_matches ?? []
  return {
    owner: item.repository.owner.login,
    repo: item.repository.name,
    path: item.path,
    inPath: matches.filter((match) => match.property === "path" && match.fragment === item.path).flatMap(ranges),
    fragments: matches
      .filter((match) => match.property !== "path")
      .map((match) => ({ text: match.fragment, line: null, matches: ranges(match) }))
  }
}

const ranges = (match: TextMatch): ReadonlyArray<TextRange> =>
  match.matches.flatMap(({ indices: [start, end] }): ReadonlyArray<TextRange> =>
    start === undefined || end === undefined ? [] : [[start, end]]
  )
