/** Counts commits by author. A person with several names or e-mail addresses of one account counts once. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CommitSummary } from "@tongs/core/contract/groups/Commits"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Page } from "@tongs/core/paging/Page"
import type { Pages } from "@tongs/core/paging/Pages"
import type { Answer, Item, Position } from "../answer/Answer.ts"
import type { Call } from "../call/Call.ts"
import * as Times from "../text/Times.ts"

/** Maximum number of commits that one call counts. */
export const MAX_COUNTED = 1_000

const PER_PAGE = 100

/** Number of pages to read concurrently. */
const CONCURRENCY = 4

/** Reads the commits to count. */
export type List = (options: {
  readonly perPage: number
  readonly cursor?: string
  readonly deadline: number
  readonly limit: number
  readonly concurrency: number
}) => Pages<CommitSummary, Failure.Failure>

/** Counts up to `limit` commits from the position of the call. */
export const read = Effect.fnUntraced(function* (call: Call, limit: number, list: List, source: Answer["source"]) {
  const start = startOf(call.position)
  const pages: Array<Page<CommitSummary>> = []
  const answer = (after: Position | undefined): Answer => {
    const commits = pages.flatMap(({ items }) => items).slice(start.skip, start.skip + limit)
    const items = authors(commits).map((author) => show(author, call.now))
    return {
      source: { ...source, commits: commits.length },
      noun: "authors",
      total: items.length,
      items: items.slice(start.shown),
      next: (shown) =>
        start.shown + shown < items.length ? { position: positionOf(start, start.shown + shown) } : continuation(after),
      ...(after === undefined ? {} : { notes: ["There are older commits, which the next call counts separately."] })
    }
  }
  yield* list({
    perPage: PER_PAGE,
    deadline: call.deadline,
    limit: start.skip + limit,
    concurrency: CONCURRENCY,
    ...(start.cursor === undefined ? {} : { cursor: start.cursor })
  }).pages.pipe(
    Stream.runForEach((page) => {
      pages.push(page)
      const partial = answer(positionAfter(pages, start, limit))
      return Effect.andThen(
        call.keepPartial(partial),
        call.reportProgress(Number(partial.source["commits"]), limit, "commits counted")
      )
    })
  )
  return answer(positionAfter(pages, start, limit))
})

const continuation = (position: Position | undefined) => (position === undefined ? undefined : { position })

/**
 * The start of a count: a page of commits, the number of commits to skip, and the authors that earlier answers showed.
 */
interface Start {
  readonly cursor: string | undefined
  readonly skip: number
  readonly shown: number
}

const startOf = (position: Position | undefined): Start => {
  const [skip = "0", cursor = ""] = (position?.page ?? "").split(" ")
  return { cursor: cursor === "" ? undefined : cursor, skip: Number(skip), shown: position?.skip ?? 0 }
}

const positionOf = ({ cursor = "", skip }: Omit<Start, "shown">, shown: number): Position => ({
  page: `${skip} ${cursor}`,
  skip: shown
})

/** Returns the position after `limit` commits; undefined if there are no more. */
const positionAfter = (
  pages: ReadonlyArray<Page<CommitSummary>>,
  start: Start,
  limit: number
): Position | undefined => {
  let cursor = start.cursor
  let end = start.skip + limit
  for (const page of pages) {
    if (end < page.items.length) return positionOf({ cursor, skip: end }, 0)
    end -= page.items.length
    cursor = page.cursor
  }
  return cursor === undefined ? undefined : positionOf({ cursor, skip: 0 }, 0)
}

/** An author with the number of commits. */
interface Author {
  readonly login: string | undefined
  readonly name: string
  readonly email: string
  readonly commits: number
  /** Time of the newest commit. */
  readonly latest: string
}

/** Returns the authors of commits, by decreasing number of commits. */
const authors = (commits: ReadonlyArray<CommitSummary>): ReadonlyArray<Author> => {
  /** Logins of e-mail addresses: a forge can know the account of one commit with an address and not of another. */
  const logins = new Map<string, string>()
  for (const { author, commit } of commits) {
    if (author !== null && commit.author !== null) logins.set(commit.author.email.toLowerCase(), author.login)
  }
  const found = new Map<string, Author>()
  for (const { author, commit } of commits) {
    const { date = "", email = "", name = "unknown" } = commit.author ?? {}
    const login = author?.login ?? logins.get(email.toLowerCase())
    const key = login === undefined ? `e-mail ${email === "" ? name : email.toLowerCase()}` : `login ${login}`
    const known = found.get(key) ?? { login, name, email, commits: 0, latest: date }
    const latest = Date.parse(date) > Date.parse(known.latest) ? date : known.latest
    found.set(key, { ...known, commits: known.commits + 1, latest })
  }
  return [...found.values()].toSorted((one, other) => other.commits - one.commits)
}

const show = (author: Author, now: number): Item => {
  const { commits, email, latest, login, name } = author
  const label = login === undefined ? `${name} <${email}>` : login === name ? login : `${login} (${name})`
  return { data: author, text: `${commits} ${label}, latest ${Times.short(latest, now)}` }
}
