/** `tongs search`: searches code, and prints the matching lines. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { Connection } from "@tongs/connection/Connection"
import type { ConnectionSettings } from "@tongs/connection/ConnectionSettings"
import { Forge } from "@tongs/core/client/Forge"
import type { NewResults } from "@tongs/core/contract/groups/SavedSearches"
import type { CodeSearchItem, TextMatch } from "@tongs/core/contract/groups/Search"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import type { Diagnostic } from "@tongs/core/query/Diagnostic"
import * as QueryCorrection from "@tongs/core/query/QueryCorrection"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import * as ShellWord from "@tongs/core/text/ShellWord"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Flags from "../session/Flags.ts"
import { Output } from "../base/Output.ts"
import * as JsonOutput from "../json/JsonOutput.ts"
import * as InteractiveRequest from "../session/InteractiveRequest.ts"
import * as Progress from "../session/Progress.ts"
import { Connector } from "../session/Connector.ts"
import * as Session from "../session/Session.ts"
import { UsageError } from "../base/UsageError.ts"
import * as CommitResult from "./CommitResult.ts"
import * as EmbeddedSearch from "./EmbeddedSearch.ts"
import * as SavedSearch from "./SavedSearch.ts"
import * as SearchedRepositories from "./SearchedRepositories.ts"
import * as SearchJson from "./SearchJson.ts"
import * as SearchResult from "./SearchResult.ts"

const config = {
  words: Argument.String("query").pipe(
    Argument.atLeast(0),
    Argument.withDescription('Words, "phrases" and qualifiers, for example parse repo:octo/hello language:ts')
  ),
  limit: Flag.Int("limit").pipe(
    Flag.optional,
    Flag.withDescription("Maximum number of files or commits to print; 30 by default, or the query's count:")
  ),
  cursor: Flag.String("cursor").pipe(
    Flag.optional,
    Flag.withDescription(
      "Search older commits: the cursor that an earlier search with type:commit or type:diff printed"
    )
  ),
  all: Flags.toggle("all", "Search every repository of the forge, not only that of the working directory"),
  ...SavedSearch.flags
}

/** Number of files or commits without `--limit` and `count:`. */
const USUAL_LIMIT = 30

const run = Effect.fnUntraced(function* (given: Command.Command.Config.Infer<typeof config>) {
  const { all, limit, words } = given
  const cursor = Option.getOrUndefined(given.cursor)
  if (Option.exists(limit, (value) => value < 1))
    return yield* new UsageError({ detail: "--limit must be at least 1.", hint: "" })
  const saved = yield* SavedSearch.selection(given)
  if (saved?._tag === "Since") {
    const printing = Effect.flatMap(SavedSearch.newResults(saved.name), (results) =>
      Effect.andThen(showNew(results), saved.marks ? SavedSearch.markSeen(results) : Effect.void)
    )
    return yield* Effect.provide(printing, Session.ownLayer)
  }
  const text =
    saved === undefined ? words.join(" ") : yield* Effect.provide(SavedSearch.queryOf(saved.name), Session.ownLayer)
  // Reject an invalid query before connecting to the forge.
  const settings = yield* Session.settings
  const parse = settings.url === undefined ? CodeQueryParser.parse : parseBasic
  const query = parse(text)
  if (Result.isFailure(query)) return yield* invalidQuery(text, query.failure, QueryCorrection.correct(text, parse))
  const { count = Option.getOrElse(limit, () => USUAL_LIMIT) } = query.success
  const most = Math.min(
    count,
    Option.getOrElse(limit, () => count),
    EmbeddedSearch.MAX_FILES
  )
  // A saved search covers the repositories that the query names.
  if (all || saved !== undefined)
    return yield* Effect.provide(find(text, query.success, { limit: most, cursor }), Session.ownLayer)
  const connect = yield* Connector
  const clones = yield* SearchedRepositories.countClones(settings)
  const layer = connect({ ...settings, ...(clones > 0 ? { repos: [settings.cwd] } : {}), ...Session.own })
  return yield* Effect.provide(findHere(text, query.success, { limit: most, cursor }, { settings, clones }), layer)
})

