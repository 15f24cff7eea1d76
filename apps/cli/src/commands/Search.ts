/** `tongs search`: code search, with the fragments that matched. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { Forge } from "@tongs/core/client/Forge"
import type { CodeSearchItem, TextMatch } from "@tongs/core/contract/Search"
import type { Problem } from "@tongs/core/query/Problem"
import * as Query from "@tongs/core/query/Query"
import * as Count from "@tongs/core/text/Count"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Flags from "../Flags.ts"
import { Output, printJson } from "../Output.ts"
import * as Patience from "../Patience.ts"
import * as Session from "../Session.ts"
import { UsageError } from "../Usage.ts"

const config = {
  words: Argument.String("query").pipe(
    Argument.atLeast(1),
    Argument.withDescription('Keywords, "phrases" and qualifiers, as parse repo:octo/hello language:ts')
  ),
  limit: Flag.Int("limit").pipe(Flag.withDefault(30), Flag.withDescription("Most files to print"))
}

const run = Effect.fnUntraced(function* ({ limit, words }: Command.Command.Config.Infer<typeof config>) {
  const text = words.join(" ")
  if (limit < 1) return yield* new UsageError({ detail: "--limit is at least 1.", hint: "" })
  const query = Query.parse(text)
  if (Result.isFailure(query)) return yield* explain(text, query.failure)
  return yield* Effect.provide(find(text, limit), Session.layer)
})

const find = Effect.fnUntraced(function* (text: string, limit: number) {
  const forge = yield* Forge
  const { columns, print } = yield* Output
  const perPage = Math.min(limit, 100)
  const list = forge.search.code({ q: text }, { ...(yield* Patience.interactive), mediaType: "text-match", perPage })
  const pages = yield* Stream.runCollect(Stream.take(list.pages, Math.ceil(limit / perPage)))
  const items = pages.flatMap((page) => page.items).slice(0, limit)
  const total = pages[0]?.totalCount ?? items.length
  const isIncomplete = pages.some((page) => page.incompleteResults)
  if (yield* Flags.Json) return yield* printJson({ total_count: total, incomplete_results: isIncomplete, items })
  const paint = yield* Flags.paint
  yield* print(
    ...items.flatMap((item) => [...file(item, paint, columns), ""]),
    `${Count.noun(total, "file")}${items.length < total ? `, ${Count.format(items.length)} shown` : ""}${isIncomplete ? "; the search stopped early, there may be more" : ""}`
  )
})

const file = (item: CodeSearchItem, paint: Flags.Paint, columns: number): ReadonlyArray<string> => [
  paint.bold(Terminal.truncate(Terminal.visible(`${item.repository.full_name}:${item.path}`), columns)),
  ...(item.text_matches ?? []).flatMap((match) => fragment(match, paint))
]

/** The lines of a fragment, indented, with what matched marked. */
const fragment = ({ fragment: text, matches }: TextMatch, paint: Flags.Paint): ReadonlyArray<string> => {
  const show = (start: number, end?: number) => Terminal.visible(text.slice(start, end), { newlines: true })
  let marked = ""
  let at = 0
  for (const { indices } of matches) {
    const [start = at, end = start] = indices
    if (start < at || end <= start) continue
    marked += show(at, start) + paint.match(show(start, end))
    at = end
  }
  return `${marked}${show(at)}`.split("\n").map((line) => `  ${line}`.trimEnd())
}

/** What is wrong with a query, under the words that it is wrong with. */
const explain = (text: string, problems: ReadonlyArray<Problem>) => {
  const shown = problems.flatMap(({ length, message, start }) => {
    const before = Terminal.width(Terminal.visible(text.slice(0, start)))
    const marks = Math.max(1, Terminal.width(Terminal.visible(text.slice(start, start + length))))
    return [`  ${Terminal.visible(text)}`, `  ${" ".repeat(before)}${"^".repeat(marks)} ${message}`]
  })
  return new UsageError({ detail: "This is not a query.", hint: shown.join("\n") })
}

export const search = Command.make("search", config, run).pipe(
  Command.withDescription("Search the code of every repository"),
  Command.withExamples([
    { command: "tongs search 'parse language:ts'" },
    { command: `tongs search '"not found" path:src' --limit 5` }
  ])
)
