/**
 * Counts requests to organizations. Sums up equal requests of a minute in memory and writes the sums in batches, so
 * that requests do not wait for the database.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { RequestRows, type RequestCount } from "./RequestRows.ts"
import type { Authenticated, Caller } from "../../access/Caller.ts"

/** Delay between the first count of a batch and the write. */
const DELAY = "1 second"

/** Maximum number of different counts in a batch. Further requests are not counted. */
const MAX_WAITING = 10_000

/** Retention of counts in seconds, and interval of the cleanup. */
const RETENTION = 90 * 24 * 3600
const FORGET_INTERVAL = "1 day"

/** A request with a response. */
export interface AnsweredRequest {
  readonly method: string
  readonly caller: Caller | undefined
  /** Path template of the operation, for example `/orgs/{org}/hooks`. */
  readonly route: string
  /** Login of the organization in the path, or of the repository's owner. */
  readonly organization: string | undefined
  /** True if a rate limit rejected the request. */
  readonly limited: boolean
}

/** Counts requests and writes the counts every second. */
export class RequestRecorder extends Context.Service<
  RequestRecorder,
  {
    /** Counts a request to an organization by a signed-in caller. `now` is in epoch milliseconds. */
    count(answered: AnsweredRequest, now: number): void
    /** Writes pending counts. */
    readonly flush: Effect.Effect<void>
  }
>()("@tongs/service/features/insights/RequestRecorder") {
  static readonly layer = Layer.effect(
    RequestRecorder,
    Effect.gen(function* () {
      const requests = yield* RequestRows
      const some = yield* Latch.make()
      let waiting = new Map<string, Waiting>()

      const flush = Effect.suspend(() => {
        if (waiting.size === 0) return Effect.void
        const tallies = [...waiting.values()]
        waiting = new Map()
        return requests.add(tallies)
      }).pipe(
        Effect.catchCause((cause) => Effect.logWarning("lost request counts", cause)),
        Effect.uninterruptible
      )

      const forget = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        requests.forget(Math.floor(now / 1000) - RETENTION)
      ).pipe(Effect.catchCause((cause) => Effect.logWarning("cannot delete old request counts", cause)))

      yield* Effect.addFinalizer(() => flush)
      yield* Effect.forkScoped(Effect.repeat(forget, Schedule.spaced(FORGET_INTERVAL)))
      yield* Effect.forkScoped(
        some.await.pipe(
          Effect.andThen(Effect.sleep(DELAY)),
          Effect.andThen(some.close),
          Effect.andThen(flush),
          Effect.forever
        )
      )

      const add = (answered: AnsweredRequest, caller: Authenticated, owner: string, route: string, now: number) => {
        const lastRequest = Math.floor(now / 1000)
        const minute = lastRequest - (lastRequest % 60)
        const { method } = answered
        const key = `${minute} ${caller.tokenId} ${method} ${route} ${owner}`
        let tally = waiting.get(key)
        if (tally === undefined) {
          if (waiting.size >= MAX_WAITING) return
          const who = { ...actorOf(caller), ...subjectOf(caller) }
          tally = { owner, minute, method, route, ...who, total: 0, limited: 0, lastRequest, lastLimited: undefined }
          waiting.set(key, tally)
          some.openUnsafe()
        }
        tally.total += 1
        tally.lastRequest = lastRequest
        if (!answered.limited) return
        tally.limited += 1
        tally.lastLimited = lastRequest
      }

      return RequestRecorder.of({
        flush,
        count: (answered, now) => {
          const { caller, organization, route } = answered
          if (organization === undefined || caller === undefined || caller.kind === "anonymous") return
          add(answered, caller, organization, route, now)
        }
      })
    })
  )
}

interface Waiting extends RequestCount {
  total: number
  limited: number
  lastRequest: number
  lastLimited: number | undefined
}

/** Actor of a request, by kind of credential. */
const actorOf = ({ installation, kind, tokenId }: Authenticated) => {
  switch (kind) {
    case "classic":
      return { actorType: "classic_pat", actorId: tokenId }
    case "fine_grained":
      return { actorType: "fine_grained_pat", actorId: tokenId }
    case "oauth":
      return { actorType: "oauth_app", actorId: tokenId }
    case "app_user":
      return { actorType: "app_user_to_server", actorId: tokenId }
    case "installation":
      return { actorType: "installation", actorId: installation?.id ?? tokenId }
    case "workflow":
      return { actorType: "workflow", actorId: tokenId }
  }
}

/** Subject of a request: the user, or an app that acts on its own behalf. */
const subjectOf = ({ installation, kind, user }: Authenticated) =>
  kind === "installation" && installation !== undefined
    ? { subjectType: "installation", subjectId: installation.id, subjectName: installation.appSlug, userId: undefined }
    : { subjectType: "user", subjectId: user.id, subjectName: user.login, userId: user.id }
