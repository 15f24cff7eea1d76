import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type CodeSearchItem, Search } from "@tongs/core/contract/Search"
import * as Query from "@tongs/core/query/Query"
import { Hosting } from "../Hosting.ts"
import { group } from "../http/Handlers.ts"
import * as Refusal from "../http/Refusal.ts"
import { Roles } from "../http/Roles.ts"
import type { Urls } from "../http/Urls.ts"
import * as CodeSearch from "../search/CodeSearch.ts"
import * as Fragments from "../search/Fragments.ts"
import * as Shapes from "./Shapes.ts"

const refuse = (messages: ReadonlyArray<string>) =>
  Refusal.invalid(
    "Validation Failed",
    messages.map((message) => ({ resource: "Search", field: "q", code: "invalid", message }))
  )

const item = (
  hit: CodeSearch.Hit,
  ref: string,
  words: ReadonlyArray<string> | undefined,
  urls: Urls
): CodeSearchItem => {
  const { git_url, html_url, url } = Shapes.contentUrls(hit.hosted, urls, ref, "blob", hit.oid, hit.path)
  return {
    name: hit.path.slice(hit.path.lastIndexOf("/") + 1),
    path: hit.path,
    sha: hit.oid,
    url,
    git_url,
    html_url,
    repository: Shapes.repositorySummary(hit.hosted, urls),
    score: hit.score,
    ...(words === undefined ? {} : { text_matches: textMatches(hit, words, url) })
  }
}

const textMatches = (hit: CodeSearch.Hit, words: ReadonlyArray<string>, url: string) => {
  const property = hit.text === undefined ? ("path" as const) : ("content" as const)
  return Fragments.make(hit.text ?? hit.path, words).map((fragment) => ({
    object_url: url,
    object_type: "FileContent",
    property,
    ...fragment
  }))
}

export const make = Effect.gen(function* () {
  const hosting = yield* Hosting
  const roles = yield* Roles
  return group(Search)({
    *code({ q }, { caller, mediaType, page, urls }) {
      const parsed = Query.parse(q)
      if (Result.isFailure(parsed)) return yield* refuse(parsed.failure.map(({ message }) => message))
      const query = parsed.success
      const visible = yield* hosting.open(yield* roles.visible(caller, yield* hosting.list))
      const wanted = visible.filter((hosted) => CodeSearch.selects(query, hosted))
      const named = query.qualifiers.some(
        (one) => !one.not && (one.name === "repo" || one.name === "user" || one.name === "org")
      )
      if (named && wanted.length === 0) {
        return yield* refuse([
          "The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them."
        ])
      }
      const { hits, incomplete } = yield* CodeSearch.search(query, wanted)
      const words =
        mediaType === "text-match"
          ? query.any.flatMap((terms) => terms.filter((term) => !term.not).map((term) => term.text))
          : undefined
      const shown = hits.slice(page.offset, page.offset + page.perPage)
      const items = yield* Effect.forEach(shown, (hit) =>
        Effect.map(hit.hosted.git.head, (branch) => item(hit, branch, words, urls))
      )
      return {
        items,
        total: hits.length,
        wrap: (items) => ({ total_count: hits.length, incomplete_results: incomplete, items })
      }
    }
  })
})
