/** Comments on code: review comments and comments on commits, in one shape, grouped as threads. */
import { type CatalogEntry, entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { CommitComment } from "@tongs/core/contract/groups/CommitComments"
import * as Relations from "@tongs/core/contract/Relations"
import type { ReviewComment } from "@tongs/core/contract/groups/ReviewComments"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { Arguments } from "../../content/Route.ts"
import * as Route from "../../content/Route.ts"
import { text } from "../Screen.ts"

/** A comment on a line, a file or a commit. */
export interface Comment {
  readonly id: number
  readonly author: string
  /** The text in Markdown. */
  readonly body: string
  readonly createdAt: string
  readonly updatedAt: string
  /** The relation of the author to the repository, for example `MEMBER`. */
  readonly association: string
  /** The file; undefined for a comment on a whole commit. */
  readonly path: string | undefined
  readonly line: number | undefined
  readonly commit: string
  /** The end of the diff up to the line of the comment. */
  readonly hunk: string | undefined
  /** True if the line has changed since the comment. */
  readonly isOutdated: boolean
  readonly webUrl: string
  /** Comments with the same key are a thread. */
  readonly thread: string
  /** The resource as the forge sent it, and its arguments for operations. */
  readonly value: ReviewComment | CommitComment
  readonly arguments: Arguments
}

/** Comments on the same line, oldest first. */
export interface Thread {
  readonly first: Comment
  readonly comments: ReadonlyArray<Comment>
}

const entryOf = (group: "reviewComments" | "commitComments", name: string): CatalogEntry | undefined =>
  entriesOfGroup(group).find((entry) => entry.name === name)

/** Returns a read operation of review comments. */
export const reviewEntry = (name: string): CatalogEntry | undefined => entryOf("reviewComments", name)

/** Returns a read operation of comments on commits. */
export const commitEntry = (name: string): CatalogEntry | undefined => entryOf("commitComments", name)

const argumentsOf = (entry: CatalogEntry | undefined, values: Arguments, item: unknown): Arguments => ({
  ...(entry === undefined ? {} : Relations.argumentsOf(entry, values, item)),
  owner: values["owner"],
  repo: values["repo"]
})

const shared = (value: ReviewComment | CommitComment) => ({
  id: value.id,
  author: value.user?.login ?? "",
  body: value.body ?? value.body_text ?? "",
  createdAt: value.created_at,
  updatedAt: value.updated_at,
  association: value.author_association,
  webUrl: value.html_url,
  value
})

export const ofReview = (value: ReviewComment, values: Arguments): Comment => {
  const isFile = value.subject_type === "file"
  const line = value.line ?? undefined
  return {
    ...shared(value),
    path: value.path,
    line: isFile ? undefined : (line ?? value.original_line ?? undefined),
    commit: line === undefined && !isFile ? value.original_commit_id : value.commit_id,
    hunk: isFile || value.diff_hunk === "" ? undefined : value.diff_hunk,
    isOutdated: !isFile && line === undefined,
    thread: String(value.in_reply_to_id ?? value.id),
    arguments: argumentsOf(reviewEntry("listForRepo"), values, value)
  }
}

export const ofCommit = (value: CommitComment, values: Arguments): Comment => ({
  ...shared(value),
  path: value.path ?? undefined,
  line: value.line ?? undefined,
  commit: value.commit_id,
  hunk: undefined,
  isOutdated: false,
  thread: JSON.stringify([value.commit_id, value.path, value.line]),
  arguments: argumentsOf(commitEntry("listForRepo"), values, value)
})

/** Groups comments as threads: the thread with the newest comment first, the comments of a thread oldest first. */
export const threads = (all: ReadonlyArray<Comment>): ReadonlyArray<Thread> => {
  const grouped = new Map<string, Array<Comment>>()
  for (const comment of all) {
    const known = grouped.get(comment.thread)
    if (known === undefined) grouped.set(comment.thread, [comment])
    else known.push(comment)
  }
  const byTime = (a: Comment, b: Comment) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.id - b.id
  return [...grouped.values()]
    .flatMap((comments): ReadonlyArray<Thread & { readonly last: number }> => {
      const sorted = comments.toSorted(byTime)
      const [first] = sorted
      const last = sorted.at(-1)
      return first === undefined || last === undefined
        ? []
        : [{ first, comments: sorted, last: Date.parse(last.createdAt) }]
    })
    .toSorted((a, b) => b.last - a.last)
}

/** Returns the place of a comment: `src/lamp.ts:7`, or the abbreviated commit. */
export const placeOf = ({ commit, line, path }: Comment): string => {
  if (path === undefined) return `commit ${AbbreviatedId.of(commit)}`
  return line === undefined ? path : `${path}:${line}`
}

/** Returns the route of the commented file at the line, or of the commented commit. */
export const routeOf = ({ commit, line, path }: Comment, values: Arguments): Route.Route => {
  const repository = { owner: text(values, "owner"), repo: text(values, "repo") }
  return path === undefined
    ? Route.make("commits.get", { ...repository, ref: commit })
    : Route.make("contents.get", { ...repository, path, ref: commit, line })
}
