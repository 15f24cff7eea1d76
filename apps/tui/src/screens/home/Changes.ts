/** The new commits of all repositories since the last look, or in the last day, week or month. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Forge } from "@tongs/core/client/Forge"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import type { Failure } from "@tongs/core/contract/Failure"
import type { Commit } from "@tongs/core/contract/groups/Commits"
import type { Repository } from "@tongs/core/contract/groups/Repository"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import * as Route from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as ColumnLayout from "../../text/ColumnLayout.ts"
import * as ShortAge from "../../text/ShortAge.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as CommitMessage from "../code/CommitMessage.ts"
import * as Person from "../code/Person.ts"
import * as RevisionArguments from "../code/RevisionArguments.ts"
import { type Screen, text } from "../Screen.ts"

const DAY = 24 * 60 * 60_000

/** Lengths of the periods in milliseconds, by the argument `period`. */
const lengths: Readonly<Record<string, number>> = { "24h": DAY, "7d": 7 * DAY, "30d": 30 * DAY }

const periods: ReadonlyArray<string> = Object.keys(lengths)

/** Maximum number of repositories that are read, the latest pushed first. */
const MAX_REPOSITORIES = 100

/** Maximum number of commits of a repository on the screen. */
const MAX_COMMITS = 20

/** Maximum number of requests in flight. */
const CONCURRENCY = 4

/** Returns the route of the changes since a time in epoch milliseconds; without a time, of the last 24 hours. */
export const route = (since: number | undefined): Route.Route =>
  Route.make("changes", since === undefined ? {} : { since: new Date(since).toISOString() })

/** The new commits of a repository. */
interface Changes {
  readonly repository: Repository
  readonly commits: ReadonlyArray<Commit>
  /** True if there are more commits than on the first page. */
  readonly hasMore: boolean
  readonly failure: Failure | undefined
  /** Age of a cached response in milliseconds. */
  readonly age: number
}

interface Found {
  readonly label: string
  readonly changes: ReadonlyArray<Changes>
  /** True if more than `MAX_REPOSITORIES` repositories may have changes. */
  readonly isCut: boolean
}

/** Returns the start of the period in epoch milliseconds, to the second. */
const startOf = (values: Route.Arguments, now: number): number => {
  const period = text(values, "period")
  const since = period === "" ? Date.parse(text(values, "since")) : NaN
  return Number.isNaN(since) ? Math.floor((now - (lengths[period] ?? DAY)) / 1_000) * 1_000 : since
}

const labelOf = (values: Route.Arguments): string => {
  const period = text(values, "period")
  if (period === "" && text(values, "since") !== "") return "since the last look"
  return period === "7d" ? "in the last 7 days" : period === "30d" ? "in the last 30 days" : "in the last 24 hours"
}

const commitsOf = (
  forge: Forge["Service"],
  repository: Repository,
  since: string,
  options: Source.LoadOptions
): Effect.Effect<Changes> =>
  Effect.map(
    Effect.result(
      forge.commits.list({ owner: repository.owner.login, repo: repository.name, since }, { ...options, perPage: 100 })
        .first
    ),
    (result): Changes =>
      Result.isFailure(result)
        ? // An empty repository answers 409.
          {
            repository,
            commits: [],
            hasMore: false,
            age: 0,
            failure: result.failure._tag === "Conflict" ? undefined : result.failure
          }
        : {
            repository,
            commits: result.success.items,
            hasMore: result.success.cursor !== undefined,
            age: ResponseAge.age(result.success),
            failure: undefined
          }
  )

const columns: ReadonlyArray<ColumnLayout.Column> = [
  { size: "fit" },
  { size: "grow" },
  { size: "fit", maxShare: 0.25, optional: 1 },
  { size: "fit", align: "right" }
]

const cellsOf = (commit: Commit, now: number): ReadonlyArray<StyledLine.Line> => [
  StyledLine.line(AbbreviatedId.of(commit.sha), "id"),
  StyledLine.line(CommitMessage.subject(commit.commit.message)),
  Person.line(commit.commit.author?.name ?? ""),
  StyledLine.line(ShortAge.format(Date.parse(commit.commit.committer?.date ?? ""), now), "muted")
]

