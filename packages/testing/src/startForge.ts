/** Starts a forge for tests. */
import type { Socket } from "node:net"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { specNumbers } from "@tongs/service/access/RateLimitPolicy"
import { RateLimits } from "@tongs/service/access/RateLimits"
import { EmbeddedForge } from "@tongs/service/main/EmbeddedForge"
import { Owner } from "@tongs/service/main/Owner"
import { type Intercept, serve } from "@tongs/service/main/Serve"
import { Durability } from "@tongs/service/storage/Durability"
import * as AppWebhooks from "./AppWebhooks.ts"
import * as Builders from "./Builders.ts"
import * as CheckedOptions from "./CheckedOptions.ts"
import * as DeliveryFaults from "./DeliveryFaults.ts"
import * as Faults from "./Faults.ts"
import * as RequestInterceptor from "./RequestInterceptor.ts"
import { RequestLog } from "./RequestLog.ts"
import * as ResponseFaults from "./ResponseFaults.ts"
import * as Snapshot from "./Snapshot.ts"
import * as TemporaryFolder from "./TemporaryFolder.ts"
import type { ForgeOptions, LimitOptions, Snapshot as State, TestForge } from "./TestForge.ts"
import * as VirtualClock from "./VirtualClock.ts"
import * as WebhookInbox from "./WebhookInbox.ts"

/** Maximum time that `settled` waits, in milliseconds. */
const MAX_SETTLING = 10_000

/** Prints errors of the forge. Warnings, for example about a removed repository, would fill the output of tests. */
const logging = Layer.merge(Layer.succeed(References.MinimumLogLevel, "Error"), Layer.succeed(Logger.LogToStderr, true))

