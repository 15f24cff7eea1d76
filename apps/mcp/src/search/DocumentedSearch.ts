/** Searches a forge with the documented code search, which has no line numbers. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { CodeSearchItem } from "@tongs/core/contract/groups/Search"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import type { Answer } from "../answer/Answer.ts"
import { type Call, repositoryOf } from "../call/Call.ts"
import * as Listing from "../lists/Listing.ts"
import { ToolError } from "../call/ToolError.ts"
import * as FileReader from "../files/FileReader.ts"
import * as FileText from "../files/FileText.ts"
import * as FragmentLines from "./FragmentLines.ts"
import * as HitLines from "./HitLines.ts"
import * as QueryHints from "./QueryHints.ts"
import type { Options } from "./IndexSearch.ts"

/** Number of files of a page whose lines need the whole file, because the forge sends no line numbers. */
const CONTEXT_FILES = 10

/** Searches in the default repository, unless the query or the caller names another place. */
export const search = Effect.fnUntraced(function* (query: string, { context = 0, limit, repo }: Options, call: Call) {
  const forge = yield* Forge
  const parsed = yield* Effect.mapError(
    Effect.fromResult(SearchQuery.parse(query)),
    (errors) => new ToolError({ detail: QueryHints.describeErrors(query, errors, SearchQuery.parse) })
  )
  const names = parsed.qualifiers.filter(({ name, not }) => !not && locations.has(name))
  if (repo !== undefined && names.length > 0)
    return yield* new ToolError({ detail: "Pass repo, or write repo:, user: or org: in the query, not both." })
  const repository =
    repo === undefined && (names.length > 0 || call.defaultRepository === undefined)
      ? undefined
      : yield* repositoryOf(repo, call)
  const name = repository === undefined ? undefined : `${repository.owner}/${repository.repo}`
  const q = SearchQuery.print({
    ...parsed,
    qualifiers: [
      ...parsed.qualifiers,
      ...(name === undefined ? [] : [{ name: "repo", value: name, not: false, span: { start: 0, length: 0 } } as const]) // a literal type
    ]
  })
  const found: Array<CodeSearchItem> = []
  const options = { hasRepository: name === undefined, hasContext: context > 0 }
  const page = yield* Listing.read(
    call,
    limit ?? (context > 0 ? CONTEXT_FILES : undefined),
    (options) => forge.search.code({ q }, { ...options, mediaType: "text-match" }),
    (item) => {
      found.push(item)
      return HitLines.printFragments(item, options)
    }
  )
  const isEmpty = found.length === 0 && call.position === undefined
  return {
    source: { repo: name },
    noun: "files",
    ...page,
    items:
      context > 0
        ? yield* Effect.forEach(found, (item) => withContext(item, { context, options, call }), { concurrency: 4 })
        : page.items,
    isLarge: limit !== undefined,
    notes: [...(page.notes ?? []), ...QueryHints.hintsFor(SearchQuery.toCodeQuery(parsed), "basic", isEmpty)]
  } satisfies Answer
})

/** Reads the file of a hit to print the lines with numbers and context. Prints the fragments if reading fails. */
const withContext = (
  item: CodeSearchItem,
  { call, context, options }: { readonly context: number; readonly options: HitLines.Options; readonly call: Call }
) => {
  const { path, repository, text_matches: matches = [] } = item
  const target = { owner: repository.owner.login, repo: repository.name, path }
  return FileReader.read(target, call).pipe(
    Effect.map((content) => {
      const text = content._tag === "File" ? FileText.decode(content.bytes, false) : undefined
      const chunks = text === undefined ? [] : FragmentLines.find(text.lines, matches, context)
      return chunks.length === 0
        ? HitLines.printFragments(item, options)
        : HitLines.print({ repository: repository.full_name, path, chunks }, options)
    }),
    Effect.catch(() => Effect.succeed(HitLines.printFragments(item, options)))
  )
}

const locations: ReadonlySet<string> = new Set(["repo", "user", "org"])
