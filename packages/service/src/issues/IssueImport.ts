/**
 * Adds issues with given numbers, dates and authors: imports and fixtures. Nothing is announced, nobody is notified, and
 * a row with a foreign id is added once. References to issues that exist already, and mentions, are recorded.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { UserRows } from "../accounts/UserRows.ts"
import { timestamp } from "../base/Time.ts"
import { decodeFirstRow, requireRow } from "../storage/RowDecoder.ts"
import { SubscriptionRows } from "../notifications/SubscriptionRows.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import * as Transaction from "../storage/Transaction.ts"
import { CrossReferences, type ReferenceSource } from "./CrossReferences.ts"
import { IssueCommentRows } from "./IssueCommentRows.ts"
import { IssueEventRows, type NewIssueEvent } from "./IssueEventRows.ts"
import { IssueRows } from "./IssueRows.ts"
import { LabelRows } from "./LabelRows.ts"
import { type NewPullRequestColumns, PullRequestRows } from "./PullRequestRows.ts"
import { ReactionRows } from "./ReactionRows.ts"

/** The author of an imported row: an account of this forge, or a name that has no account. */
export type ImportedAuthor = { readonly id: number } | { readonly mannequin: string }

interface ImportedRow {
  /** Id at the place of origin. A row with the same id is kept as it is. */
  readonly foreignId?: string | undefined
  readonly author: ImportedAuthor
  /** ISO 8601. */
  readonly createdAt: string
  readonly updatedAt?: string | undefined
  /** Ids of accounts by content. */
  readonly reactions?: Readonly<Record<string, ReadonlyArray<number>>> | undefined
}

export interface ImportedComment extends ImportedRow {
  readonly body: string
}

export interface ImportedIssue extends ImportedRow {
  readonly repositoryId: number
  /** The next number of the repository by default. */
  readonly number?: number | undefined
  readonly title: string
  readonly body: string | null
  /** Names of labels. Missing ones are added. */
  readonly labels?: ReadonlyArray<string> | undefined
  readonly assignees?: ReadonlyArray<{ readonly id: number }> | undefined
  readonly milestoneId?: number | undefined
  readonly typeId?: number | undefined
  /** Closed if present. */
  readonly closed?: { readonly at: string; readonly reason: string | null; readonly by: ImportedAuthor } | undefined
  readonly lockReason?: string | null | undefined
  readonly pinnedAt?: string | undefined
  /** What makes the issue a pull request. */
  readonly pull?: NewPullRequestColumns | undefined
  readonly comments?: ReadonlyArray<ImportedComment> | undefined
}

/** Color of a label that an import adds. */
const NEW_LABEL_COLOR = "ededed"

const imported = decodeFirstRow(Schema.Struct({ row_id: Schema.Int }))

export class IssueImport extends Context.Service<
  IssueImport,
  {
    /** Adds an issue with its conversation and returns its id. Undefined if another issue has the number. */
    add(issue: ImportedIssue): Effect.Effect<number | undefined>
    /** Adds a comment to an issue and returns its id. */
    addComment(
      issue: { readonly id: number; readonly repositoryId: number },
      comment: ImportedComment
    ): Effect.Effect<number>
  }
