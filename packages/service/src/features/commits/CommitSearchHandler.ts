/** The handler of the search for commits. */
import * as Effect from "effect/Effect"
import type { CommitSearchItem } from "@tongs/core/contract/groups/Commits"
import type { commitSorts } from "@tongs/core/contract/SearchSorts"
import * as CommitQuery from "@tongs/core/query/items/CommitQuery"
import type { RequestContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as SearchErrors from "../search/SearchErrors.ts"
import * as SearchInput from "../search/SearchInput.ts"
import * as CommitItemSearch from "./CommitItemSearch.ts"
import * as CommitSummaries from "./CommitSummaries.ts"
import * as Score from "../search/Score.ts"

export const make = Effect.gen(function* () {
  const commits = yield* CommitItemSearch.make
  const { summaries } = yield* CommitSummaries.make

  return Effect.fnUntraced(function* (input: SearchInput.Input<typeof commitSorts>, context: RequestContext) {
    const query = yield* SearchInput.query(CommitQuery.parse(input.q), input)
    const range = yield* SearchInput.range(context)
    const found = yield* Effect.catchTag(
      commits.search(context.caller, query, range),
      "UnknownTargets",
      SearchErrors.refuseUnknown
    )
    const byRepository = Map.groupBy(found.items, ({ served }) => served)
    const shown = yield* Effect.forEach([...byRepository], ([served, hits]) =>
      Effect.map(
        summaries(
          served,
          context.urls,
          hits.map(({ sha }) => sha)
        ),
        (all) => all.map(({ make }) => ({ key: `${served.row.id} ${make().sha}`, summary: make() }))
      )
    )
    const byKey = new Map(shown.flat().map(({ key, summary }) => [key, summary]))
    const items = found.items.flatMap(({ message, score, served, sha }): ReadonlyArray<CommitSearchItem> => {
      const summary = byKey.get(`${served.row.id} ${sha}`)
      if (summary === undefined) return []
      const object = { object_type: "Commit", object_url: summary.url }
      return [
        {
          ...summary,
          repository: Shapes.repositorySummary(served, context.urls),
          score: Score.ofPoints(score),
          ...SearchInput.textMatches(query.condition, context, object, [{ property: "message", text: message }])
        }
      ]
    })
    return SearchInput.page({ ...found, items })
  })
})