/** The wanted part of the results. */
interface Part {
  readonly limit: number
  /** The cursor of an earlier search of commits. */
  readonly cursor: string | undefined
}

/**
 * Searches the repository of the working directory, or the clones in the working directory, and prints a sentence about
 * this scope.
 */
const findHere = Effect.fnUntraced(function* (
  text: string,
  query: CodeQuery.CodeQuery,
  part: Part,
  { clones, settings }: { readonly settings: ConnectionSettings; readonly clones: number }
) {
  const { kind } = yield* Connection
  if (kind !== "embedded") return yield* find(text, query, part)
  const { q, sentence } = yield* SearchedRepositories.cover(text, query, settings, clones)
  const { note } = yield* Output
  if (sentence !== undefined && !(yield* JsonOutput.isWanted)) yield* note(sentence)
  return yield* find(q, query, part)
})

/** Prints the new results of a saved search. */
const showNew = Effect.fnUntraced(function* (results: NewResults) {
  if (yield* JsonOutput.isWanted) return yield* JsonOutput.print(results)
  const { note } = yield* Output
  const { commits, count, files, incomplete, query } = results
  const parsed = CodeQueryParser.parse(query)
  const noun = Result.isSuccess(parsed) && parsed.success.kind !== "file" ? "commit" : "file"
  if (count > 0 && Result.isSuccess(parsed)) {
    const found = { files, commits, noun, done: undefined, reasons: incomplete, incomplete: [] } as const // a literal noun
    yield* show(parsed.success, EmbeddedSearch.textOf(found))
  }
  yield* note(SavedSearch.summary(results, yield* Clock.currentTimeMillis))
})

const parseBasic = (text: string) => Result.map(SearchQuery.parse(text), SearchQuery.toCodeQuery)

const find = Effect.fnUntraced(function* (text: string, query: CodeQuery.CodeQuery, { cursor, limit }: Part) {
  const { kind } = yield* Connection
  const printJson = yield* JsonOutput.printerIfWanted()
  if (kind === "embedded") {
    const noun = query.kind === "file" ? "file" : "commit"
    const found = yield* Effect.catchTag(
      EmbeddedSearch.search(text, { cursor, limit, noun, countsAll: printJson !== undefined }),
      "Unsupported",
      () => Effect.undefined
    )
    if (found !== undefined) {
      if (printJson !== undefined) return yield* Effect.flatMap(SearchJson.make(found), printJson)
      yield* show(query, EmbeddedSearch.textOf(found))
      const { note } = yield* Output
      if (found.done?.cursor !== undefined) yield* note(`Search older commits with --cursor ${found.done.cursor}`)
      return
    }
  }
  const answer = yield* searchByContract(text, limit)
  if (printJson !== undefined) return yield* printJson(answer)
  return yield* show(query, {
    files: answer.items.map(file),
    total: answer.total_count,
    incomplete: answer.incomplete_results ? ["the search stopped early"] : []
  })
})

const searchByContract = Effect.fnUntraced(function* (text: string, limit: number) {
  const forge = yield* Forge
  const list = forge.search.code(
    { q: text },
    {
      ...(yield* InteractiveRequest.interactive),
      ...Progress.listOptions,
      mediaType: "text-match",
      perPage: Math.min(limit, Progress.listOptions.perPage),
      limit
    }
  )
  const pages = yield* Progress.showWaiting(Stream.runCollect(list.pages))
  const items = pages.flatMap((page) => page.items).slice(0, limit)
  return {
    total_count: pages[0]?.totalCount ?? items.length,
    incomplete_results: pages.some((page) => page.incompleteResults),
    items
  }
})

