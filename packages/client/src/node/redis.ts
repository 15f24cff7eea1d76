/** Rate-limit budgets that several machines share. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redis from "effect/persistence/Redis"
import type * as Scope from "effect/Scope"
import type { BudgetBackend } from "@tongs/connection/limits/BudgetBackend"
import * as ReconnectingBudgetBackend from "@tongs/connection/limits/ReconnectingBudgetBackend"
import * as RedisBudgetBackend from "@tongs/connection/limits/RedisBudgetBackend"
import * as SharedBudgetStore from "@tongs/connection/limits/SharedBudgetStore"
import type { LimitsStore } from "../LimitsStore.ts"
import { defineStore } from "./EffectBoundary.ts"

/** A connected client of the package `redis` (4 or later) or `ioredis`. */
export type RedisClient =
  | { readonly sendCommand: (command: Array<string>) => Promise<unknown> }
  | { readonly call: (command: string, ...args: Array<string>) => Promise<unknown> }

/**
 * Keeps rate-limit budgets in Redis 6 or later, which several machines share. Takes a URL, for which the package
 * `redis` must be installed, or a connected client. While Redis is unreachable, each process continues with separate
 * budgets.
 */
export const redis = (server: string | URL | RedisClient): LimitsStore => {
  const { connect, description }: Connected = isClient(server) ? fromClient(server) : fromUrl(new URL(server))
  return defineStore(
    "redis",
    Effect.gen(function* () {
      const backend = yield* ReconnectingBudgetBackend.make(description, connect, RedisBudgetBackend.describeError)
      return SharedBudgetStore.make(backend, yield* SharedBudgetStore.currentProcess)
    })
  )
}

interface Connected {
  readonly description: string
  readonly connect: Effect.Effect<BudgetBackend, unknown, Scope.Scope>
}

const isClient = (server: string | URL | RedisClient): server is RedisClient =>
  typeof server === "object" && !(server instanceof URL)

const fromUrl = (url: URL) => {
  const description = `${url.protocol}//${url.host}` // without the password
  // Loaded on use: programs that pass a client need not install the package `redis`.
  const load = Effect.tryPromise({
    try: () => import("@effect/platform-node/NodeRedis"),
    catch: () => new Redis.RedisError({ cause: "install the package `redis`" })
  })
  const connect = Effect.gen(function* () {
    const NodeRedis = yield* load
    const client = NodeRedis.layer({ url: url.href, socket: { connectTimeout: 2000 } })
    // The store logs once that Redis is unreachable; the client would log each attempt.
    const context = yield* Effect.provideService(Layer.build(client), Logger.CurrentLoggers, new Set())
    return yield* Effect.provide(RedisBudgetBackend.make(description), context)
  })
  return { description, connect }
}

const fromClient = (client: RedisClient) => {
  const description = "Redis"
  const send = <A>(command: string, ...args: ReadonlyArray<string>): Effect.Effect<A, Redis.RedisError> =>
    Effect.tryPromise({
      try: async () => {
        const all = [command, ...args]
        const reply = await ("sendCommand" in client ? client.sendCommand(all) : client.call(command, ...args))
        return reply as A // oxlint-disable-line typescript/no-unsafe-type-assertion -- the reply that the script returns
      },
      catch: (cause) => new Redis.RedisError({ cause })
    })
  const unused = Effect.die(new Error("unused"))
  const service = Redis.make({ send, subscribe: () => unused, connect: unused })
  return {
    description,
    connect: Effect.flatMap(service, (redis) =>
      Effect.provideService(RedisBudgetBackend.make(description), Redis.Redis, redis)
    )
  }
}