/** Starts a forge in this process, with the data in a temporary folder and a server on 127.0.0.1. */
export const startForge = async (options: ForgeOptions = {}): Promise<TestForge> => {
  CheckedOptions.checkStart(options)
  const { control = false, dialect = "github", limits = "off", port = 0, seed = 1, signCommits } = options
  const { path: folder, remove } = TemporaryFolder.make()
  const data = join(folder, "data")
  const time = Effect.runSync(VirtualClock.make)
  const faults = Faults.make(seed)
  const appWebhooks = AppWebhooks.make()
  const deliveryFaults = DeliveryFaults.make(appWebhooks.complete)
  const webhooks: Array<WebhookInbox.ReceivedDelivery> = []
  const inbox = WebhookInbox.make(webhooks)
  const requests = new RequestLog()
  const rateLimits = makeRateLimits(limits)
  const runtime = ManagedRuntime.make(
    EmbeddedForge.layer({
      data,
      cwd: folder,
      repos: [],
      dialect,
      adopts: false,
      owner: "owner",
      limits: rateLimits.service,
      allowLocalWebhooks: true,
      pushToCreate: true,
      signCommits,
      post: deliveryFaults.post
    }).pipe(
      Layer.provideMerge(
        Layer.mergeAll(Layer.succeed(Clock.Clock, time.clock), Layer.succeed(Durability, false), logging)
      )
    )
  )
  let isClosed = false
  const run: Builders.Run = (effect) =>
    isClosed
      ? Promise.reject(new Error("The forge is closed. Start another one with startForge()"))
      : runtime.runPromise(effect)
  const scope = Scope.makeUnsafe()
  const connections = new Set<Socket>()
  const close = async () => {
    isClosed = true
    // The server would wait for requests that get no response.
    for (const connection of connections) connection.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await runtime.dispose()
    await remove()
  }
  try {
    const interceptor = RequestInterceptor.make({ faults, inbox, requests, time })
    let answer = interceptor.intercept
    const intercept: Intercept = (request, response, next) => {
      const { socket } = request
      if (!connections.has(socket)) connections.add(socket.once("close", () => connections.delete(socket)))
      answer(request, response, next)
    }
    const { owner, url } = await run(
      Effect.gen(function* () {
        const { token, user } = yield* Owner
        const url = yield* Scope.provide(serve({ host: "127.0.0.1", port, intercept, keepsProcess: control }), scope)
        return { url, owner: { login: user.login, token: Redacted.value(token) } }
      })
    )
    const builders = Builders.make({ appWebhooks, folder, inbox: `${url}${inbox.path}`, owner, run, time, url })
    const forget = () => {
      faults.clear()
      deliveryFaults.clear()
      rateLimits.set(limits)
      requests.clear()
      webhooks.length = 0
      time.reset()
    }
    const snapshots = Snapshot.make(data)
    const restoreApps = new WeakMap<State, () => void>()
    const snapshot = async () => {
      const state = await run(snapshots.take)
      restoreApps.set(state, appWebhooks.copy())
      return state
    }
    let restored: Promise<void> = Promise.resolve()
    const restoreNow = async (state: State) => {
      await interceptor.end()
      await deliveryFaults.end()
      await run(snapshots.restore(state))
      restoreApps.get(state)?.()
      forget()
    }
    /** Restores one state at a time, because concurrent restores would remove the same repositories. */
    const restore = (state: State) => {
      const next = restored.then(() => restoreNow(state))
      restored = next.catch(() => {})
      return next
    }
    const initial = await snapshot()
    const limit = ({ remaining, retryAfter = 1, route = "* /*", secondary = false, ...occurrence }: LimitOptions) => {
      if (remaining === undefined && !secondary) {
        throw new TypeError("Invalid limit: set `remaining` for the primary limit, or `secondary`")
      }
      if (remaining !== undefined && !(Number.isInteger(remaining) && remaining >= 0)) {
        throw new TypeError(`Invalid remaining ${remaining}: a number of requests, 0 or more`)
      }
      if (remaining !== undefined) rateLimits.set("spec", remaining)
      if (secondary) faults.add(route, ResponseFaults.secondaryLimit(retryAfter), { times: 1, ...occurrence })
    }
    const forge = CheckedOptions.make({
      url,
      owner,
      ...builders,
      fail: (route, status, options = {}) => faults.add(route, ResponseFaults.failure(status, options), options),
      slow: (route, duration, options) =>
        faults.add(route, { _tag: "Delay", milliseconds: VirtualClock.millisecondsOf(duration) }, options),
      cut: (route, options) => faults.add(route, { _tag: "Cut" }, options),
      hang: (route, options) => faults.add(route, { _tag: "Hang" }, options),
      limit,
      misdeliver: (fault, { times = 1 } = {}) => deliveryFaults.add(fault, times),
      clock: { now: () => new Date(time.now()), advance: time.advance },
      webhooks,
      settled: () => run(settled),
      requests,
      snapshot,
      restore,
      reset: () => restore(initial),
      close,
      [Symbol.asyncDispose]: close
    })
    if (control) {
      const { make } = await import("./control/ControlServer.ts")
      answer = make(forge, answer)
    }
    return forge
  } catch (error) {
    await close()
    throw error
  }
}

/** Rate limits that can change while the forge runs. */
const makeRateLimits = (initial: "off" | "spec") => {
  const make = (limits: "off" | "spec", remaining?: number) =>
    limits === "off" ? RateLimits.off : RateLimits.make(specNumbers, remaining)
  let current = make(initial)
  return {
    service: RateLimits.of({
      get enforced() {
        return current.enforced
      },
      admit: (counted) => current.admit(counted),
      status: (caller, address) => current.status(caller, address)
    }),
    set: (limits: "off" | "spec", remaining?: number): void => {
      current = make(limits, remaining)
    }
  }
}

/** Waits until no delivery is due. Deliveries to a receiver that does not answer wait longer. */
const settled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const start = performance.now()
  while (performance.now() - start < MAX_SETTLING) {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* sql<{ due: number }>`
      SELECT count(*) AS due FROM deliveries d JOIN hooks h ON h.id = d.hook_id
      WHERE d.status IS NULL AND (h.retry_at <= ${now} OR d.leased_until > ${now})`
    if (row?.due === 0) return
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2)))
  }
  return yield* Effect.die(new Error(`The forge still sends deliveries after ${MAX_SETTLING} ms`))
})
