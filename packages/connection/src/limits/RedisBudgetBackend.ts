/** Budgets in Redis: many machines. One script reads or replaces a budget, in one round trip. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redis from "effect/persistence/Redis"
import { type HolderRecord, type BudgetRecord, type BudgetBackend, BudgetBackendFailed } from "./BudgetBackend.ts"

/** How long a scope is remembered that nobody asks for, in milliseconds: longer than any of its limits counts. */
const FORGET = 7_200_000

/** Seconds, and microseconds of the next. */
type Time = ReadonlyArray<string>

/** How long one waits for Redis. */
const PATIENCE = "2 seconds"

/** Gives nothing where the version is the known one (then `ARGV[2]` and `ARGV[3]`, if any, are in place), else what is. */
const exchange = Redis.script(
  (scope: string, known: string, next: BudgetRecord | undefined) => [
    `tongs:budget:${scope}`,
    known,
    ...(next === undefined ? [] : [next.version, next.body, String(FORGET)])
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

/** Answers with the time of the server. */
const announce = Redis.script(
  (scope: string, holder: string, text: string) => [`tongs:holders:${scope}`, holder, text],
  {
    numberOfKeys: 1,
    lua: `
      redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
      return redis.call("TIME")`
  }
).withReturnType<Time>()

/** Also drops who has run out, so that the names do not pile up. */
const announced = Redis.script((scope: string, now: number) => [`tongs:holders:${scope}`, String(now)], {
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

/** `place` names the server, without its password. */
export const make = Effect.fnUntraced(function* (place: string) {
  const redis = yield* Redis.Redis
  const failed = (error: unknown) => new BudgetBackendFailed({ detail: `${place}: ${describeError(error)}` })
  const inTime = <A, E>(effect: Effect.Effect<A, E>) => Effect.mapError(Effect.timeout(effect, PATIENCE), failed)

  /** By how much the clock of the server is ahead of ours, as closely as the answer that tells its time was quick. */
  const offset = Effect.fnUntraced(function* (told: Effect.Effect<Time, BudgetBackendFailed>) {
    const before = yield* Clock.currentTimeMillis
    const [seconds = "0", micros = "0"] = yield* told
    const after = yield* Clock.currentTimeMillis
    const time = Number(seconds) * 1000 + Number(micros) / 1000
    return { least: time - after, most: time - before }
  })

  // The machines that share a budget go by one clock: that of the server. What was found first holds until a later answer
  // contradicts it: a clock was set, or goes wrong.
  const { least, most } = yield* offset(inTime(redis.send<Time>("TIME")))
  let ahead = (least + most) / 2

  const runExchange = redis.eval(exchange)
  const runAnnounce = redis.eval(announce)
  const runAnnounced = redis.eval(announced)

  return {
    description: place,
    clockOffset: () => ahead,
    compareAndSet: (scope, known, next) =>
      Effect.map(inTime(runExchange(scope, known, next)), ([version, body]): BudgetRecord | undefined =>
        version === undefined || body === undefined ? undefined : { version, body }
      ),
    putHolder: (scope, { body, holder, until }) =>
      Effect.map(offset(inTime(runAnnounce(scope, holder, `${Math.ceil(until)} ${body}`))), ({ least, most }) => {
        ahead = Math.min(most, Math.max(least, ahead))
      }),
    holders: (scope) =>
      Effect.gen(function* () {
        const flat = yield* inTime(runAnnounced(scope, Math.floor((yield* Clock.currentTimeMillis) + ahead)))
        return flat.flatMap((text, index): ReadonlyArray<HolderRecord> => {
          if (index % 2 === 0) return []
          const space = text.indexOf(" ")
          return [{ holder: flat[index - 1] ?? "", until: Number(text.slice(0, space)), body: text.slice(space + 1) }]
        })
      })
  } satisfies BudgetBackend
})

/** What went wrong, in words for people. */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error instanceof Redis.RedisError ? describeError(error.cause) : error.message
}
