/** Database rows of pull requests: what they have besides the columns of issues. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { NestedTeamRow, teamObject } from "../accounts/TeamRows.ts"
import { accountJson, accountObject, UserRow } from "../accounts/UserRows.ts"
import { decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

const Account = Schema.NullOr(Schema.fromJsonString(UserRow))

/** A merge that happens as soon as the pull request can be merged. It stays after the merge. */
const AutoMerge = Schema.Struct({
  method: Schema.Literals(["merge", "squash", "rebase"]),
  title: Schema.NullOr(Schema.String),
  message: Schema.NullOr(Schema.String),
  author_email: Schema.NullOr(Schema.String),
  enabled_at: Schema.String,
  enabled_by: UserRow
})

/** A pull request. `tested_base` and `tested_head` are the commits to which the facts of git belong. */
export const PullRequestRow = Schema.Struct({
  issue_id: Schema.Int,
  repository_id: Schema.Int,
  base_ref: Schema.String,
  /** The tip of the base branch; after the end of the pull request, the tip at that time. */
  base_sha: Schema.String,
  /** Null if the repository was deleted. */
  head_repository_id: Schema.NullOr(Schema.Int),
  head_ref: Schema.String,
  head_sha: Schema.String,
  /** The account of the latest push to the head, at first the author. Null if the account was deleted. */
  head_pusher_id: Schema.NullOr(Schema.Int),
  draft: Schema.Int,
  maintainer_can_modify: Schema.Int,
  merged_at: Schema.NullOr(Schema.String),
  merge_commit_sha: Schema.NullOr(Schema.String),
  tested_base: Schema.String,
  tested_head: Schema.String,
  commits: Schema.Int,
  additions: Schema.Int,
  deletions: Schema.Int,
  changed_files: Schema.Int,
  /** Number of commits that only the base branch has. */
  behind: Schema.Int,
  /** Null until it is known. */
  mergeable: Schema.NullOr(Schema.Int),
  rebaseable: Schema.NullOr(Schema.Int),
  number: Schema.Int,
  state: Schema.Literals(["open", "closed"]),
  /** Number of review comments, without those of pending reviews. */
  review_comments: Schema.Int,
  requested_reviewers: Schema.fromJsonString(Schema.Array(UserRow)),
  /** Without secret teams, which only their members see. */
  requested_teams: Schema.fromJsonString(Schema.Array(NestedTeamRow)),
  /** Owner of the head; null if the account was deleted. */
  head_user: Account,
  merged_by: Account,
  auto_merge: Schema.NullOr(Schema.fromJsonString(AutoMerge))
})
export type PullRequestRow = typeof PullRequestRow.Type

/** The columns that a change sets. */
export interface PullRequestColumns extends Omit<
  PullRequestRow,
  | "number"
  | "state"
  | "review_comments"
  | "requested_reviewers"
  | "requested_teams"
  | "head_user"
  | "merged_by"
  | "auto_merge"
  | "issue_id"
> {
  readonly head_user_id: number | null
  readonly merged_by_id: number | null
}

export type NewPullRequestColumns = Omit<
  PullRequestColumns,
  "merged_at" | "merged_by_id" | "merge_commit_sha" | "mergeable" | "rebaseable" | "behind" | "head_pusher_id"
> &
  Partial<PullRequestColumns>

/** A merge that moves the base branch. It stays if the process dies before the move is recorded. */
export const PullRequestMergeRow = Schema.Struct({
  issue_id: Schema.Int,
  repository_id: Schema.Int,
  base_ref: Schema.String,
  /** The commit to which the base branch moves. */
  after: Schema.String,
  /** The merged head. Null in a row of an earlier version. */
  head: Schema.NullOr(Schema.String)
})
export type PullRequestMergeRow = typeof PullRequestMergeRow.Type

const rows = decodeRows(PullRequestRow)
const merge = decodeFirstRow(PullRequestMergeRow)
const id = decodeFirstRow(Schema.Struct({ issue_id: Schema.Int }))

