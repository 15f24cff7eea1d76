import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type CodeSearchItem, Search } from "@tongs/core/contract/groups/Search"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import * as PathText from "@tongs/core/text/PathText"
import { group } from "../../api/Handlers.ts"
import { CallerRepositories } from "../../access/CallerRepositories.ts"
import type { Urls } from "../../api/Urls.ts"
import type { CandidateOrder } from "../../search/CodeIndex.ts"
import * as CodeSearch from "../../search/CodeSearch.ts"
import type { SearchHit } from "../../search/SearchBatch.ts"
import * as SearchResults from "../../search/SearchResults.ts"
import * as DocumentText from "../../search/text/DocumentText.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as Score from "./Score.ts"
import * as SearchErrors from "./SearchErrors.ts"

const item = (hit: SearchHit, ref: string, withMatches: boolean, urls: Urls): CodeSearchItem => {
  const { git_url, html_url, url } = Shapes.contentUrls(hit.served, urls, ref, "blob", hit.oid, hit.path)
  return {
    name: PathText.nameOf(hit.path),
    path: hit.path,
    sha: hit.oid,
    url,
    git_url,
    html_url,
    repository: Shapes.repositorySummary(hit.served, urls),
    score: Score.ofPoints(hit.rank),
    ...(withMatches ? { text_matches: textMatches(hit, url) } : {})
  }
}

const textMatches = ({ fragments, inPath, path }: SearchHit, url: string) => {
  const inContent = fragments.map((fragment) => ({ property: "content" as const, ...fragment }))
  const matches = inPath.map(([start, end]) => ({ text: path.slice(start, end), indices: [start, end] }))
  const all = matches.length === 0 ? inContent : [{ property: "path" as const, fragment: path, matches }, ...inContent]
  return all.map((match) => ({ object_url: url, object_type: "FileContent", ...match }))
}

/** Restricts a query to the files that the contract's search covers, because the index also has larger files. */
const withSizeLimit = (query: CodeQuery.CodeQuery): CodeQuery.CodeQuery => {
  const filter = { name: "size", max: DocumentText.MAX_CONTRACT_BYTES - 1 } as const
  const expression = CodeQuery.and([query.expression, { _tag: "Filter", filter, span: { start: 0, length: 0 } }])
  return { ...query, expression }
}

/** Sort order by index time. Sorting by match quality is always best first. */
const orderOf = (sort: "indexed" | undefined, order: "asc" | "desc" | undefined): CandidateOrder =>
  sort === undefined ? "best" : order === "asc" ? "oldest" : "newest"

export const make = Effect.gen(function* () {
  const repositories = yield* CallerRepositories
  const search = yield* CodeSearch.CodeSearch
  return group(Search)({
    *code({ order, q, sort }, { caller, mediaType, page, urls }) {
      const parsed = SearchQuery.parse(q)
      if (Result.isFailure(parsed)) return yield* SearchErrors.refuse(parsed.failure.map(({ message }) => message))
      const query = withSizeLimit(SearchQuery.toCodeQuery(parsed.success))
      const visible = yield* repositories.readable(caller)
      const named = parsed.success.qualifiers.some(
        (one) => !one.not && (one.name === "repo" || one.name === "user" || one.name === "org")
      )
      if (named && CodeSearch.selectRepositories(query, visible).length === 0) {
        return yield* SearchErrors.refuse([SearchErrors.UNKNOWN_TARGETS])
      }
      yield* SearchErrors.requireOffset(page.offset)
      const wanted = Math.min(page.offset + page.perPage, SearchResults.MAX_RESULTS)
      const found = yield* SearchResults.collect(query, visible, wanted, orderOf(sort, order)).pipe(
        Effect.provideService(CodeSearch.CodeSearch, search)
      )
      const shown = found.hits.slice(page.offset, page.offset + page.perPage)
      const items = yield* Effect.forEach(shown, (hit) =>
        Effect.map(hit.served.git.head, (branch) => item(hit, branch, mediaType === "text-match", urls))
      )
      return {
        items,
        total: Math.min(found.total, SearchResults.MAX_RESULTS),
        wrap: (items) => ({ total_count: found.total, incomplete_results: found.isIncomplete, items })
      }
    }
  })
})
