/** Collects the metrics of this process for `GET /metrics`. Nothing is collected between two requests. */
import { readdirSync } from "node:fs"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { ClusterState } from "../base/ClusterState.ts"
import * as GitCommand from "../git/process/GitCommand.ts"
import { Indexer } from "../search/Indexer.ts"
import { type DeliveryBacklog, DeliveryRows } from "../webhooks/DeliveryRows.ts"
import { type Family, labelled, print, single } from "./OpenMetrics.ts"
import { RequestMetrics } from "./RequestMetrics.ts"

/** What only the server knows. */
export interface ServerState {
  readonly connections: Effect.Effect<number>
  /** Total size of unsent responses in bytes. */
  readonly unsentBytes: () => number
  readonly isDraining: () => boolean
}

/** Maximum time of the query for the unsent deliveries. */
const backlogLimit = Duration.seconds(2)

/** Milliseconds between two measurements of the event loop's delay. */
const DELAY_RESOLUTION = 20

const NANOSECONDS = 1e-9
const MICROSECONDS = 1e-6
const MILLISECONDS = 1e-3

/** Creates the effect that prints all metrics. */
export const make = Effect.fnUntraced(function* (server: ServerState) {
  const deliveries = yield* DeliveryRows
  const indexer = yield* Indexer
  const member = yield* ClusterState
  const requests = yield* RequestMetrics
  const delay = eventLoopDelay()

  /** None while the database does not answer, which `/readyz` logs. Does not wait until the query is canceled. */
  const backlog = Effect.flatMap(Effect.forkDetach(deliveries.backlog), (query) =>
    Effect.timeoutOption(Fiber.join(query), backlogLimit).pipe(
      Effect.catchDefect(() => Effect.succeedNone),
      Effect.ensuring(Effect.sync(() => query.interruptUnsafe()))
    )
  )

  return Effect.gen(function* () {
    const waiting = yield* backlog
    const now = yield* Clock.currentTimeMillis
    const { phases, size } = indexer.counts()
    return print([
      ...requests.families(),
      single({ name: "tongs_http_connections", type: "gauge", help: "Open connections." }, yield* server.connections),
      single(
        { name: "tongs_http_unsent_bytes", type: "gauge", unit: "bytes", help: "Size of responses in memory." },
        server.unsentBytes()
      ),
      single(
        { name: "tongs_draining", type: "gauge", help: "1 while the process ends, otherwise 0." },
        server.isDraining() ? 1 : 0
      ),
      ...(Option.isNone(waiting) ? [] : ofDeliveries(waiting.value, now)),
      labelled(
        { name: "tongs_code_index_repositories", type: "gauge", help: "Repositories of the code index, by state." },
        "state",
        phases
      ),
      single(
        {
          name: "tongs_code_index_source_bytes",
          type: "gauge",
          unit: "bytes",
          help: "Size of the indexed files."
        },
        size
      ),
      single({ name: "tongs_git_processes", type: "gauge", help: "Running git processes." }, GitCommand.running()),
      ...(member === undefined
        ? []
        : [
            single(
              { name: "tongs_cluster_shards", type: "gauge", help: "Shards of repositories that this process owns." },
              member.shards()
            ),
            single(
              { name: "tongs_cluster_peers", type: "gauge", help: "Other processes of the cluster." },
              member.peers()
            )
          ]),
      ...delay(),
      ...ofProcess()
    ])
  })
})

const ofDeliveries = ({ oldest, waiting }: DeliveryBacklog, now: number): ReadonlyArray<Family> => [
  single({ name: "tongs_webhook_deliveries_waiting", type: "gauge", help: "Unsent deliveries." }, waiting),
  single(
    {
      name: "tongs_webhook_oldest_delivery_age_seconds",
      type: "gauge",
      unit: "seconds",
      help: "Age of the oldest unsent delivery."
    },
    oldest === null ? 0 : Math.max(0, now - oldest) * MILLISECONDS
  )
]

/**
 * Measures the delay of the event loop from the first call on: the measurement wakes the process up 50 times a second.
 * Each call returns the delays since the previous one.
 */
const eventLoopDelay = () => {
  let histogram: ReturnType<typeof monitorEventLoopDelay> | undefined
  return (): ReadonlyArray<Family> => {
    const isFirst = histogram === undefined
    histogram ??= monitorEventLoopDelay({ resolution: DELAY_RESOLUTION })
    if (isFirst) histogram.enable()
    const seconds = (percentile: number) =>
      histogram === undefined || histogram.count === 0 ? 0 : delaySeconds(histogram.percentile(percentile))
    const family = labelled(
      {
        name: "tongs_event_loop_delay_seconds",
        type: "gauge",
        unit: "seconds",
        help: "Delay of the event loop since the previous request for metrics, by percentile."
      },
      "percentile",
      { 50: seconds(50), 99: seconds(99), 100: seconds(100) }
    )
    histogram.reset()
    return [family]
  }
}

/** Returns the delay of a measurement in nanoseconds, which includes the interval before it. */
export const delaySeconds = (measured: number): number =>
  Math.max(0, measured * NANOSECONDS - DELAY_RESOLUTION * MILLISECONDS)

/** Metrics with the names that Prometheus's own clients use. */
const ofProcess = (): ReadonlyArray<Family> => {
  const { heapUsed, rss } = process.memoryUsage()
  const { system, user } = process.cpuUsage()
  const files = openFiles()
  return [
    single(
      { name: "process_cpu_seconds", type: "counter", unit: "seconds", help: "CPU time, without git processes." },
      (system + user) * MICROSECONDS
    ),
    single({ name: "process_resident_memory_bytes", type: "gauge", unit: "bytes", help: "Resident memory." }, rss),
    single({ name: "tongs_heap_bytes", type: "gauge", unit: "bytes", help: "Used heap of JavaScript." }, heapUsed),
    single(
      { name: "process_start_time_seconds", type: "gauge", unit: "seconds", help: "Start in Unix time." },
      performance.timeOrigin * MILLISECONDS
    ),
    ...(files === undefined
      ? []
      : [single({ name: "process_open_fds", type: "gauge", help: "Open file descriptors." }, files)])
  ]
}

/** Undefined on systems without `/proc`. */
const openFiles = (): number | undefined => {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return undefined
  }
}