export class PullRequestRows extends Context.Service<
  PullRequestRows,
  {
    /** Returns the pull requests with these ids of issues, by id, in one statement. */
    byIssues(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, PullRequestRow>>
    /** Returns pull requests that match a condition on `p`, and on the issue `i`, the oldest first. */
    matching(condition: Fragment): Effect.Effect<ReadonlyArray<PullRequestRow>>
    /** Returns the open pull requests whose head is a branch. */
    openByHead(repositoryId: number, ref: string): Effect.Effect<ReadonlyArray<PullRequestRow>>
    /** Returns the open pull requests into a branch. */
    openByBase(repositoryId: number, ref: string): Effect.Effect<ReadonlyArray<PullRequestRow>>
    /** True if an open pull request goes into a branch. */
    isBase(repositoryId: number, ref: string): Effect.Effect<boolean>
    /**
     * Returns the first open pull request into a branch whose branches have moved since its test, of those with an id
     * greater than `after`.
     */
    firstUntested(repositoryId: number, ref: string, after: number): Effect.Effect<number | undefined>
    add(issueId: number, columns: NewPullRequestColumns): Effect.Effect<void>
    update(issueId: number, columns: Partial<PullRequestColumns>): Effect.Effect<void>
    /**
     * Sets what a test found out about two commits, unless the pull request was merged in the meantime. The condition is
     * on the row itself, which a concurrent merge on PostgreSQL changes.
     */
    setTest(issueId: number, facts: Partial<PullRequestColumns>): Effect.Effect<void>
    /** Sets the tip of the base of all open pull requests into a branch. */
    moveBase(repositoryId: number, ref: string, sha: string): Effect.Effect<void>
    /** Remembers a merge before it moves the base branch. */
    beginMerge(row: PullRequestMergeRow): Effect.Effect<void>
    /** Returns the merge that moves a branch to a commit. */
    mergeOf(repositoryId: number, ref: string, after: string): Effect.Effect<PullRequestMergeRow | undefined>
    endMerge(issueId: number): Effect.Effect<void>
  }
>()("@tongs/service/issues/PullRequestRows") {
  static readonly layer = Layer.effect(
    PullRequestRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const { json, jsonArray, jsonText } = fragments
      const own = Object.keys(PullRequestRow.fields).slice(0, Object.keys(PullRequestRow.fields).indexOf("number"))
      const autoMerge = fragments.jsonObject({
        ...Object.fromEntries(
          ["method", "title", "message", "author_email", "enabled_at"].map((one) => [one, `a.${one}`])
        ),
        enabled_by: accountObject(fragments, "enabler")
      })
      const selected = sql.literal(`
        ${own.map((name) => `p.${name}`).join(", ")}, i.number, i.state,
        (SELECT count(*) FROM review_comments c
          WHERE c.repository_id = p.repository_id AND c.pull_number = i.number AND c.is_pending = 0) AS review_comments,
        (SELECT ${jsonText(jsonArray(accountObject(fragments, "u")))} FROM (
          SELECT u.* FROM review_requests q JOIN users u ON u.id = q.user_id WHERE q.issue_id = p.issue_id ORDER BY q.id) u
        ) AS requested_reviewers,
        (SELECT ${jsonText(jsonArray(json("value")))} FROM (
          SELECT ${jsonText(teamObject(fragments, "team", "o", "parent"))} AS value
          FROM review_requests q JOIN teams team ON team.id = q.team_id
          JOIN users o ON o.id = team.organization_id LEFT JOIN teams parent ON parent.id = team.parent_id
          WHERE q.issue_id = p.issue_id AND team.privacy = 'closed' ORDER BY q.id) requested
        ) AS requested_teams,
        ${accountJson(fragments, "head_user")} AS head_user, ${accountJson(fragments, "merger")} AS merged_by,
        CASE WHEN a.issue_id IS NULL THEN NULL ELSE ${jsonText(autoMerge)} END AS auto_merge
        FROM pull_requests p JOIN issues i ON i.id = p.issue_id
        LEFT JOIN users head_user ON head_user.id = p.head_user_id
        LEFT JOIN users merger ON merger.id = p.merged_by_id
        LEFT JOIN auto_merges a ON a.issue_id = p.issue_id LEFT JOIN users enabler ON enabler.id = a.user_id`)
      const matching = (condition: Fragment) => rows(sql`SELECT ${selected} WHERE ${condition} ORDER BY p.issue_id`)
      const openInto = (repositoryId: number, ref: string) => sql`
        SELECT p.issue_id FROM pull_requests p JOIN issues i ON i.id = p.issue_id
        WHERE p.repository_id = ${repositoryId} AND p.base_ref = ${ref} AND i.state = 'open'`
      const first = (statement: Fragment) => Effect.map(id(sql`${statement}`), (row) => row?.issue_id)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))

      return PullRequestRows.of({
        byIssues: (ids) =>
          ids.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                matching(fragments.isOneOf("p.issue_id", ids)),
                (found) => new Map(found.map((row) => [row.issue_id, row]))
              ),
        matching,
        openByHead: (repositoryId, ref) =>
          matching(sql`p.head_repository_id = ${repositoryId} AND p.head_ref = ${ref} AND i.state = 'open'`),
        openByBase: (repositoryId, ref) =>
          matching(sql`p.repository_id = ${repositoryId} AND p.base_ref = ${ref} AND i.state = 'open'`),
        isBase: (repositoryId, ref) =>
          Effect.map(first(sql`${openInto(repositoryId, ref)} LIMIT 1`), (id) => id !== undefined),
        firstUntested: (repositoryId, ref, after) =>
          first(sql`${openInto(repositoryId, ref)}
            AND p.issue_id > ${after} AND (p.tested_base <> p.base_sha OR p.tested_head <> p.head_sha)
            ORDER BY p.issue_id LIMIT 1`),
        add: (issueId, columns) => run(sql`INSERT INTO pull_requests ${sql.insert({ issue_id: issueId, ...columns })}`),
        update: (issueId, columns) =>
          run(sql`UPDATE pull_requests SET ${sql.update({ ...columns })} WHERE issue_id = ${issueId}`),
        setTest: (issueId, facts) =>
          run(sql`
            UPDATE pull_requests SET ${sql.update({ ...facts })} WHERE issue_id = ${issueId} AND merged_at IS NULL`),
        moveBase: (repositoryId, ref, sha) =>
          run(sql`
            UPDATE pull_requests SET base_sha = ${sha}
            WHERE repository_id = ${repositoryId} AND base_ref = ${ref}
              AND issue_id IN (SELECT id FROM issues WHERE repository_id = ${repositoryId} AND state = 'open')`),
        beginMerge: (row) =>
          run(sql`
            INSERT INTO pull_request_merges ${sql.insert({ ...row })}
            ON CONFLICT (issue_id) DO UPDATE SET
              base_ref = excluded.base_ref, after = excluded.after, head = excluded.head`),
        mergeOf: (repositoryId, ref, after) =>
          merge(sql`
            SELECT issue_id, repository_id, base_ref, after, head FROM pull_request_merges
            WHERE repository_id = ${repositoryId} AND base_ref = ${ref} AND after = ${after}`),
        endMerge: (issueId) => run(sql`DELETE FROM pull_request_merges WHERE issue_id = ${issueId}`)
      })
    })
  )
}
