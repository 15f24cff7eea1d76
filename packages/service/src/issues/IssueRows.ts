/** Database rows of issues. */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { accountJson, accountObject, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest } from "../base/Paging.ts"
import * as ReadyEffects from "../base/ReadyEffects.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as PageCache from "../storage/PageCache.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import { Standing, standing } from "./AuthorAssociation.ts"
import * as IssueTexts from "./IssueTexts.ts"
import { labelObject, LabelRow } from "./LabelRows.ts"
import { MilestoneJson, milestonesJson } from "./MilestoneRows.ts"

const json = Schema.fromJsonString

/** A number of related issues with one state in one repository. */
export const IssueTally = Schema.Struct({ repository_id: Schema.Int, state: Schema.String, count: Schema.Int })
export type IssueTally = typeof IssueTally.Type

/** A type of issues of an organization. */
export const IssueTypeRow = Schema.Struct({
  id: Schema.Int,
  organization_id: Schema.Int,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  color: Schema.NullOr(Schema.String),
  is_enabled: Schema.Int,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type IssueTypeRow = typeof IssueTypeRow.Type

/** The parent of a sub-issue. */
const Parent = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  repository: Schema.String,
  number: Schema.Int
})

/** What lists of issues show of a pull request. */
const PullRequestMark = Schema.Struct({ draft: Schema.Int, merged_at: Schema.NullOr(Schema.String) })

/** An issue, or a pull request, with everything that its resource shows. */
export const IssueRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  number: Schema.Int,
  is_pull_request: Schema.Int,
  title: Schema.String,
  body: Schema.NullOr(Schema.String),
  /** Null if the account was deleted. */
  author_id: Schema.NullOr(Schema.Int),
  state: Schema.Literals(["open", "closed"]),
  state_reason: Schema.NullOr(Schema.String),
  closed_at: Schema.NullOr(Schema.String),
  locked: Schema.Int,
  active_lock_reason: Schema.NullOr(Schema.String),
  milestone_id: Schema.NullOr(Schema.Int),
  duplicate_of_id: Schema.NullOr(Schema.Int),
  parent_id: Schema.NullOr(Schema.Int),
  pinned_at: Schema.NullOr(Schema.String),
  comments: Schema.Int,
  created_at: Schema.String,
  updated_at: Schema.String,
  author: Schema.NullOr(json(UserRow)),
  /** The relation of the author to the repository that the database knows. */
  standing: Standing,
  closed_by: Schema.NullOr(json(UserRow)),
  milestone: Schema.NullOr(MilestoneJson),
  assignees: json(Schema.Array(UserRow)),
  labels: json(Schema.Array(LabelRow)),
  type: Schema.NullOr(json(IssueTypeRow)),
  /** Number of reactions by content. */
  reactions: json(Schema.Record(Schema.String, Schema.Int)),
  parent: Schema.NullOr(json(Parent)),
  /** Null for an issue. */
  pull_request: Schema.NullOr(json(PullRequestMark)),
  sub_issues: json(Schema.Array(IssueTally)),
  blocked_by: json(Schema.Array(IssueTally)),
  blocking: json(Schema.Array(IssueTally))
})
export type IssueRow = typeof IssueRow.Type

