/** Budgets in Redis: many machines. One script reads or replaces a budget, in one round trip. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redis from "effect/persistence/Redis"
import { type Announcement, type Document, type Documents, DocumentsFailed } from "./Documents.ts"

/** How long a scope is remembered that nobody asks for, in milliseconds: longer than any of its limits counts. */
const FORGET = 7_200_000

/** How long one waits for Redis. */
const PATIENCE = "2 seconds"

/** Gives nothing where the version is the known one (then `ARGV[2]` and `ARGV[3]`, if any, are in place), else what is. */
const exchange = Redis.script(
  (scope: string, known: string, next: Document | undefined) => [
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
  const failed = (error: unknown) => new DocumentsFailed({ detail: `${place}: ${detailOf(error)}` })
  const inTime = <A, E>(effect: Effect.Effect<A, E>) => Effect.mapError(Effect.timeout(effect, PATIENCE), failed)

  // The machines that share a budget go by one clock: that of the server, as far off ours as it is now.
  const before = yield* Clock.currentTimeMillis
  const [seconds = "0", micros = "0"] = yield* inTime(redis.send<ReadonlyArray<string>>("TIME"))
  const after = yield* Clock.currentTimeMillis
  const ahead = Number(seconds) * 1000 + Number(micros) / 1000 - (before + after) / 2

  const runExchange = redis.eval(exchange)
  const runAnnounced = redis.eval(announced)

  return {
    place,
    ahead: () => ahead,
    exchange: (scope, known, next) =>
      Effect.map(inTime(runExchange(scope, known, next)), ([version, body]): Document | undefined =>
        version === undefined || body === undefined ? undefined : { version, body }
      ),
    announce: (scope, { body, holder, until }) =>
      Effect.asVoid(inTime(redis.send("HSET", `tongs:holders:${scope}`, holder, `${Math.ceil(until)} ${body}`))),
    announced: (scope) =>
      Effect.gen(function* () {
        const flat = yield* inTime(runAnnounced(scope, Math.floor((yield* Clock.currentTimeMillis) + ahead)))
        return flat.flatMap((text, index): ReadonlyArray<Announcement> => {
          if (index % 2 === 0) return []
          const space = text.indexOf(" ")
          return [{ holder: flat[index - 1] ?? "", until: Number(text.slice(0, space)), body: text.slice(space + 1) }]
        })
      })
  } satisfies Documents
})

/** What went wrong, in words for people. */
export const detailOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error instanceof Redis.RedisError ? detailOf(error.cause) : error.message
}
