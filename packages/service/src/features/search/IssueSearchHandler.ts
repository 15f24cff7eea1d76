/** The handler of the search for issues and pull requests. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { IssueSearchItem, TextMatch } from "@tongs/core/contract/groups/Search"
import type { Issue } from "@tongs/core/contract/groups/Issue"
import * as IssueQuery from "@tongs/core/query/items/IssueQuery"
import type { RequestContext } from "../../api/RequestContext.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import { IssueSearch, type TextRow } from "../../issues/IssueSearch.ts"
import * as IssueViews from "../../issues/IssueViews.ts"
import * as TextRanges from "../../issues/TextRanges.ts"
import * as Fragments from "../../search/Fragments.ts"
import * as SearchResults from "../../search/SearchResults.ts"
import * as Score from "./Score.ts"
import * as SearchedLanguages from "./SearchedLanguages.ts"
import * as SearchErrors from "./SearchErrors.ts"

interface Input {
  readonly q: string
  readonly sort?: IssueQuery.SortName
  readonly order?: "asc" | "desc"
}

const textMatch = ({ comment_id, place, text }: TextRow, issue: Issue, query: IssueQuery.IssueQuery) => {
  const base = issue.url.slice(0, issue.url.lastIndexOf("/"))
  const [object_type, object_url] =
    comment_id === null ? ["Issue", issue.url] : ["IssueComment", `${base}/comments/${comment_id}`]
  return Fragments.make(text, TextRanges.find(text, query.condition)).map((fragment): TextMatch => {
    const property = place === "title" ? "title" : "body"
    return { object_url, object_type, property, ...fragment }
  })
}

export const make = Effect.gen(function* () {
  const rows = yield* IssueRows
  const search = yield* IssueSearch
  const views = yield* IssueViews.make
  const { ofIssues } = yield* SearchedLanguages.make

  return Effect.fnUntraced(function* ({ order = "desc", q, sort }: Input, context: RequestContext) {
    const { caller, mediaType, page } = context
    const parsed = IssueQuery.parse(q)
    if (Result.isFailure(parsed)) return yield* SearchErrors.refuse(parsed.failure.map(({ message }) => message))
    yield* SearchErrors.requireOffset(page.offset)
    const query = sort === undefined ? parsed.success : { ...parsed.success, sort: { by: sort, order } }
    const limit = Math.min(page.perPage, SearchResults.MAX_RESULTS - page.offset)
    const { isIncomplete, languages } = yield* ofIssues(caller, query)
    const found = yield* search
      .search(caller, query, { offset: page.offset, limit }, languages)
      .pipe(Effect.catchTag("UnknownTargets", SearchErrors.refuseUnknown))
    const ids = found.hits.map(({ id }) => id)
    const byId = yield* rows.byIds(ids)
    const shown = yield* views.across(
      ids.flatMap((id) => byId.get(id) ?? []),
      context
    )
    const texts = mediaType === "text-match" ? yield* search.matches(query, ids) : []
    return {
      items: shown.map(({ issue: { body, ...issue } }): IssueSearchItem => {
        const own = texts.filter(({ issue_id }) => issue_id === issue.id)
        return {
          ...issue,
          // GitHub's results leave out a missing text.
          ...(typeof body === "string" ? { body } : {}),
          score: Score.ofPoints(found.hits.find(({ id }) => id === issue.id)?.score ?? 0),
          ...(mediaType === "text-match" ? { text_matches: own.flatMap((text) => textMatch(text, issue, query)) } : {})
        }
      }),
      total: Math.min(found.total, SearchResults.MAX_RESULTS),
      wrap: (items: ReadonlyArray<IssueSearchItem>) => ({
        total_count: found.total,
        incomplete_results: isIncomplete,
        search_type: "lexical",
        items
      })
    }
  })
})