/** The columns of an issue that a change sets. */
export interface IssueColumns {
  readonly repository_id: number
  readonly number: number
  readonly is_pull_request: 0 | 1
  readonly title: string
  readonly body: string | null
  readonly author_id: number | null
  readonly state: "open" | "closed"
  readonly state_reason: string | null
  readonly closed_at: string | null
  readonly closed_by_id: number | null
  readonly locked: 0 | 1
  readonly active_lock_reason: string | null
  readonly milestone_id: number | null
  readonly type_id: number | null
  readonly duplicate_of_id: number | null
  readonly parent_id: number | null
  readonly parent_position: number | null
  readonly pinned_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

type NewIssueColumns = Partial<IssueColumns> &
  Pick<IssueColumns, "repository_id" | "title" | "author_id" | "created_at" | "updated_at">

const rows = decodeRows(IssueRow)
const numbered = decodeFirstRow(Schema.Struct({ last: Schema.Int }))
const inserted = decodeFirstRow(Schema.Struct({ id: Schema.Int }))
const transferred = decodeFirstRow(Schema.Struct({ issue_id: Schema.Int }))

/** Reads and writes issues. The columns of the table have the alias `i` in conditions and orders. */
export class IssueRows extends Context.Service<
  IssueRows,
  {
    /** Returns a page of the issues that match a condition, and the number of all, in one statement. */
    page(condition: Fragment, order: Fragment, range: PageRequest): Effect.Effect<PageCache.Page<IssueRow>>
    find(repositoryId: number, number: number): Effect.Effect<IssueRow | undefined>
    /** Returns the issues with these ids that exist, by id. */
    byIds(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, IssueRow>>
    /** Returns the last number that issues and pull requests of a repository were given; 0 if none. */
    lastNumber(repositoryId: number): Effect.Effect<number>
    /** Returns the id of the issue that once had a number of a repository and was transferred. */
    transferred(repositoryId: number, number: number): Effect.Effect<number | undefined>
    /** Returns whether a number of a repository belongs to no pull request that only review comments name. */
    wasIssue(repositoryId: number, number: number): Effect.Effect<boolean>
    /** Takes the next number of a repository. */
    nextNumber(repositoryId: number): Effect.Effect<number>
    /** Marks a number as taken. Later numbers are higher. */
    reserveNumber(repositoryId: number, number: number): Effect.Effect<void>
    /** Adds an issue with the next number, or the number of an import. Returns its id. */
    add(columns: NewIssueColumns): Effect.Effect<number>
    update(id: number, columns: Partial<IssueColumns>): Effect.Effect<void>
    /** Changes the number of comments by `difference`. */
    countComment(id: number, difference: 1 | -1, updatedAt: string): Effect.Effect<void>
    remove(id: number): Effect.Effect<void>
    setLabels(id: number, labelIds: ReadonlyArray<number>): Effect.Effect<void>
    setAssignees(id: number, userIds: ReadonlyArray<number>): Effect.Effect<void>
    /** Remembers the former number of a transferred issue. */
    addTransferred(repositoryId: number, number: number, issueId: number): Effect.Effect<void>
    addBlocker(id: number, blockerId: number, createdAt: string): Effect.Effect<void>
    removeBlocker(id: number, blockerId: number): Effect.Effect<void>
  }
>()("@tongs/service/issues/IssueRows") {
  static readonly layer = Layer.effect(
    IssueRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const { isOneOf } = fragments
      const selected = sql.literal(columns(fragments))
      // The chosen issues are first, because PostgreSQL does not reorder this many joins.
      const from = sql.literal(`chosen JOIN issues i ON i.id = chosen.id JOIN repositories r ON r.id = i.repository_id
        LEFT JOIN users author ON author.id = i.author_id
        LEFT JOIN users closer ON closer.id = i.closed_by_id
        LEFT JOIN issue_types type ON type.id = i.type_id
        LEFT JOIN pull_requests pull ON pull.issue_id = i.id
        LEFT JOIN issues parent ON parent.id = i.parent_id
        LEFT JOIN repositories parent_repository ON parent_repository.id = parent.repository_id
        LEFT JOIN users parent_owner ON parent_owner.id = parent_repository.owner_id
        LEFT JOIN own_milestones ON own_milestones.id = i.milestone_id`)
      // Each milestone is read once, because its counts can take long.
      const ownMilestones = sql.literal(`own_milestones AS MATERIALIZED (
        ${milestonesJson(fragments, "SELECT milestone_id FROM chosen")})`)
      /** Selects the issues with the ids and milestones of a subquery. */
      const select = (chosen: Fragment, more: Fragment = sql``) => sql`
        WITH chosen AS MATERIALIZED (${chosen}), ${ownMilestones}
        SELECT ${selected}${more} FROM ${from}`
      const where = (condition: Fragment) => sql`SELECT i.id, i.milestone_id FROM issues i WHERE ${condition}`
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const texts = IssueTexts.make(sql)
      const pages = PageCache.make(yield* StoreRevision, IssueRow)

      const nextNumber = (repositoryId: number) =>
        Effect.map(
          requireRow(
            numbered(sql`
              INSERT INTO issue_numbers (repository_id, last) VALUES (${repositoryId}, 1)
              ON CONFLICT (repository_id) DO UPDATE SET last = issue_numbers.last + 1 RETURNING last`)
          ),
          ({ last }) => last
        )

      const reserveNumber = (repositoryId: number, number: number) =>
        run(sql`
          INSERT INTO issue_numbers (repository_id, last) VALUES (${repositoryId}, ${number})
          ON CONFLICT (repository_id) DO UPDATE SET last = excluded.last WHERE issue_numbers.last < excluded.last`)

      /** Changes the number of open issues of an issue's repository by `difference` if the issue is open. */
      const countOpen = (id: number, difference: 1 | -1) =>
        run(sql`
          UPDATE issue_numbers SET open_issues = open_issues + ${difference}
          WHERE repository_id = (SELECT repository_id FROM issues WHERE id = ${id} AND state = 'open')`)

      /** Replaces the rows of an issue in a table of pairs. */
      const replace = (table: string, column: string) =>
        Effect.fnUntraced(function* (id: number, ids: ReadonlyArray<number>) {
          yield* run(sql`DELETE FROM ${sql(table)} WHERE issue_id = ${id}`)
          if (!Arr.isReadonlyArrayNonEmpty(ids)) return
          const pairs = Arr.map(ids, (other) => ({ issue_id: id, [column]: other }))
          yield* run(sql`INSERT INTO ${sql(table)} ${sql.insert(pairs)}`)
        })

      return IssueRows.of({
        page: (condition, order, range) => {
          const chosen = sql`${where(condition)} ORDER BY ${order} LIMIT ${range.perPage} OFFSET ${range.offset}`
          const count = sql`SELECT count(*) AS count FROM issues i WHERE ${condition}`
          return pages({
            key: chosen,
            range,
            rows: () => sql`${select(chosen, sql`, (${count}) AS total`)} ORDER BY ${order}`,
            count: () => count
          })
        },
        find: (repositoryId, number) => {
          const key = where(sql`i.repository_id = ${repositoryId} AND i.number = ${number}`)
          const range = { page: 1, offset: 0, perPage: 1 }
          const found = pages({ key, range, rows: () => select(key, sql`, 1 AS total`), count: () => key })
          return ReadyEffects.map(found, ({ items: [row] }) => row)
        },
        byIds: (ids) =>
          ids.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                rows(select(where(isOneOf("i.id", ids)))),
                (found) => new Map(found.map((row) => [row.id, row]))
              ),
        lastNumber: (repositoryId) =>
          Effect.map(
            numbered(sql`SELECT last FROM issue_numbers WHERE repository_id = ${repositoryId}`),
            (row) => row?.last ?? 0
          ),
        transferred: (repositoryId, number) =>
          Effect.map(
            transferred(sql`
              SELECT issue_id FROM transferred_issues WHERE repository_id = ${repositoryId} AND number = ${number}`),
            (row) => row?.issue_id
          ),
        wasIssue: (repositoryId, number) =>
          Effect.map(
            Effect.orDie(sql`
              SELECT 1 FROM review_comments WHERE repository_id = ${repositoryId} AND pull_number = ${number} LIMIT 1`),
            (found) => found.length === 0
          ),
        nextNumber,
        reserveNumber,
        add: Effect.fn("IssueRows.add")(function* (given) {
          const { number = yield* nextNumber(given.repository_id), repository_id } = given
          if (given.number !== undefined) yield* reserveNumber(repository_id, number)
          const row = { ...given, number }
          const { id } = yield* requireRow(inserted(sql`INSERT INTO issues ${sql.insert(row)} RETURNING id`))
          yield* countOpen(id, 1)
          yield* run(texts.addIssue(id, row.title, row.body ?? null))
          return id
        }),
        update: Effect.fn("IssueRows.update")(function* (id, changed) {
          const isCounted = changed.state !== undefined || changed.repository_id !== undefined
          if (isCounted) yield* countOpen(id, -1)
          yield* run(sql`UPDATE issues SET ${sql.update({ ...changed })} WHERE id = ${id}`)
          if (isCounted) yield* countOpen(id, 1)
          yield* run(texts.updateIssue(id, changed))
        }),
        countComment: (id, difference, updatedAt) =>
          run(sql`UPDATE issues SET comments = comments + ${difference}, updated_at = ${updatedAt} WHERE id = ${id}`),
        remove: (id) => Effect.andThen(countOpen(id, -1), run(sql`DELETE FROM issues WHERE id = ${id}`)),
        setLabels: replace("issue_labels", "label_id"),
        setAssignees: replace("issue_assignees", "user_id"),
        addTransferred: (repositoryId, number, issueId) =>
          run(sql`
            INSERT INTO transferred_issues (repository_id, number, issue_id)
            VALUES (${repositoryId}, ${number}, ${issueId})`),
        addBlocker: (id, blockerId, createdAt) =>
          run(sql`
            INSERT INTO issue_dependencies (issue_id, blocked_by_id, created_at)
            VALUES (${id}, ${blockerId}, ${createdAt})`),
        removeBlocker: (id, blockerId) =>
          run(sql`DELETE FROM issue_dependencies WHERE issue_id = ${id} AND blocked_by_id = ${blockerId}`)
      })
    })
  )
}

