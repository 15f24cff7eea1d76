/** What the page shows before anybody searches: where it is connected, what is left of the budget, the repositories. */
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import type { Repository } from "@tongs/core/contract/Repository"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type * as Wire from "../Wire.ts"
import { interactive } from "./Patience.ts"

export const connection = Effect.fn("Overview.connection")(function* () {
  const { beyond, repository: here, kind, label, notices } = yield* Connection
  return {
    kind,
    label,
    here: here ?? null,
    notices,
    capabilities: { index: beyond !== undefined },
    budget: yield* budget
  } satisfies Wire.Connection
})

export const repositories = Effect.fn("Overview.repositories")(function* () {
  const forge = yield* Forge
  const first = yield* forge.repositories.listForAuthenticatedUser(
    { sort: "pushed" },
    { ...(yield* interactive), perPage: 100 }
  ).first
  return {
    repositories: first.items.map(summary),
    more: first.links.next !== undefined
  } satisfies Wire.Repositories
})

/** Repositories that are asked for their latest commits: where that is free, and where each costs a request. */
const LOOKS = { embedded: 12, remote: 3 }

/** Commits of a repository that the pulse counts. */
const LATEST = 100

export const pulse = Effect.fn("Overview.pulse")(function* (places: ReadonlyArray<Wire.Place>) {
  const forge = yield* Forge
  const { kind } = yield* Connection
  const options = yield* interactive
  const commits = yield* Effect.forEach(
    places.slice(0, LOOKS[kind]),
    (place) =>
      forge.commits.list(place, { ...options, perPage: LATEST }).first.pipe(
        Effect.map(({ items }) =>
          items.map(({ commit: { author, message }, sha }) => ({
            ...place,
            commit: sha,
            author: author?.name ?? null,
            date: author?.date ?? null,
            summary: firstLine(message)
          }))
        ),
        // A repository without commits has no pulse; what else fails is told where somebody opens it.
        Effect.orElseSucceed(() => [])
      ),
    { concurrency: 4 }
  )
  return { commits: commits.flat().sort((a, b) => moment(b) - moment(a)) } satisfies Wire.Pulse
})

const moment = ({ date }: Wire.Change): number => (date === null ? 0 : Date.parse(date))

const firstLine = (message: string): string => message.split("\n", 1)[0] ?? ""

/** The resources that the explorer draws on. */
const RESOURCES = ["code_search", "core"]

/** Milliseconds that the page's first answer waits for the limits: the page asks again, and other answers tell them too. */
const LIMITS_PATIENCE = 500

/**
 * What the answers so far have told of the limits: that costs nothing. Before the first answer the forge is asked; where
 * it does not say, or not soon, the page does without its meter.
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
      RESOURCES.map((resource) => {
        const window = resources[resource]
        return [resource, window === undefined ? undefined : { ...window, reset: window.reset * 1000 }]
      })
    )
  )
}).pipe(
  Effect.timeout(LIMITS_PATIENCE),
  Effect.orElseSucceed((): ReadonlyArray<Wire.Budget> => [])
)

const windows = (known: ReadonlyMap<string, Omit<Wire.Budget, "resource"> | undefined>): ReadonlyArray<Wire.Budget> =>
  RESOURCES.flatMap((resource) => {
    const window = known.get(resource)
    return window === undefined
      ? []
      : [{ resource, limit: window.limit, remaining: window.remaining, reset: window.reset }]
  })

const summary = (repository: Repository): Wire.Repository => ({
  owner: repository.owner.login,
  repo: repository.name,
  description: repository.description,
  defaultBranch: repository.default_branch,
  language: repository.language,
  private: repository.private,
  archived: repository.archived,
  // The contract counts kilobytes.
  size: repository.size * 1024,
  pushedAt: repository.pushed_at
})
