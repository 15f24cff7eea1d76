/** The tool `search_code`: matching lines of the best files, of the code index or of the documented code search. */
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Forge } from "@tongs/core/client/Forge"
import type { Done, FileHit } from "@tongs/core/contract/CodeSearch"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import type { Answer } from "../answer/Answer.ts"
import { type Call, repositoryOf, type RepositoryName } from "../call/Call.ts"
import * as Listing from "../call/Listing.ts"
import * as Tool from "../call/Tool.ts"
import { ToolError } from "../call/ToolError.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as HitLines from "../search/HitLines.ts"
import * as QueryHints from "../search/QueryHints.ts"

/** Maximum number of files of a search, which are then ranked. */
const MAX_FILES = 1_000

/** Time limit of a search of the code index in milliseconds. */
const DEADLINE = 10_000

/** Maximum number of files of a search whose lines with matches are all read. */
const MAX_COMPLETE = 2

/** Number of files of a search above which only some lines of each are shown, and the number of these lines. */
const MANY_FILES = 10
const MAX_LINES = 3

const Input = Schema.Struct({
  query: Schema.String,
  repo: ToolInput.repo,
  context: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10 }))),
  limit: ToolInput.limit(Listing.MAX_LIMIT)
})

/** Creates the tool. */
export const make = (): Tool.Tool =>
  Tool.make({
    name: "search_code",
    description:
      'Search code of default branches: words (all must match), "a phrase", OR, NOT, /regex/, symbol:name, path:src/**/*.ts, language:, extension:, repo:. Lines that define a match name its kind. context: lines around.',
    uses: ["search.code", "codeSearch.search", "codeSearch.getMatches"],
    isList: true,
    input: Input,
    run: Effect.fnUntraced(function* (input, call) {
      const query = yield* parse(input.query, CodeQueryParser.parse)
      const repository = input.repo === undefined ? undefined : yield* repositoryOf(input.repo, call)
      return yield* searchIndex(restrict(query, repository), input, call).pipe(
        Effect.catchTag("Unsupported", () => searchDocumented(input, call))
      )
    })
  })

const parse = <A>(
  text: string,
  read: (text: string) => Result.Result<A, Parameters<typeof QueryHints.describeErrors>[1]>
) =>
  Effect.mapError(
    Effect.fromResult(read(text)),
    (errors) => new ToolError({ detail: QueryHints.describeErrors(text, errors) })
  )

const nowhere = { start: 0, length: 0 }

const restrict = (query: CodeQuery.CodeQuery, repository: RepositoryName | undefined): CodeQuery.CodeQuery =>
  repository === undefined
    ? query
    : {
        ...query,
        expression: CodeQuery.and([
          query.expression,
          {
            _tag: "Filter",
            filter: { name: "repo", value: `${repository.owner}/${repository.repo}` },
            span: nowhere
          }
        ])
      }

const searchIndex = Effect.fnUntraced(function* (
  query: CodeQuery.CodeQuery,
  { context = 0, limit, repo }: typeof Input.Type,
  call: Call
) {
  const forge = yield* Forge
  const q = CodeQueryParser.print(query)
  const files: Array<FileHit> = []
  let done: Done | undefined
  yield* Stream.runForEach(
    forge.codeSearch.search({ q, limit: MAX_FILES, context, deadline: DEADLINE }, { deadline: call.deadline }),
    (event) => {
      if (event._tag === "File") files.push(event)
      else if (event._tag === "Done") done = event
      else return call.reportProgress(event.files, undefined, `${event.matches} matches so far`)
      return Effect.void
    }
  )
  const ranked = files.sort((a, b) => b.rank - a.rank || (keyOf(a) < keyOf(b) ? -1 : 1))
  const hasRepository = new Set(ranked.map((hit) => `${hit.owner}/${hit.repo}`)).size > 1
  const skip = call.position?.skip ?? 0
  const page = ranked.slice(skip, limit === undefined ? undefined : skip + limit)
  const shown =
    context === 0 && ranked.length <= MAX_COMPLETE
      ? yield* Effect.forEach(page, (hit) => completeLines(hit, q, call), { concurrency: MAX_COMPLETE })
      : page
  const [first] = ranked
  const matches = ranked.reduce((count, hit) => count + hit.match_count, 0)
  const options = {
    hasRepository,
    hasContext: context > 0,
    ...(ranked.length > MANY_FILES ? { maxLines: MAX_LINES } : {})
  }
  return {
    source: {
      repo: hasRepository || first === undefined ? repo : `${first.owner}/${first.repo}`,
      matches: matches === 0 ? undefined : matches
    },
    items: shown.map((hit) => HitLines.fromIndex(hit, options)),
    noun: ranked.length === 1 ? "file" : "files",
    total: ranked.length,
    isLarge: limit !== undefined,
    notes: [
      ...(done?.incomplete ?? ["failed"]).map((reason) => reasons[reason] ?? `Results may be missing: ${reason}.`),
      ...QueryHints.hintsFor(query, "code", ranked.length === 0)
    ],
    next: (shown) => (skip + shown < ranked.length ? { position: { skip: skip + shown } } : undefined)
  } satisfies Answer
})

const keyOf = ({ owner, path, repo }: FileHit): string => `${owner}/${repo}/${path}`

/** Reads all lines of a file with matches, if the search found more than it sent. */
const completeLines = (hit: FileHit, q: string, { deadline }: Call) => {
  const found = hit.chunks.flatMap(({ lines }) => lines).reduce((count, { matches }) => count + matches.length, 0)
  if (found >= hit.match_count) return Effect.succeed(hit)
  return Effect.gen(function* () {
    const forge = yield* Forge
    const { commit, owner, path, repo } = hit
    const { lines } = yield* forge.codeSearch.getMatches({ owner, repo, path, ref: commit, q }, { deadline })
    return lines.length === 0 ? hit : { ...hit, chunks: [{ lines }] }
  })
}

/** Messages for the reasons why results are missing. */
const reasons: Readonly<Record<string, string>> = {
  deadline: "Results may be missing: the search reached its time limit. Narrow the query.",
  limit: `More files match: the best of ${MAX_FILES} are listed. Narrow the query.`,
  indexing: "Results may be missing: the index is not complete yet. Search again in some seconds.",
  failed: "Results may be missing: some files could not be read."
}

/** Searches a forge without the code index, in the default repository unless the query or the caller names another. */
const searchDocumented = Effect.fnUntraced(function* (
  { context = 0, limit, query, repo }: typeof Input.Type,
  call: Call
) {
  const forge = yield* Forge
  const parsed = yield* parse(query, SearchQuery.parse)
  const names = parsed.qualifiers.filter(({ name, not }) => !not && LOCATIONS.has(name))
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
      ...(name === undefined ? [] : [{ name: "repo", value: name, not: false, span: nowhere } as const]) // a literal type
    ]
  })
  const page = yield* Listing.read(
    call,
    limit,
    (options) => forge.search.code({ q }, { ...options, mediaType: "text-match" }),
    (item) => HitLines.fromFragments(item, { hasRepository: name === undefined, hasContext: context > 0 })
  )
  const isEmpty = page.items.length === 0 && call.position === undefined
  return {
    source: { repo: name },
    noun: "files",
    ...page,
    notes: [...(page.notes ?? []), ...QueryHints.hintsFor(SearchQuery.toCodeQuery(parsed), "basic", isEmpty)]
  } satisfies Answer
})

const LOCATIONS: ReadonlySet<string> = new Set(["repo", "user", "org"])
