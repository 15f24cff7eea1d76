/** The tool `search_code`: code search with the matching fragments of each file. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Forge } from "@tongs/core/client/Forge"
import type { CatalogEntry } from "@tongs/core/contract/Catalog"
import type { CodeSearchItem } from "@tongs/core/contract/Search"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import * as ListResult from "./ListResult.ts"
import { type RepositoryName, type Tool, ToolError } from "./Tool.ts"

/** Maximum number of characters of the query in an error message. */
const MAX_QUOTE = 60

/** Creates the tool for the operation `search.code`. */
export const make = ({ operation, tool }: CatalogEntry, defaultRepository: RepositoryName | undefined): Tool => ({
  name: tool,
  operation,
  description: [
    "Search the files on the default branch of every repository. Adjacent words must all occur in the file; case is ignored, and a word can be part of a longer name.",
    '"quotes" make a phrase. AND, OR and NOT must be uppercase; OR binds weakest. There are no parentheses, regular expressions or wildcards.',
    "Qualifiers apply to the whole query: repo:owner/name, user:login, org:login, path:src (a folder),",
    "filename:main (part of the name), extension:ts, language:typescript, size:>1000, in:path, in:file,path.",
    "If a qualifier is repeated, one of its values must match; a minus before it excludes matching files.",
    "A query needs at least one word, and can have at most 256 characters of words and five AND, OR and NOT.",
    `Definitions are ranked first, so search for names as they are written in code, not for descriptions of them.${defaultRepository === undefined ? "" : ` repo:${defaultRepository.owner}/${defaultRepository.repo} limits the search to this repository.`}`,
    "Read the files that you find with file_contents."
  ].join(" "),
  properties: {
    query: { type: "string", description: "Words and qualifiers, for example `parseQuery language:typescript`." },
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
          `At position ${start}, ${JSON.stringify(q.slice(start, start + Math.min(length, MAX_QUOTE)))}: ${message}`
      )
      return yield* new ToolError({ detail: `Invalid query. ${problems.join(" ")}` })
    }
    return [
      yield* ListResult.readPage(
        input,
        cursors,
        (page) => forge.search.code({ q }, { ...page, mediaType: "text-match", deadline }).first,
        show,
        "No matches. Try fewer or shorter words, or fewer qualifiers. Files over 384 KB are not searched."
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
