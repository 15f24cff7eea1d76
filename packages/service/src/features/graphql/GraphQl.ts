/** GraphQL at `/graphql` and `/api/graphql`: executes documents with the rights of the REST API. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Caller } from "../../access/Caller.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as NodeId from "../../api/NodeId.ts"
import { timestamp } from "../../base/Time.ts"
import * as AccountObjects from "./AccountObjects.ts"
import * as Loader from "./Loader.ts"
import * as Query from "./Query.ts"
import * as QueryError from "./QueryError.ts"
import * as RepositoryObjects from "./RepositoryObjects.ts"
import type { QueryContext, RunningQuery } from "./RunningQuery.ts"

/** Maximum duration of a document, and maximum ids of `nodes`. */
const DEADLINE = "10 seconds"
const MAX_NODES = 100

/** Rate limits of a forge without limits, in points and milliseconds. */
const UNLIMITED = { limit: 5000, remaining: 5000, window: 3_600_000 }

/** Executes documents. */
export class GraphQl extends Context.Service<
  GraphQl,
  {
    has(method: string, path: string): boolean
    /** Executes the document in the body of a request. The result also contains errors of the document. */
    answer(
      body: { readonly query?: unknown; readonly variables?: unknown; readonly operationName?: unknown },
      context: Omit<QueryContext, "caller"> & { readonly caller: Caller }
    ): Effect.Effect<Query.Result, ApiError.ApiError>
  }
>()("@tongs/service/features/graphql/GraphQl") {
  static readonly layer = Layer.effect(
    GraphQl,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const accounts = yield* AccountObjects.make
  const repositories = yield* RepositoryObjects.make
  const users = yield* UserRows
  const runPromise = Effect.runPromiseWith(yield* Effect.context())

  const start = (context: QueryContext, signal: AbortSignal): RunningQuery => {
    const run: RunningQuery["run"] = (effect) => runPromise(Effect.mapError(effect, QueryError.ofFailure), { signal })
    const findRepository = Loader.make((ids: ReadonlyArray<number>) => run(repositories.byIds(query, ids)))
    const objects = new Map<number, object>()
    const query: RunningQuery = {
      ...context,
      run,
      account: (row) => accounts.account(query, row),
      repository: (found) => {
        const { id } = found.served.row
        const object = objects.get(id) ?? repositories.repository(query, found, {})
        objects.set(id, object)
        return object
      },
      findRepository,
      node: (id) => nodeOf(query, id)
    }
    return query
  }

  const nodeOf = async (query: RunningQuery, text: string): Promise<object | null> => {
    const node = NodeId.fromNodeId(text)
    const id = Number(node?.id)
    if (node === undefined || !Number.isSafeInteger(id)) return null
    switch (node.type) {
      case "User":
      case "Organization":
      case "Bot":
      case "Mannequin": {
        const row = await query.run(users.byId(id))
        return row === undefined ? null : query.account(row)
      }
      case "Repository": {
        const found = await query.findRepository(id)
        return found === undefined ? null : query.repository(found)
      }
      default:
        return null
    }
  }

  const rateLimit = Effect.fnUntraced(function* (context: QueryContext) {
    const status = (yield* context.rateLimit)?.resources.graphql
    const now = yield* Clock.currentTimeMillis
    const { limit, remaining } = status ?? UNLIMITED
    const resetAt = timestamp(status === undefined ? now + UNLIMITED.window : status.reset * 1000)
    return { limit, cost: 1, remaining, used: limit - remaining, resetAt, nodeCount: 0 }
  })

  /** Creates the functions that return the fields of `Query`. */
  const rootOf = (query: RunningQuery) => {
    const node = async (id: string) => {
      const found = await query.node(id)
      if (found === null) throw QueryError.unresolved(`a node with the global id of '${id}'`)
      return found
    }
    return {
      viewer: () => query.account(query.caller.user),
      node: ({ id }: { readonly id: string }) => node(id),
      nodes: ({ ids }: { readonly ids: ReadonlyArray<string> }) => {
        if (ids.length > MAX_NODES)
          throw new QueryError.QueryError("ARGUMENT_LIMIT", `You may not provide more than ${MAX_NODES} node ids.`)
        return ids.map(node)
      },
      rateLimit: () => query.run(rateLimit(query)),
      user: ({ login }: { readonly login: string }) => query.run(accounts.byLogin(query, login, "User")),
      organization: ({ login }: { readonly login: string }) =>
        query.run(accounts.byLogin(query, login, "Organization")),
      repositoryOwner: async ({ login }: { readonly login: string }) => {
        const row = await query.run(users.byLogin(login))
        return row?.type === "User" || row?.type === "Organization" ? query.account(row) : null
      },
      repository: async ({ name, owner }: { readonly owner: string; readonly name: string }) =>
        query.repository(await query.run(repositories.find(query, owner, name)))
    }
  }

  return GraphQl.of({
    has: (method, path) => method === "POST" && (path === "/graphql" || path === "/api/graphql"),
    answer: Effect.fnUntraced(function* ({ operationName, query, variables }, context) {
      const { caller } = context
      if (caller.kind === "anonymous") return yield* ApiError.unauthenticated()
      if (typeof query !== "string")
        return yield* ApiError.unreadableRequest(400, "A query attribute must be specified")
      const request = {
        query,
        variables: isRecord(variables) ? variables : undefined,
        operationName: typeof operationName === "string" ? operationName : undefined
      }
      return yield* Effect.timeoutOrElse(
        Effect.promise((signal) => Query.execute(request, rootOf(start({ ...context, caller }, signal)))),
        {
          duration: DEADLINE,
          orElse: () => Effect.fail(ApiError.unavailable(`The query took more than ${DEADLINE}. Ask for fewer items`))
        }
      )
    })
  })
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
