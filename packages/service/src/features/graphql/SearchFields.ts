/** The field `search`: issues and pull requests, repositories, users and organizations. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Diagnostic } from "@tongs/core/query/Diagnostic"
import * as IssueQuery from "@tongs/core/query/items/IssueQuery"
import * as RepositoryQuery from "@tongs/core/query/items/RepositoryQuery"
import * as UserQuery from "@tongs/core/query/items/UserQuery"
import type { PageRequest } from "../../base/Paging.ts"
import * as RepositorySearch from "../search/RepositorySearch.ts"
import * as UserSearch from "../search/UserSearch.ts"
import * as Connections from "./Connections.ts"
import * as QueryError from "./QueryError.ts"
import type { RunningQuery } from "./RunningQuery.ts"

export interface SearchArguments extends Connections.PageArguments {
  readonly query: string
  readonly type: "ISSUE" | "ISSUE_ADVANCED" | "REPOSITORY" | "USER"
}

type ReadPage = (page: PageRequest) => Promise<{ readonly items: ReadonlyArray<object>; readonly total: number }>

const none = { items: [], total: 0, isIncomplete: false }

/** Returns the parsed query. Fails with all errors of the query. */
const valid = <Query>(parsed: Result.Result<Query, ReadonlyArray<Diagnostic>>): Query => {
  if (Result.isSuccess(parsed)) return parsed.success
  throw new QueryError.QueryError("INVALID_SEARCH_QUERY", parsed.failure.map(({ message }) => message).join(" "))
}

/** Creates the function that returns the field. `searchIssues` reads a page of issues. */
export const make = Effect.fnUntraced(function* (
  searchIssues: (query: RunningQuery, parsed: IssueQuery.IssueQuery) => ReadPage
) {
  const repositories = yield* RepositorySearch.make
  const users = yield* UserSearch.make

  const searchRepositories =
    (query: RunningQuery, parsed: RepositoryQuery.RepositoryQuery): ReadPage =>
    async ({ offset, perPage }) => {
      const found = repositories.search(query.caller, parsed, { offset, limit: perPage })
      const { items, total } = await query.run(Effect.catchTag(found, "UnknownTargets", () => Effect.succeed(none)))
      const objects = await Promise.all(
        items.map(async ({ row }) => {
          const one = await query.findRepository(row.id)
          return one === undefined ? [] : [query.repository(one)]
        })
      )
      return { items: objects.flat(), total }
    }

  const searchUsers =
    (query: RunningQuery, parsed: UserQuery.UserQuery): ReadPage =>
    async ({ offset, perPage }) => {
      const { items, total } = await query.run(users.search(query.caller, parsed, { offset, limit: perPage }))
      return { items: items.map(({ row }) => query.account(row)), total }
    }

  return async (query: RunningQuery, { query: text, type, ...page }: SearchArguments) => {
    const read =
      type === "REPOSITORY"
        ? searchRepositories(query, valid(RepositoryQuery.parse(text)))
        : type === "USER"
          ? searchUsers(query, valid(UserQuery.parse(text)))
          : searchIssues(query, valid(IssueQuery.parse(text)))
    const { totalCount, ...found } = await Connections.make("search", page, read)
    const isIssue = type !== "REPOSITORY" && type !== "USER"
    return {
      ...found,
      issueCount: isIssue ? totalCount : 0,
      repositoryCount: type === "REPOSITORY" ? totalCount : 0,
      userCount: type === "USER" ? totalCount : 0
    }
  }
})
