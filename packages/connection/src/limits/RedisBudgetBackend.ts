/**
 * Stores budgets in Redis, for processes on several machines. A script reads or replaces a budget in one round trip.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redis from "effect/persistence/Redis"
import { messageOf } from "../base/PlatformErrors.ts"
import { type HolderRecord, type BudgetRecord, type BudgetBackend, BudgetBackendFailed } from "./BudgetBackend.ts"

/** Milliseconds after which Redis drops an unused budget: longer than any rate-limit window. */
const EXPIRY = 7_200_000

/** The response of the Redis command `TIME`: seconds and microseconds. */
type Time = ReadonlyArray<string>

/** Time limit of a Redis command. */
const TIMEOUT = "2 seconds"

/** Stores `ARGV[2]` and `ARGV[3]`, if given, if the version is `ARGV[1]`. Otherwise returns the current record. */
const compareAndSet = Redis.script(
  (scope: string, known: string, next: BudgetRecord | undefined) => [
    `tongs:budget:${scope}`,
    known,
    ...(next === undefined ? [] : [next.version, next.body, String(EXPIRY)])
  ],
  {
    numberOfKeys: 1,
    lua: `
      local version = redis.call("HGET", KEYS[1], "version") or ""
      if version ~= ARGV[1] then return { version, redis.call("HGET", KEYS[1], "body") or "" } end
      if ARGV[2] then
        redis.call("HSET", KEYS[1], "version", ARGV[2], "body", ARGV[3])
        redis.call("PEXPIRE", KEYS[1], ARGV[4])
      end
      return {}`
  }
).withReturnType<ReadonlyArray<string>>()

/** Writes the record of a process. Returns the time of the server. */
const putHolder = Redis.script(
  (scope: string, holder: string, text: string) => [`tongs:holders:${scope}`, holder, text],
  {
    numberOfKeys: 1,
    lua: `
      redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
      return redis.call("TIME")`
  }
).withReturnType<Time>()

/** Returns the records of processes. Deletes expired records, which would otherwise accumulate. */
const holders = Redis.script((scope: string, now: number) => [`tongs:holders:${scope}`, String(now)], {
  numberOfKeys: 1,
  lua: `
    local all = redis.call("HGETALL", KEYS[1])
    local found = {}
    for index = 1, #all, 2 do
      local till = string.match(all[index + 1], "^(%d+) ")
      if till and tonumber(till) > tonumber(ARGV[1]) then
        found[#found + 1] = all[index]
        found[#found + 1] = all[index + 1]
      else
        redis.call("HDEL", KEYS[1], all[index])
      end
    end
    return found`
}).withReturnType<ReadonlyArray<string>>()

/**
 * Creates the backend for the Redis server in the context. `description` names the server in messages, without
 * password.
 */
export const make = Effect.fnUntraced(function* (description: string) {
  const redis = yield* Redis.Redis
  const failed = (error: unknown) => new BudgetBackendFailed({ detail: `${description}: ${describeError(error)}` })
  const withTimeout = <A, E>(effect: Effect.Effect<A, E>) => Effect.mapError(Effect.timeout(effect, TIMEOUT), failed)

  /** Measures bounds of the server's clock offset. The faster the response, the narrower the bounds. */
  const measureOffset = Effect.fnUntraced(function* (time: Effect.Effect<Time, BudgetBackendFailed>) {
    const before = yield* Clock.currentTimeMillis
    const [seconds = "0", micros = "0"] = yield* time
    const after = yield* Clock.currentTimeMillis
    const serverTime = Number(seconds) * 1000 + Number(micros) / 1000
    return { min: serverTime - after, max: serverTime - before }
  })

  // All machines that share a budget use the server's clock. The first measured offset is valid until a contradicting
  // measurement, which means that a clock was set or drifts.
  const { max, min } = yield* measureOffset(withTimeout(redis.send<Time>("TIME")))
  let offset = (min + max) / 2

  const runCompareAndSet = redis.eval(compareAndSet)
  const runPutHolder = redis.eval(putHolder)
  const runHolders = redis.eval(holders)

  return {
    description,
    clockOffset: () => offset,
    compareAndSet: (scope, known, next) =>
      Effect.map(withTimeout(runCompareAndSet(scope, known, next)), ([version, body]): BudgetRecord | undefined =>
        version === undefined || body === undefined ? undefined : { version, body }
      ),
    putHolder: (scope, { body, holder, until }) =>
      Effect.map(
        measureOffset(withTimeout(runPutHolder(scope, holder, `${Math.ceil(until)} ${body}`))),
        ({ max, min }) => {
          offset = Math.min(max, Math.max(min, offset))
        }
      ),
    holders: (scope) =>
      Effect.gen(function* () {
        const now = Math.floor((yield* Clock.currentTimeMillis) + offset)
        const flat = yield* withTimeout(runHolders(scope, now))
        return flat.flatMap((text, index): ReadonlyArray<HolderRecord> => {
          if (index % 2 === 0) return []
          const space = text.indexOf(" ")
          return [{ holder: flat[index - 1] ?? "", until: Number(text.slice(0, space)), body: text.slice(space + 1) }]
        })
      })
  } satisfies BudgetBackend
})

/** Returns the message of an error from Redis or its client. */
export const describeError = (error: unknown): string =>
  error instanceof Redis.RedisError ? describeError(error.cause) : messageOf(error)
