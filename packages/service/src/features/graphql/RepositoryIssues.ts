/** The fields of a repository with its issues, and the search of issues. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as IssueQuery from "@tongs/core/query/items/IssueQuery"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import type { PageRequest } from "../../base/Paging.ts"
import { AssigneeRows } from "../../issues/AssigneeRows.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import { IssueSearch } from "../../issues/IssueSearch.ts"
import { IssueTypeRows } from "../../issues/IssueTypeRows.ts"
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
  readonly orderBy?: { readonly field: keyof typeof sorts; readonly direction: "ASC" | "DESC" } | null
  readonly filterBy?: IssueFilters | null
}

interface UserArguments extends Connections.PageArguments {
  readonly query?: string | null
}

interface SuggestedActorArguments extends UserArguments {
  /** Logins, separated by commas or spaces. */
  readonly loginNames?: string | null
}

const sorts = { CREATED_AT: "created", UPDATED_AT: "updated", COMMENTS: "comments" } as const // literal types

const filter = (one: IssueQuery.Filter): IssueQuery.Condition => ({ _tag: "Filter", filter: one })

const isAny = <A>(values: ReadonlyArray<A> | null | undefined, condition: (value: A) => IssueQuery.Condition) =>
  (values ?? undefined) === undefined ? [] : [IssueQuery.or((values ?? []).map(condition))]

/** Returns the condition for a name. `*` stands for any name, null in a given member for none. */
const named = (
  name: "assignee" | "author" | "mentions" | "type",
  missing: "assignee" | "type" | undefined,
  value: string | null | undefined
): ReadonlyArray<IssueQuery.Condition> => {
  if (value === undefined) return []
  if (missing === undefined) return value === null ? [] : [filter({ name, value })]
  const none = filter({ name: "no", value: missing })
  return [value === null ? none : value === "*" ? IssueQuery.not(none) : filter({ name, value })]
}

/** Returns the condition of the issues of a repository, with the filters of an `issues` field. */
const conditionOf = (fullName: string, { filterBy, labels, states }: IssueArguments): IssueQuery.Condition => {
  const isState = (state: "OPEN" | "CLOSED") => filter({ name: "state", value: state === "OPEN" ? "open" : "closed" })
  const hasLabel = (value: string) => filter({ name: "label", value })
  const { assignee, createdBy, issueFieldValues, labels: all, mentioned, since, states: only, type } = filterBy ?? {}
  return IssueQuery.and([
    filter({ name: "repo", value: fullName }),
    filter({ name: "kind", value: "issue" }),
    ...isAny(states, isState),
    ...isAny(only, isState),
    ...isAny(labels, hasLabel),
    ...isAny(all, hasLabel),
    ...named("assignee", "assignee", assignee),
    ...named("author", undefined, createdBy),
    ...named("mentions", undefined, mentioned),
    ...named("type", "type", type),
    ...((issueFieldValues ?? []).length === 0 ? [] : [IssueQuery.or([])]),
    ...((since ?? undefined) === undefined ? [] : [filter({ name: "updated", from: since ?? "" })])
  ])
}

/** Creates the functions that return the fields. */
export const make = Effect.gen(function* () {
  const assignees = yield* AssigneeRows
  const rows = yield* IssueRows
  const types = yield* IssueTypeRows
  const searches = yield* IssueSearch
  const { ofIssues } = yield* SearchedLanguages.make
  const sql = yield* SqlClient.SqlClient

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
    const row = await query.run(rows.find(at.served.row.id, number))
    const id = row?.id ?? (await query.run(rows.transferred(at.served.row.id, number)))
    const isWanted = type !== "an Issue" || row?.is_pull_request !== 1
    const issue = id === undefined || !isWanted ? null : await query.issue(id)
    if (issue === null) throw QueryError.unresolved(`${type} with the number of ${number}`)
    return issue
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
        const order = direction === "ASC" ? "asc" : "desc"
        const condition = conditionOf(at.served.fullName, given)
        const parsed = { condition, places: IssueQuery.places, sort: { by: sorts[field], order } } as const // literal types
        return Connections.make("issues", given, search(query, parsed))
      },
      pinnedIssues: (given: Connections.PageArguments) => {
        check()
        const isPinned = sql`i.repository_id = ${row.id} AND i.pinned_at IS NOT NULL`
        const read = async (page: PageRequest) => {
          const { items, total } = await query.run(rows.page(isPinned, sql`i.pinned_at, i.id`, page))
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

  return { assignableOf, fields, search }
})
