/** Suggests reviewers of a pull request: accounts that changed its files before, or commented on them. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { UserRow, UserRows } from "../../accounts/UserRows.ts"
import { AssigneeRows } from "../../issues/AssigneeRows.ts"
import type { PullRequestRow } from "../../issues/PullRequestRows.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { decodeRows } from "../../storage/RowDecoder.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"

/** A suggestion with its reasons. */
export interface SuggestedReviewer {
  readonly row: UserRow
  readonly isAuthor: boolean
  readonly isCommenter: boolean
}

/** Maximum files and commits of a file that are read, and maximum accounts that commented. */
const MAX_FILES = 10
const MAX_COMMITS = 20
const MAX_COMMENTERS = 20

const users = decodeRows(UserRow)

/** Creates the function that returns the suggestions, authors first. */
export const make = Effect.gen(function* () {
  const accounts = yield* UserRows
  const assignees = yield* AssigneeRows
  const sql = yield* SqlClient.SqlClient
  const { isOneOfTexts } = SqlFragments.make(sql)

  const authorsOf = Effect.fnUntraced(function* (
    { git }: ServedRepository,
    from: string,
    paths: ReadonlyArray<string>
  ) {
    const oids = yield* Effect.forEach(paths, (path) => git.log({ from, path, skip: 0, limit: MAX_COMMITS }))
    const commits = yield* Effect.forEach(new Set(oids.flat()), git.commit)
    const emails = new Set(commits.flatMap((commit) => (commit === undefined ? [] : [commit.author.email])))
    const found = yield* Effect.forEach(emails, (email) =>
      email === "" ? Effect.succeed(undefined) : accounts.byEmail(email)
    )
    return found.filter((row) => row?.type === "User")
  })

  const commentersOf = (repositoryId: number, paths: ReadonlyArray<string>) =>
    users(sql`
      SELECT u.* FROM users u WHERE u.id IN (
        SELECT c.user_id FROM review_comments c
        WHERE c.repository_id = ${repositoryId} AND c.is_pending = 0 AND ${isOneOfTexts("c.path", paths)})
      ORDER BY u.id LIMIT ${MAX_COMMENTERS}`)

  return Effect.fnUntraced(function* (
    served: ServedRepository,
    { base_sha, head_sha }: PullRequestRow,
    authorId: number | null
  ) {
    const { git } = served
    const from = (yield* git.mergeBase(base_sha, head_sha)) ?? base_sha
    const { files } = yield* git.changes.list({ from, to: head_sha })
    const paths = files.slice(0, MAX_FILES).map(({ path }) => path)
    const authors = yield* authorsOf(served, from, paths)
    const commenters = yield* commentersOf(served.row.id, paths)
    const rows = new Map([...authors, ...commenters].flatMap((row) => (row === undefined ? [] : [[row.id, row]])))
    const able = new Set((yield* assignees.among(served.row, [...rows.values()])).map(({ id }) => id))
    const isOneOf = (all: ReadonlyArray<UserRow | undefined>, id: number) => all.some((row) => row?.id === id)
    return [...rows.values()]
      .filter(({ id }) => id !== authorId && able.has(id))
      .map((row): SuggestedReviewer => ({
        row,
        isAuthor: isOneOf(authors, row.id),
        isCommenter: isOneOf(commenters, row.id)
      }))
  })
})
