/** The fields of a repository with its issues, and the search of issues. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type * as IssueQuery from "@tongs/core/query/items/IssueQuery"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import type { PageRequest } from "../../base/Paging.ts"
import { timestamp } from "../../base/Time.ts"
import { AssigneeRows } from "../../issues/AssigneeRows.ts"
import { IssueIds } from "../../issues/IssueIds.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import { IssueSearch } from "../../issues/IssueSearch.ts"
import { IssueTypeRows } from "../../issues/IssueTypeRows.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"
import * as SearchedLanguages from "../search/SearchedLanguages.ts"
import * as Connections from "./Connections.ts"
import { issueType, readsIssues } from "./IssueObjects.ts"
import * as IssueTemplates from "./IssueTemplates.ts"
import * as QueryError from "./QueryError.ts"
import { requireAccess } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

const listsAssignees = OperationAccess.operationOf("assignees", "listForRepo")
const readsFiles = OperationAccess.operationOf("contents", "get")

/** Maximum number of accounts that can be assigned, in which a query searches. */
const allUsers = { page: 1, offset: 0, perPage: 10_000 }

interface IssueFilters {
  readonly assignee?: string | null
  readonly createdBy?: string | null
  readonly labels?: ReadonlyArray<string> | null
  readonly mentioned?: string | null
  readonly milestone?: string | null
  readonly milestoneNumber?: string | null
  readonly since?: string | null
  readonly states?: ReadonlyArray<"OPEN" | "CLOSED"> | null
  readonly type?: string | null
  readonly issueFieldValues?: ReadonlyArray<object> | null
}

interface IssueArguments extends Connections.PageArguments {
  readonly states?: ReadonlyArray<"OPEN" | "CLOSED"> | null
  readonly labels?: ReadonlyArray<string> | null
  readonly orderBy?: { readonly field: keyof typeof orders; readonly direction: "ASC" | "DESC" } | null
  readonly filterBy?: IssueFilters | null
}

interface UserArguments extends Connections.PageArguments {
  readonly query?: string | null
}

interface SuggestedActorArguments extends UserArguments {
  /** Logins, separated by commas or spaces. */
  readonly loginNames?: string | null
}

const orders = { CREATED_AT: "i.created_at", UPDATED_AT: "i.updated_at", COMMENTS: "i.comments" } as const // columns

/** Returns the number of a text. -1, which no row has, for another text. */
const numberOf = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : -1)

/** Returns a time in the form of the database. */
const timeOf = (text: string) => {
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return timestamp(time)
  throw new QueryError.QueryError("INVALID_ARGUMENT", `\`${text.slice(0, 100)}\` is not a timestamp.`)
}

const isGiven = <A>(value: A | null | undefined): value is A => (value ?? undefined) !== undefined