/** The columns of `IssueRow`. */
const columns = (fragments: SqlFragments.SqlFragments): string => {
  const { jsonArray, jsonMembers, jsonObject, jsonText } = fragments
  const own = Object.keys(IssueRow.fields).slice(0, Object.keys(IssueRow.fields).indexOf("author"))
  const type = Object.fromEntries(Object.keys(IssueTypeRow.fields).map((name) => [name, `type.${name}`]))
  const parent = {
    id: "parent.id",
    repository_id: "parent.repository_id",
    repository: "parent_owner.login || '/' || parent_repository.name",
    number: "parent.number"
  }
  const tally = (condition: string) => `(
    SELECT ${jsonText(jsonArray(jsonObject({ repository_id: "repository_id", state: "state", count: "count" })))}
    FROM (SELECT o.repository_id, o.state, count(*) AS count FROM issues o WHERE ${condition}
      GROUP BY o.repository_id, o.state) tally)`
  return `
    ${own.map((name) => `i.${name}`).join(", ")},
    ${accountJson(fragments, "author")} AS author,
    ${standing("author", "r")} AS standing,
    ${accountJson(fragments, "closer")} AS closed_by,
    own_milestones.milestone,
    (SELECT ${jsonText(jsonArray(accountObject(fragments, "u")))} FROM (
      SELECT u.* FROM issue_assignees a JOIN users u ON u.id = a.user_id WHERE a.issue_id = i.id ORDER BY u.id) u
    ) AS assignees,
    (SELECT ${jsonText(jsonArray(labelObject(fragments, "l")))} FROM (
      SELECT l.* FROM issue_labels il JOIN labels l ON l.id = il.label_id WHERE il.issue_id = i.id ORDER BY l.id) l
    ) AS labels,
    CASE WHEN type.id IS NULL THEN NULL ELSE ${jsonText(jsonObject(type))} END AS type,
    (SELECT ${jsonText(jsonMembers("content", "count"))} FROM (
      SELECT content, count(*) AS count FROM reactions WHERE issue_id = i.id GROUP BY content) counts
    ) AS reactions,
    CASE WHEN parent.id IS NULL THEN NULL ELSE ${jsonText(jsonObject(parent))} END AS parent,
    CASE WHEN pull.issue_id IS NULL THEN NULL
      ELSE ${jsonText(jsonObject({ draft: "pull.draft", merged_at: "pull.merged_at" }))} END AS pull_request,
    ${tally("o.parent_id = i.id")} AS sub_issues,
    ${tally("o.id IN (SELECT blocked_by_id FROM issue_dependencies WHERE issue_id = i.id)")} AS blocked_by,
    ${tally("o.id IN (SELECT issue_id FROM issue_dependencies WHERE blocked_by_id = i.id)")} AS blocking`
}
