/** One call of a tool: time limits, position in a list, and progress. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Forge } from "@tongs/core/client/Forge"
import type { BudgetStatus } from "@tongs/core/limits/BudgetStatus"
import type { Answer, Position } from "../answer/Answer.ts"
import { ToolError } from "./ToolError.ts"

/** The owner and name of a repository. */
export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

/** One call of a tool. */
export interface Call {
  /** Time of the call in epoch milliseconds. */
  readonly now: number
  /** Latest time in epoch milliseconds at which a request may start. The call ends shortly afterwards. */
  readonly deadline: number
  /** Where to continue a list; undefined to start at the beginning. */
  readonly position: Position | undefined
  readonly defaultRepository: RepositoryName | undefined
  /** True if code searches read work trees, and not only commits. */
  readonly searchesWorkTrees: boolean
  /** The rate limits of the credential, as far as known to the processes that share the limits. Sends no request. */
  readonly limits: Effect.Effect<BudgetStatus>
  /** Keeps an answer for the case that the call reaches the time limit. */
  readonly keepPartial: (answer: Answer) => Effect.Effect<void>
  /** Runs an effect that waits for the user, without counting the time. */
  readonly pauseDeadline: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Reports progress to the client. `total` is undefined if unknown. */
  readonly reportProgress: (done: number, total: number | undefined, message: string) => Effect.Effect<void>
}

/**
 * Returns the repository `owner/name` of an argument, the only one with a name without owner, or the default one. Fails
 * with `ToolError` without either.
 */
export const repositoryOf = (
  repo: string | undefined,
  { deadline, defaultRepository }: Pick<Call, "deadline" | "defaultRepository">
): Effect.Effect<RepositoryName, ToolError, Forge> => {
  if (repo === undefined) {
    return defaultRepository === undefined
      ? Effect.fail(
          new ToolError({ detail: "repo is missing: pass owner/name. The tool list_repositories lists repositories." })
        )
      : Effect.succeed(defaultRepository)
  }
  if (/^[\w.-]{1,100}$/.test(repo)) return named(repo, deadline)
  const [owner, name, ...rest] = repo.split("/")
  return owner === undefined || owner === "" || name === undefined || name === "" || rest.length > 0
    ? Effect.fail(new ToolError({ detail: `Invalid repo ${JSON.stringify(repo.slice(0, 200))}: expected owner/name.` }))
    : Effect.succeed({ owner, repo: name })
}

/** Maximum number of repositories among which a name is searched. */
const MAX_SEARCHED = 100

/** Finds the only repository with a name, among the user's repositories. */
const named = Effect.fnUntraced(function* (repo: string, deadline: number) {
  const forge = yield* Forge
  const page = yield* Effect.option(
    forge.repositories.listForAuthenticatedUser({ sort: "full_name" }, { perPage: MAX_SEARCHED, deadline }).first
  )
  const found = Option.match(page, { onNone: () => [], onSome: ({ items }) => items.map((one) => one.full_name) })
    .map((name) => name.split("/"))
    .filter(([, name]) => name?.toLowerCase() === repo.toLowerCase())
  const [[owner, name] = [], ...others] = found
  // A repository that was not listed can have the same name.
  const isComplete = Option.exists(page, ({ cursor }) => cursor === undefined)
  if (isComplete && owner !== undefined && name !== undefined && others.length === 0) return { owner, repo: name }
  const names = found.slice(0, 5).map((parts) => parts.join("/"))
  return yield* new ToolError({
    detail: `Invalid repo ${JSON.stringify(repo)}: expected owner/name${names.length === 0 ? "" : `, for example ${names.join(", ")}`}.`
  })
})

/** Removes leading and trailing slashes from a path. Empty for the root of the repository. */
export const normalizePath = (path: string | undefined): string => (path ?? "").replace(/^\/+|\/+$/g, "")