/** Creates the functions that return the fields. */
export const make = Effect.gen(function* () {
  const assignees = yield* AssigneeRows
  const ids = yield* IssueIds
  const rows = yield* IssueRows
  const types = yield* IssueTypeRows
  const searches = yield* IssueSearch
  const { ofIssues } = yield* SearchedLanguages.make
  const sql = yield* SqlClient.SqlClient
  const { hasName } = SqlFragments.make(sql)

  const isAny = <A>(values: ReadonlyArray<A> | null | undefined, condition: (value: A) => Fragment) =>
    isGiven(values) ? [values.length === 0 ? sql`1 = 0` : sql.or(values.map(condition))] : []

  /** Returns the condition of a name: null in a given member stands for no value, `*` for any. */
  const named = (name: string | null | undefined, column: string, is: (name: string) => Fragment) => {
    if (name === undefined) return []
    if (name === null) return [sql`${sql.literal(column)} IS NULL`]
    return [name === "*" ? sql`${sql.literal(column)} IS NOT NULL` : is(name)]
  }

  const userId = (login: string) => sql`(SELECT u.id FROM users u WHERE ${hasName("u.login", login)})`
  const isAssigned = (condition: Fragment) =>
    sql`EXISTS (SELECT 1 FROM issue_assignees a WHERE a.issue_id = i.id AND ${condition})`

  const assigneeIs = (login: string | null | undefined) => {
    if (login === undefined) return []
    if (login === null) return [sql`NOT ${isAssigned(sql`1 = 1`)}`]
    return [isAssigned(login === "*" ? sql`1 = 1` : sql`a.user_id = ${userId(login)}`)]
  }

  /** Returns the condition of the issues of a repository, with the filters of an `issues` field. */
  const conditionOf = (repositoryId: number, { filterBy, labels, states }: IssueArguments): Fragment => {
    const isState = (state: "OPEN" | "CLOSED") => sql`i.state = ${state.toLowerCase()}`
    const hasLabel = (name: string) => sql`i.id IN (
      SELECT l.issue_id FROM labels n JOIN issue_labels l ON l.label_id = n.id
      WHERE ${hasName("n.name", name)} AND n.repository_id = ${repositoryId})`
    const { assignee, createdBy, issueFieldValues, mentioned, milestone, milestoneNumber, since, type } = filterBy ?? {}
    return sql.and([
      sql`i.repository_id = ${repositoryId} AND i.is_pull_request = 0`,
      ...isAny(states, isState),
      ...isAny(filterBy?.states, isState),
      ...isAny(labels, hasLabel),
      ...isAny(filterBy?.labels, hasLabel),
      ...assigneeIs(assignee),
      ...(isGiven(createdBy) ? [sql`i.author_id = ${userId(createdBy)}`] : []),
      ...(isGiven(mentioned)
        ? [
            sql`i.id IN (SELECT e.issue_id FROM issue_events e
              WHERE e.event = 'mentioned' AND e.actor_id = ${userId(mentioned)})`
          ]
        : []),
      ...named(milestone, "i.milestone_id", (id) => sql`i.milestone_id = ${numberOf(id)}`),
      ...named(
        milestoneNumber,
        "i.milestone_id",
        (number) => sql`i.milestone_id IN (
          SELECT m.id FROM milestones m WHERE m.repository_id = ${repositoryId} AND m.number = ${numberOf(number)})`
      ),
      ...named(
        type,
        "i.type_id",
        (name) => sql`i.type_id IN (SELECT t.id FROM issue_types t WHERE ${hasName("t.name", name)})`
      ),
      ...(isGiven(since) ? [sql`i.updated_at >= ${timeOf(since)}`] : []),
      ...((issueFieldValues ?? []).length === 0 ? [] : [sql`1 = 0`])
    ])
  }

  /** Reads a page of the results of a query as objects. */
  const search =
    (query: RunningQuery, parsed: IssueQuery.IssueQuery) =>
    async ({ offset, perPage }: PageRequest) => {
      const found = Effect.flatMap(ofIssues(query.caller, parsed), ({ languages }) =>
        searches.search(query.caller, parsed, { offset, limit: perPage }, languages)
      )
      const none = Effect.succeed({ hits: [], total: 0 })
      const { hits, total } = await query.run(Effect.catchTag(found, "UnknownTargets", () => none))
      const items = await Promise.all(hits.map(({ id }) => query.issue(id)))
      return { items: items.filter((one) => one !== null), total }
    }

  const find = async (query: RunningQuery, at: FoundRepository, number: number, type: string) => {
    const found = await query.issueOfNumber(`${at.served.row.id} ${number}`)
    const id = found?.id ?? (await query.run(rows.transferred(at.served.row.id, number)))
    const isWanted = type !== "an Issue" || found?.is_pull_request !== 1
    const issue = id === undefined || !isWanted ? null : await query.issue(id)
    if (issue === null) throw QueryError.unresolved(`${type} with the number of ${number}`)
    return issue
  }

  /** Reads issues by `<repository id> <number>`. */
  const byNumbers = async (query: RunningQuery, keys: ReadonlyArray<string>) => {
    const pairs = keys.map((key): [number, number] => {
      const [id = "", number = ""] = key.split(" ")
      return [Number(id), Number(number)]
    })
    const found = await query.run(ids.byNumbers(pairs))
    return new Map(found.map((one) => [`${one.repository_id} ${one.number}`, one]))
  }

  /** Reads the accounts that can be assigned in repositories. */
  const assignableOf = async (query: RunningQuery, ids: ReadonlyArray<number>) => {
    const found = await Promise.all(
      ids.map(async (id): Promise<ReadonlyArray<[number, ReadonlyArray<UserRow>]>> => {
        const at = await query.findRepository(id)
        return at === undefined ? [] : [[id, (await query.run(assignees.list(at.served.row, allUsers))).items]]
      })
    )
    return new Map(found.flat())
  }

  /** Returns the fields of a repository with its issues. */
  const fields = (query: RunningQuery, at: FoundRepository) => {
    const { row } = at.served
    const check = () => requireAccess(readsIssues, query, at)
    const users =
      (field: string) =>
      async (given: UserArguments, isWanted: (row: UserRow) => boolean = () => true) => {
        requireAccess(listsAssignees, query, at)
        const items = (await query.assignable(row.id)) ?? []
        const text = (given.query ?? "").toLowerCase()
        const found = items.filter(
          (one) => `${one.login}\n${one.name ?? ""}`.toLowerCase().includes(text) && isWanted(one)
        )
        return Connections.ofList(field, given, found, query.account)
      }
    return {
      issue: ({ number }: { readonly number: number }) => {
        check()
        return find(query, at, number, "an Issue")
      },
      issueOrPullRequest: ({ number }: { readonly number: number }) => {
        check()
        return find(query, at, number, "an issue or pull request")
      },
      issues: (given: IssueArguments) => {
        check()
        const { direction, field } = given.orderBy ?? { field: "CREATED_AT", direction: "ASC" }
        const way = sql.literal(direction === "DESC" ? "DESC" : "ASC")
        const order = sql`${sql.literal(orders[field])} ${way}, i.number ${way}`
        const where = conditionOf(row.id, given)
        return Connections.make("issues", given, async (page) => {
          const { items, total } = await query.run(rows.page(where, order, page))
          const found = await Promise.all(items.map(({ id }) => query.issue(id)))
          return { items: found.filter((one) => one !== null), total }
        })
      },
      pinnedIssues: (given: Connections.PageArguments) => {
        check()
        const isPinned = sql`i.repository_id = ${row.id} AND i.pinned_at IS NOT NULL`
        // Issues cannot be seen while they are off.
        const isShown = row.has_issues === 1 ? isPinned : sql`1 = 0`
        const read = async (page: PageRequest) => {
          const { items, total } = await query.run(rows.page(isShown, sql`i.pinned_at, i.id`, page))
          return { items: items.map(({ id }) => ({ issue: () => query.issue(id) })), total }
        }
        return Connections.make("pinnedIssues", given, read)
      },
      assignableUsers: users("assignableUsers"),
      mentionableUsers: users("mentionableUsers"),
      suggestedActors: ({ loginNames, ...given }: SuggestedActorArguments) => {
        const logins = loginNames?.toLowerCase().split(/[ ,]+/)
        return users("suggestedActors")(given, ({ login }) => logins?.includes(login.toLowerCase()) ?? true)
      },
      issueFields: Connections.empty("issueFields"),
      issueTypes: async (given: Connections.PageArguments) => {
        check()
        if (row.owner.type !== "Organization") return null
        const found = (await query.run(types.list(row.owner.id))).filter(({ is_enabled }) => is_enabled === 1)
        return Connections.ofList("issueTypes", given, found, issueType)
      },
      issueTemplates: () => {
        requireAccess(readsFiles, query, at)
        return query.run(IssueTemplates.read(at.served))
      }
    }
  }

  return { assignableOf, byNumbers, fields, search }
})
