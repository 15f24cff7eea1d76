/** The start page: the connection, the rate-limit budget and the repositories. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import type { Repository } from "@tongs/core/contract/groups/Repository"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type * as ExplorerApi from "../ExplorerApi.ts"
import { interactive } from "./RequestOptions.ts"

export const connection = Effect.fn("StartPage.connection")(function* () {
  const { kind, label, notices, repository: here, searchesWorkTrees, workTrees } = yield* Connection
  return {
    kind,
    label,
    here: here ?? null,
    notices,
    capabilities: { index: kind === "embedded" },
    workTrees: searchesWorkTrees === true ? (workTrees?.size ?? 0) : 0,
    budget: yield* budget
  } satisfies ExplorerApi.Connection
})

export const repositories = Effect.fn("StartPage.repositories")(function* () {
  const forge = yield* Forge
  const { kind } = yield* Connection
  const pages = yield* Stream.runCollect(
    forge.repositories.listForAuthenticatedUser(
      { sort: "pushed" },
      { ...(yield* interactive), perPage: 100, limit: maxRepositories[kind] }
    ).pages
  )
  return {
    repositories: pages.flatMap(({ items }) => items.map(summary)),
    more: pages.at(-1)?.links.next !== undefined
  } satisfies ExplorerApi.Repositories
})

/** Maximum number of repositories listed. Each hundred costs a request on a remote forge. */
const maxRepositories = { embedded: 2_000, remote: 100 }

/** Rate limit resources that the explorer uses. */
const resourcesList = ["code_search", "core"]

/** Milliseconds that the first response waits for the limits. Later responses include the limits. */
const LIMITS_TIMEOUT = 500

/**
 * The limits from earlier responses at no cost, or else from a request. Empty if the forge does not respond in time:
 * the page then shows no meter.
 */
const budget = Effect.gen(function* () {
  const forge = yield* Forge
  const scopes = yield* (yield* Scheduler).status
  const scope = scopes.find(({ scope }) => scope === forge.scope)
  if (scope !== undefined && scope.limits !== "unknown")
    return windows(new Map(scope.windows.map((window) => [window.resource, window])))
  const { resources } = yield* forge.rateLimit.get({}, yield* interactive)
  return windows(
    new Map(
      resourcesList.map((resource) => {
        const window = resources[resource]
        return [resource, window === undefined ? undefined : { ...window, reset: window.reset * 1000 }]
      })
    )
  )
}).pipe(
  Effect.timeout(LIMITS_TIMEOUT),
  Effect.orElseSucceed((): ReadonlyArray<ExplorerApi.Budget> => [])
)

const windows = (
  known: ReadonlyMap<string, Omit<ExplorerApi.Budget, "resource"> | undefined>
): ReadonlyArray<ExplorerApi.Budget> =>
  resourcesList.flatMap((resource) => {
    const window = known.get(resource)
    return window === undefined
      ? []
      : [{ resource, limit: window.limit, remaining: window.remaining, reset: window.reset }]
  })

const summary = (repository: Repository): ExplorerApi.Repository => ({
  owner: repository.owner.login,
  repo: repository.name,
  description: repository.description,
  defaultBranch: repository.default_branch,
  language: repository.language,
  private: repository.private,
  archived: repository.archived,
  // In kilobytes in the contract.
  size: repository.size * 1024,
  pushedAt: repository.pushed_at
})
