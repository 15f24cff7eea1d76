/**
 * The end of a server without a failed request. While the server still accepts and answers requests, `/readyz` tells
 * load balancers to send no more, and a process of a cluster hands its shards over. Then the server accepts no more
 * connections, completes the requests in progress, and closes the rest.
 */
import type { Server, ServerResponse } from "node:http"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Maximum time of the hand-over. */
const handOverLimit = Duration.seconds(15)

/** Maximum time for the requests in progress after the server has stopped to accept connections. */
const requestLimit = Duration.seconds(30)

/**
 * A load balancer that asked twice within `CHECKER_AGE` milliseconds gets `CHECKS` refusals, for at most `checkerLimit`,
 * before the server stops to accept connections. A script that waits for the start asks only once.
 */
const CHECKER_AGE = 30_000
const CHECKS = 3
const checkerLimit = Duration.seconds(5)

/** Time in which clients with open connections get a response that asks them to close the connection. */
const settleTime = Duration.millis(500)

/** Interval in which connections without a request in progress are closed. */
const closeInterval = Duration.millis(50)

/** A second signal within this time belongs to the first one: a terminal and npm both send one. */
const REPEATED_SIGNAL_MILLIS = 1_000

export interface Draining {
  readonly isDraining: () => boolean
  /** Notes that a load balancer has asked. */
  readonly checked: () => void
  /** Lets a response that waits for its result close its connection if the drain begins meanwhile. */
  readonly add: (response: ServerResponse) => void
  /** Ends the server. A second signal interrupts the drain. */
  readonly drain: Effect.Effect<void>
}

export const make = (server: Server, handOver: Effect.Effect<void>): Draining => {
  let isDraining = false
  let lastCheck = Number.NEGATIVE_INFINITY
  let previousCheck = Number.NEGATIVE_INFINITY
  let refusals = 0
  const waiting = new Set<ServerResponse>()

  const noticed = Effect.sleep(closeInterval).pipe(
    Effect.repeat({ until: () => refusals >= CHECKS }),
    Effect.timeoutOption(checkerLimit),
    Effect.when(Effect.sync(() => performance.now() - previousCheck < CHECKER_AGE))
  )

  const settled = Effect.sleep(settleTime).pipe(Effect.when(Effect.map(connections(server), (count) => count > 0)))

  const handedOver = Effect.timeoutOrElse(Effect.interruptible(handOver), {
    duration: handOverLimit,
    orElse: () => Effect.logWarning(`The hand-over took longer than ${Duration.format(handOverLimit)}`)
  }).pipe(Effect.catchCause((cause) => Effect.logWarning("The hand-over failed", cause)))

  const completed = Effect.gen(function* () {
    yield* Effect.sync(() => void server.close())
    while ((yield* connections(server)) > 0) {
      server.closeIdleConnections()
      yield* Effect.sleep(closeInterval)
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: requestLimit,
      orElse: () => Effect.logWarning(`Requests in progress were ended after ${Duration.format(requestLimit)}`)
    })
  )

  const drain = Effect.gen(function* () {
    isDraining = true
    for (const response of waiting) if (!response.headersSent) response.shouldKeepAlive = false
    yield* Effect.all([handedOver, noticed, settled], { concurrency: "unbounded", discard: true })
    yield* completed
  }).pipe(
    Effect.interruptible,
    Effect.raceFirst(secondSignal),
    Effect.ensuring(
      Effect.sync(() => {
        server.closeAllConnections()
      })
    ),
    // The clock of a test can stand still.
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  )

  return {
    isDraining: () => isDraining,
    checked: () => {
      previousCheck = lastCheck
      lastCheck = performance.now()
      if (isDraining) refusals += 1
    },
    add: (response) => {
      waiting.add(response)
      response.once("close", () => waiting.delete(response))
    },
    drain
  }
}

/** The number of open connections. */
export const connections = (server: Server): Effect.Effect<number> =>
  Effect.callback((resume) => {
    server.getConnections((_, count) => resume(Effect.succeed(count)))
  })

/** Waits for a further signal to end. */
const secondSignal = Effect.callback<void>((resume) => {
  const begun = performance.now()
  const onSignal = () => {
    if (performance.now() - begun >= REPEATED_SIGNAL_MILLIS) resume(Effect.void)
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal)
  return Effect.sync(() => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal)
  })
}).pipe(Effect.interruptible)
