/**
 * Counts the requests about organizations as they are answered (spec part 3 §2.2). Counts wait in memory, where alike
 * requests of a minute are one, and are written together: a request never waits for it.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { RequestRows, type RequestCount } from "./RequestRows.ts"
import type { Authenticated, Caller } from "../../access/Caller.ts"

/** How long counts wait. */
const delay = "1 second"

/** How many kinds of requests wait at most; of what comes beyond them before they are written, nothing is counted. */
const maxWaiting = 10_000

/** How long counts are kept, in seconds, and how often those go that are older. */
const retention = 90 * 24 * 3600
const forgetInterval = "1 day"

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string
  readonly caller: Caller | undefined
  /** The path of its operation, with parameters in braces: `/orgs/{org}/hooks`. */
  readonly route: string
  /** The login of the organization that the request is about, or that owns its repository. */
  readonly organization: string | undefined
  /** Whether a rate limit refused it. */
  readonly limited: boolean
}

export class RequestRecorder extends Context.Service<
  RequestRecorder,
  {
    /** Counts a request about an organization, unless the caller is anonymous. `now` in epoch milliseconds. */
    count(answered: AnsweredRequest, now: number): void
    /** Writes what waits. */
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
        Effect.catchCause((cause) => Effect.logWarning("counts of requests were lost", cause)),
        Effect.uninterruptible
      )

      const forget = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        requests.forget(Math.floor(now / 1000) - retention)
      ).pipe(Effect.catchCause((cause) => Effect.logWarning("old counts of requests were kept", cause)))

      yield* Effect.addFinalizer(() => flush)
      yield* Effect.forkScoped(Effect.repeat(forget, Schedule.spaced(forgetInterval)))
      yield* Effect.forkScoped(
        some.await.pipe(
          Effect.andThen(Effect.sleep(delay)),
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
          if (waiting.size >= maxWaiting) return
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

/** By what a request was made, as the reports name it. */
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

/** Who made it: an account, or an app for itself. */
const subjectOf = ({ installation, kind, user }: Authenticated) =>
  kind === "installation" && installation !== undefined
    ? { subjectType: "installation", subjectId: installation.id, subjectName: installation.appSlug, userId: undefined }
    : { subjectType: "user", subjectId: user.id, subjectName: user.login, userId: user.id }