const show = Effect.fnUntraced(function* (query: CodeQuery.CodeQuery, found: SearchResult.Results) {
  const { columns, isTerminal, note, page, print } = yield* Output
  const paint = yield* Flags.paint
  const { commits = [], files } = found
  yield* page(
    ...files.flatMap((file) =>
      isTerminal
        ? [...SearchResult.formatForTerminal(file, paint, columns), ""]
        : SearchResult.formatForPipe(file, paint)
    ),
    ...commits.flatMap((commit) =>
      isTerminal
        ? [...CommitResult.formatForTerminal(commit, paint, columns), ""]
        : CommitResult.formatForPipe(commit, paint)
    )
  )
  for (const one of found.notes ?? []) yield* note(Terminal.escape(one))
  // On a pipe, stdout contains only records.
  yield* (isTerminal ? print : note)(SearchResult.formatCount(found))
  if (files.length === 0 && commits.length === 0)
    yield* note(found.incomplete.length === 0 ? suggestion(query) : "Try again in a moment.")
})

/** Returns the next step after a search without results. */
const suggestion = ({ caseSensitive, expression, kind, wholeWord }: CodeQuery.CodeQuery): string => {
  const words = CodeQuery.positiveLeaves(expression)
  if (caseSensitive || wholeWord) return "Remove case:yes and word:yes."
  if (CodeQuery.hasFilter(expression)) return "Remove a qualifier."
  return words.length > 1
    ? `${places[kind]} must contain all words. Remove one, or put OR between them.`
    : "Search for a part of the word: it matches longer names too."
}

/** The searched text for each kind of query, in the words of the suggestion. */
const places = {
  file: "A file",
  commit: "The message of a commit",
  diff: "The added and removed lines of a commit"
} as const

const file = ({ path, repository, text_matches = [] }: CodeSearchItem): SearchResult.File => ({
  name: `${repository.full_name}:${path}`,
  lines: text_matches.filter(({ property }) => property === "content").flatMap(lines)
})

/** Returns the lines of a fragment that contain matches, whose line numbers are unknown. */
const lines = ({ fragment, matches }: TextMatch): ReadonlyArray<SearchResult.Line> => {
  let at = 0
  return fragment.split("\n").flatMap((text) => {
    const from = at
    at += text.length + 1
    const inLine = matches.flatMap(({ indices: [start = 0, end = 0] }) =>
      start < at && end > from ? [[Math.max(start - from, 0), Math.min(end - from, text.length)] as const] : []
    )
    return inLine.length === 0 ? [] : [{ text: text.replace(/\r$/, ""), matches: inLine, isCut: false }]
  })
}

/** Creates the error for an invalid query, with each problem below the query's text at the position of the problem. */
const invalidQuery = (text: string, problems: ReadonlyArray<Diagnostic>, corrected: string | undefined) => {
  const shown = problems.flatMap(({ length, message, start }) => {
    const before = Terminal.width(Terminal.escape(text.slice(0, start)))
    const marks = Math.max(1, Terminal.width(Terminal.escape(text.slice(start, start + length))))
    return [`  ${Terminal.escape(text)}`, `  ${" ".repeat(before)}${"^".repeat(marks)} ${message}`]
  })
  const corrections =
    corrected === undefined ? [] : [`Try: tongs search ${Terminal.escape(ShellWord.quote(corrected))}`]
  return new UsageError({ detail: "Invalid query.", hint: [...shown, ...corrections].join("\n") })
}

export const search = Command.make("search", config, run).pipe(
  Command.withDescription(
    "Search the code of this repository, of all clones in this folder, or with --all of every repository"
  ),
  Command.withExamples([
    { command: "tongs search 'parse language:ts'" },
    { command: `tongs search '"not found" path:src' --limit 5` },
    {
      command: "tongs search '/retr(y|ies)/ path:*.ts'",
      description: "Regular expressions and path patterns, on the embedded forge"
    },
    { command: "tongs search parse --all", description: "In every repository of the forge" },
    { command: "tongs search parse rev:v1.0 --json", description: "In a tag, as JSON" },
    { command: "tongs search parse --jq '.items[].path'", description: "The paths of the files" },
    { command: "tongs search --since 'my todos' --seen", description: "Print the new results of a saved search" }
  ])
)
