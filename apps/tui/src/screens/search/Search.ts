/** The results of a code search: one row for each matching line. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { CodeSearchItem, TextMatch } from "@tongs/core/contract/Search"
import type { Forge } from "@tongs/core/client/Forge"
import type { Failure } from "@tongs/core/contract/Failure"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import type { Page } from "@tongs/core/paging/Page"
import * as Source from "../../content/Source.ts"
import * as Table from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line, Span } from "../../text/StyledLine.ts"
import * as Revision from "../code/Revision.ts"
import { type Screen, text } from "../Screen.ts"

/** Items per page. Each contains a repository, and the client does not cache much larger responses. */
const PER_PAGE = 50

/** Maximum number of pages of results to load. */
const MAX_PAGES = 4

/** Maximum number of retries of a search while the forge's index is not ready, after 1 s, 2 s, 3 s and so on. */
const MAX_RETRIES = 8

const table = (query: string): Table.TableDefinition<never> => ({
  columns: [
    { header: "FILE", size: "fit", maxShare: 0.4, truncate: "start" },
    { header: "LINE", size: "grow" }
  ],
  noun: ["match", "matches"],
  emptyMessage: {
    title: `No matches for ${query}`,
    hint: "Try fewer or shorter words, or a qualifier: path:src extension:ts"
  },
  row: (item) => item
})

const rowsOf = (item: CodeSearchItem, index: number, isOneRepository: boolean): ReadonlyArray<Table.Row> => {
  const at: Revision.Revision = { owner: item.repository.owner.login, repo: item.repository.name }
  const found = (item.text_matches ?? []).filter((match) => match.property === "content").flatMap(matchingLines)
  return (found.length === 0 ? [undefined] : found).map((match, position) => ({
    id: `${index}.${position}`,
    title: item.path,
    copy: item.path,
    route: Revision.content(at, item.path, match === undefined ? {} : { find: match.text }),
    webUrl: item.html_url,
    arguments: { ...Revision.repository(at), path: item.path },
    value: item,
    cells: () => [
      [
        ...(isOneRepository ? [] : [StyledLine.span(`${item.repository.full_name} `, "muted")]),
        StyledLine.span(item.path, "accent")
      ],
      match?.line ?? StyledLine.empty
    ]
  }))
}

interface MatchingLine {
  /** The line as it is in the file, without changes for display. */
  readonly text: string
  readonly line: Line
}

/** Returns the lines of a fragment that contain matches, with the matches highlighted. */
const matchingLines = ({ fragment, matches }: TextMatch): ReadonlyArray<MatchingLine> => {
  const found: Array<MatchingLine> = []
  let start = 0
  for (const line of fragment.split("\n")) {
    const end = start + line.length
    const inside = matches
      .map(({ indices }) => [indices[0] ?? 0, indices[1] ?? 0] as const) // a pair
      .filter(([from, to]) => from >= start && to <= end && to > from)
      .toSorted((a, b) => a[0] - b[0])
    if (inside.length > 0) found.push({ text: line, line: highlighted(line, inside, start) })
    start = end + 1
  }
  return found
}

const highlighted = (line: string, matches: ReadonlyArray<readonly [number, number]>, offset: number): Line => {
  const indent = line.length - line.trimStart().length
  const spans: Array<Span> = []
  let at = indent
  for (const [from, to] of matches) {
    if (from - offset < at) continue
    spans.push(
      StyledLine.span(line.slice(at, from - offset)),
      StyledLine.span(line.slice(from - offset, to - offset), "match")
    )
    at = to - offset
  }
  spans.push(StyledLine.span(line.slice(at)))
  return spans.filter((span) => span.text !== "")
}

type Pages = Stream.Stream<Page<CodeSearchItem>, Failure>

/** Retries a search without results while the forge's index is not ready. */
const retryUntilReady = (search: (attempt: number) => Pages, attempt = 0): Pages =>
  Stream.flatMap(search(attempt), (page) =>
    page.incompleteResults && page.items.length === 0 && attempt < MAX_RETRIES
      ? Stream.unwrap(Effect.as(Effect.sleep(`${attempt + 1} seconds`), retryUntilReady(search, attempt + 1)))
      : Stream.succeed(page)
  )

/** Searches one repository, or all repositories if the arguments name none. */
const search = (forge: Forge["Service"], query: string, options: Source.LoadOptions): Pages =>
  retryUntilReady((attempt) => {
    const { staleFor: _, ...fresh } = options
    return forge.search
      .code({ q: query }, { ...(attempt === 0 ? options : fresh), perPage: PER_PAGE, mediaType: "text-match" })
      .pages.pipe(Stream.take(MAX_PAGES))
  })

/** The screen of a code search. Its argument `q` is the query; `owner` and `repo` limit it to one repository. */
export const screen: Screen = {
  id: "search.code",
  label: "code search",
  entry: entriesOfGroup("search").find(({ name }) => name === "code"),
  required: ["q"],
  title: (values) => `"${text(values, "q")}"`,
  open: (environment, values) => {
    const query = text(values, "q")
    const owner = text(values, "owner")
    const scope = owner === "" ? "" : ` repo:${owner}/${text(values, "repo")}`
    return Source.fromStream(environment, (forge, options) =>
      search(forge, `${query}${scope}`, options).pipe(
        Stream.scan(
          () => ({ rows: empty, items: 0, age: 0, total: 0, isIncomplete: false, isStarted: false }),
          (found, page) => ({
            rows: [
              ...found.rows,
              ...page.items.flatMap((item, index) => rowsOf(item, found.items + index, scope !== ""))
            ],
            items: found.items + page.items.length,
            age: Math.max(found.age, ResponseAge.age(page)),
            total: page.totalCount ?? found.total,
            isIncomplete: found.isIncomplete || page.incompleteResults,
            isStarted: true
          })
        ),
        Stream.filter(({ isStarted }) => isStarted),
        Stream.map(({ age, isIncomplete, items, rows, total }) => ({
          content: Table.make(table(query), Table.fromRows(rows), {
            incompleteResults: isIncomplete || total > items,
            isFullyLoaded: true
          }),
          age
        }))
      )
    )
  }
}

const empty: ReadonlyArray<Table.Row> = []