>()("@tongs/service/issues/IssueImport") {
  static readonly layer = Layer.effect(
    IssueImport,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* IssueRows
      const comments = yield* IssueCommentRows
      const events = yield* IssueEventRows
      const labels = yield* LabelRows
      const pulls = yield* PullRequestRows
      const reactions = yield* ReactionRows
      const references = yield* CrossReferences
      const registry = yield* RepositoryRegistry
      const subscriptions = yield* SubscriptionRows
      const users = yield* UserRows
      const transaction = yield* Transaction.make

      /** Returns the row that an earlier import added, or adds it. */
      const once = Effect.fnUntraced(function* <A extends number | undefined>(
        repositoryId: number,
        kind: "issue" | "comment",
        foreignId: string | undefined,
        add: Effect.Effect<A>
      ) {
        if (foreignId === undefined) return yield* add
        const key = { repository_id: repositoryId, kind, foreign_id: foreignId }
        const known = yield* imported(
          sql`SELECT row_id FROM imported_rows WHERE ${sql.and([
            sql`repository_id = ${repositoryId}`,
            sql`kind = ${kind}`,
            sql`foreign_id = ${foreignId}`
          ])}`
        )
        if (known !== undefined) return known.row_id
        const id = yield* add
        if (id !== undefined) yield* Effect.orDie(sql`INSERT INTO imported_rows ${sql.insert({ ...key, row_id: id })}`)
        return id
      })

      /** A mannequin's login has a suffix that no account can have. */
      const authorId = Effect.fnUntraced(function* (author: ImportedAuthor) {
        if ("id" in author) return author.id
        return (yield* users.ensure({ login: `${author.mannequin}[mannequin]`, type: "Mannequin" })).id
      })

      const labelIds = Effect.fnUntraced(function* (repositoryId: number, names: ReadonlyArray<string>) {
        const known = yield* labels.byNames(repositoryId, names)
        const missing = names.filter((name) => !known.some((one) => one.name.toLowerCase() === name.toLowerCase()))
        const added = yield* Effect.forEach(missing, (name) =>
          labels.add(repositoryId, { name, color: NEW_LABEL_COLOR, description: null })
        )
        return [...known, ...added].flatMap((row) => (row === undefined ? [] : [row.id]))
      })

      /** Records the references and mentions of a text. A mentioned account takes part in the issue. */
      const refer = Effect.fnUntraced(function* (
        source: ReferenceSource,
        actorId: number,
        text: string | null,
        createdAt: string
      ) {
        const [row] = yield* registry.byIds([source.issue.repository_id])
        if (row === undefined) return
        const at = { actor: { id: actorId }, repository: { row } }
        const { mention } = yield* references.record(at, source, text, null, createdAt)
        yield* subscriptions.participate(source.issue.id, mention, "mention", createdAt)
      })

      const react = (
        column: "issue_id" | "issue_comment_id",
        id: number,
        given: NonNullable<ImportedRow["reactions"]>
      ) =>
        Effect.forEach(
          Object.entries(given).flatMap(([content, ids]) => ids.map((userId) => ({ content, userId }))),
          ({ content, userId }) => reactions.add({ column, id }, userId, content),
          { discard: true }
        )

      const addComment: IssueImport["Service"]["addComment"] = (issue, { author, body, ...comment }) =>
        requireRow(
          once(
            issue.repositoryId,
            "comment",
            comment.foreignId,
            Effect.gen(function* () {
              const { createdAt, reactions: given = {}, updatedAt = createdAt } = comment
              const writer = yield* authorId(author)
              const id = yield* comments.add({
                repository_id: issue.repositoryId,
                issue_id: issue.id,
                author_id: writer,
                body,
                created_at: createdAt,
                updated_at: updatedAt
              })
              yield* rows.countComment(issue.id, 1, updatedAt)
              yield* subscriptions.participate(issue.id, [writer], "comment", createdAt)
              const source = { issue: { id: issue.id, repository_id: issue.repositoryId }, commentId: id }
              yield* refer(source, writer, body, createdAt)
              yield* react("issue_comment_id", id, given)
              return id
            })
          )
        )

      const insert = Effect.fnUntraced(function* (issue: ImportedIssue) {
        const { assignees = [], closed, createdAt, labels: names = [], lockReason, number, repositoryId } = issue
        if (number !== undefined && (yield* rows.find(repositoryId, number)) !== undefined) return undefined
        const author = yield* authorId(issue.author)
        const closer = closed === undefined ? null : yield* authorId(closed.by)
        const id = yield* rows.add({
          ...(number === undefined ? {} : { number }),
          repository_id: repositoryId,
          is_pull_request: issue.pull === undefined ? 0 : 1,
          title: issue.title,
          body: issue.body,
          author_id: author,
          state: closed === undefined ? "open" : "closed",
          state_reason: closed?.reason ?? null,
          closed_at: closed?.at ?? null,
          closed_by_id: closer,
          locked: lockReason === undefined ? 0 : 1,
          active_lock_reason: lockReason ?? null,
          milestone_id: issue.milestoneId ?? null,
          type_id: issue.typeId ?? null,
          pinned_at: issue.pinnedAt ?? null,
          created_at: createdAt,
          updated_at: createdAt
        })
        if (issue.pull !== undefined) yield* pulls.add(id, issue.pull)
        const added = yield* labelIds(repositoryId, names)
        yield* rows.setLabels(id, added)
        yield* rows.setAssignees(id, [...new Set(assignees.map((one) => one.id))])
        yield* subscriptions.participate(id, [author], "author", createdAt)
        yield* subscriptions.participate(
          id,
          assignees.map((one) => one.id),
          "assign",
          createdAt
        )
        yield* refer({ issue: { id, repository_id: repositoryId } }, author, issue.body, createdAt)
        for (const comment of issue.comments ?? []) yield* addComment({ id, repositoryId }, comment)
        yield* react("issue_id", id, issue.reactions ?? {})
        if (closed !== undefined) {
          const by = { issue: { id, repository_id: repositoryId }, actorId: closer }
          const merge = issue.pull?.merge_commit_sha ?? undefined
          const merged: ReadonlyArray<NewIssueEvent> =
            merge === undefined ? [] : [{ ...by, event: "merged", commit: { id: merge, repositoryId } }]
          yield* events.add([...merged, { ...by, event: "closed", data: { state_reason: closed.reason } }], closed.at)
        }
        const last = issue.updatedAt ?? closed?.at ?? issue.comments?.at(-1)?.createdAt ?? createdAt
        yield* rows.update(id, { updated_at: last })
        return id
      })

      return IssueImport.of({
        add: Effect.fn("IssueImport.add")((issue) =>
          transaction(once(issue.repositoryId, "issue", issue.foreignId, insert(issue)))
        ),
        addComment: (issue, comment) => transaction(addComment(issue, comment))
      })
    })
  )
}

/** The present time, for rows of fixtures without a time. */
export const now = Effect.map(Clock.currentTimeMillis, timestamp)
