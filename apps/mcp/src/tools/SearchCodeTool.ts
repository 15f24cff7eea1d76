/** `search_code`: code search, with the fragments that matched. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Forge } from "@tongs/core/client/Forge"
import type { Entry } from "@tongs/core/contract/Catalog"
import type { CodeSearchItem } from "@tongs/core/contract/Search"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import * as ListResult from "./ListResult.ts"
import { type RepositoryName, type Tool, ToolError } from "./Tool.ts"

/** Characters of a wrong part of the query that are shown. */
const MAX_QUOTE = 60

export const make = ({ operation, tool }: Entry, here: RepositoryName | undefined): Tool => ({
  name: tool,
  operation,
  description: [
    "Search the files of the default branches of every repository. Words side by side must all be in the file, in any case, and may be parts of longer names;",
    '"quotes" make a phrase; AND, OR and NOT are written in capitals, OR binds weakest, and there are no parentheses, no',
    "regular expressions and no wildcards. Qualifiers hold for the whole query: repo:owner/name, user:login, org:login, path:src (a folder),",
    "filename:main (a part of the name), extension:ts, language:typescript, size:>1000, in:path, in:file,path; of several with one name one must hold; a minus before",
    "one keeps its files out. At least one word is needed; at most 256 characters of words and five of AND, OR and NOT.",
    `Definitions come first, so search for names as they are written in code, not for descriptions of them.${here === undefined ? "" : ` repo:${here.owner}/${here.repo} keeps to this repository.`}`,
    "Read what you find with file_contents."
  ].join(" "),
  properties: {
    query: { type: "string", description: "Keywords and qualifiers, as `parseQuery language:typescript`." },
    ...ListResult.properties
  },
  required: ["query"],
  run: Effect.fnUntraced(function* (input, { cursors, deadline }) {
    const forge = yield* Forge
    const q = String(input.query)
    const query = SearchQuery.parse(q)
    if (Result.isFailure(query)) {
      const problems = query.failure.map(
        ({ length, message, start }) =>
          `At ${start}, ${JSON.stringify(q.slice(start, start + Math.min(length, MAX_QUOTE)))}: ${message}`
      )
      return yield* new ToolError({ detail: `This is not a query. ${problems.join(" ")}` })
    }
    return [
      yield* ListResult.readPage(
        input,
        cursors,
        (at) => forge.search.code({ q }, { ...at, mediaType: "text-match", deadline }).first,
        show,
        "Nothing matches. Try fewer or shorter words, or fewer qualifiers; files over 384 KB are not searched."
      )
    ]
  })
})

const show = (item: CodeSearchItem) => ({
  repository: item.repository.full_name,
  path: item.path,
  sha: item.sha,
  fragments: (item.text_matches ?? []).map(({ fragment }) => fragment)
})