/** Creates the document: a section for each repository with new commits, the latest first. */
const document = ({ changes, isCut, label }: Found, isComplete: boolean): Document.Document =>
  Document.make("changes", (width) => {
    const shown = changes.filter(({ commits, failure }) => commits.length > 0 || failure !== undefined)
    const lines: Array<Document.DocumentLine | Document.LineAtTime> = [{ line: summary(shown, label, isComplete) }]
    const sections: Array<Document.Section> = []
    if (isCut)
      lines.push({
        line: StyledLine.line(`Only the ${MAX_REPOSITORIES} latest pushed repositories are checked`, "warning")
      })
    lines.push({ line: StyledLine.line("On the default branches. ] shows a longer period", "muted") })
    const rows = shown.flatMap(({ commits }) => commits.slice(0, MAX_COMMITS)).map((commit) => cellsOf(commit, 0))
    const natural = ColumnLayout.naturalWidths(columns, rows)
    const widths = ColumnLayout.columnWidths(columns, [...natural.slice(0, -1), AGE_WIDTH], width)
    for (const { commits, failure, hasMore, repository } of shown) {
      const at = { owner: repository.owner.login, repo: repository.name }
      const heading = headingOf(repository, commits, hasMore)
      lines.push({ line: StyledLine.empty })
      sections.push({ firstLine: lines.length, title: repository.full_name, label: heading })
      lines.push({
        line: heading,
        copy: repository.full_name,
        title: repository.full_name,
        route: RevisionArguments.log(at),
        arguments: at
      })
      if (failure !== undefined) lines.push({ line: StyledLine.line(`Could not load: ${failure.message}`, "error") })
      for (const commit of commits.slice(0, MAX_COMMITS))
        lines.push((now) => ({
          line: ColumnLayout.joinCells(columns, widths, cellsOf(commit, now)),
          copy: commit.sha,
          title: `${AbbreviatedId.of(commit.sha)} ${CommitMessage.subject(commit.commit.message)}`,
          route: RevisionArguments.commit(at, commit.sha),
          arguments: { ...at, ref: commit.sha, sha: commit.sha, commit_sha: commit.sha }
        }))
      if (commits.length > MAX_COMMITS)
        lines.push({
          line: StyledLine.line(
            `${NumberFormat.quantity(commits.length - MAX_COMMITS, "more commit")}${hasMore ? " at least" : ""}`,
            "link"
          ),
          route: RevisionArguments.log(at),
          arguments: at
        })
    }
    return Document.fromLines(lines, { sections, initialLine: Math.max(0, (sections[0]?.firstLine ?? -1) + 1) })
  })

/** Width of a column with ages. */
const AGE_WIDTH = 4

const summary = (shown: ReadonlyArray<Changes>, label: string, isComplete: boolean): StyledLine.Line => {
  const commits = shown.reduce((sum, each) => sum + each.commits.length, 0)
  const plus = shown.some(({ hasMore }) => hasMore) ? "+" : ""
  const count = `${NumberFormat.format(commits)}${plus} new ${commits === 1 ? "commit" : "commits"}`
  const failed = shown.filter(({ failure }) => failure !== undefined).length
  const changed = NumberFormat.quantity(shown.length - failed, "repository", "repositories")
  const text = commits === 0 ? (isComplete ? "no new commits" : "looking for new commits") : `${count} in ${changed}`
  return [
    StyledLine.span(`${label.charAt(0).toUpperCase()}${label.slice(1)}: ${text}`, "strong"),
    ...(failed === 0 ? [] : [StyledLine.span(`, ${failed} could not be read`, "error")]),
    ...(isComplete ? [] : [StyledLine.spinner])
  ]
}

const headingOf = (repository: Repository, commits: ReadonlyArray<Commit>, hasMore: boolean): StyledLine.Line => {
  const authors = [...new Set(commits.map(({ commit }) => commit.author?.name ?? ""))].filter((name) => name !== "")
  const others = authors.length > 3 ? ` and ${authors.length - 3} more` : ""
  return [
    StyledLine.span(repository.full_name, "title"),
    StyledLine.span(`  ${commits.length}${hasMore ? "+" : ""}`, "muted"),
    ...(authors.length === 0 ? [] : [StyledLine.span(`  ${authors.slice(0, 3).join(", ")}${others}`, "muted")])
  ]
}

/** The screen of the changes. The keys for sections change the period. */
export const screen: Screen = {
  id: "changes",
  label: "changes since the last look",
  required: [],
  title: (values) => `changes ${labelOf(values)}`,
  changePeriod: (values, step) => {
    const { period: _period, ...rest } = values
    const at = periods.indexOf(text(values, "period") || (text(values, "since") === "" ? "24h" : ""))
    const next = at + step
    if (next < 0) return at === 0 && text(values, "since") !== "" ? rest : undefined
    return periods[next] === undefined ? undefined : { ...rest, period: periods[next] }
  },
  open: (environment, values) =>
    Source.fromStream(environment, (forge, options) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const start = startOf(values, yield* Clock.currentTimeMillis)
          const since = new Date(start).toISOString().replace(/\.\d+Z$/, "Z")
          const page = yield* forge.repositories.listForAuthenticatedUser(
            { sort: "pushed", direction: "desc" },
            { ...options, perPage: MAX_REPOSITORIES }
          ).first
          const pushed = page.items.filter(({ pushed_at }) => pushed_at !== null && Date.parse(pushed_at) >= start)
          const isCut = page.cursor !== undefined && pushed.length === page.items.length
          const label =
            text(values, "period") === "" && text(values, "since") !== ""
              ? `since the last look, ${RelativeTime.format(start, yield* Clock.currentTimeMillis)}`
              : labelOf(values)
          const age = ResponseAge.age(page)
          const show = (changes: ReadonlyArray<Changes>, isComplete: boolean): Source.Loaded => ({
            content: document({ label, changes, isCut }, isComplete),
            age: Math.max(age, ...changes.map((each) => each.age))
          })
          return Stream.fromIterable(pushed).pipe(
            Stream.mapEffect((repository) => commitsOf(forge, repository, since, options), {
              concurrency: CONCURRENCY
            }),
            Stream.scan(
              (): ReadonlyArray<Changes> => [],
              (all, one) => [...all, one]
            ),
            Stream.map((changes) => show(changes, changes.length === pushed.length))
          )
        })
      )
    )
}
