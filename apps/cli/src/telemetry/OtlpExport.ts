/**
 * Exports traces and metrics to an OpenTelemetry collector over HTTP. A slow or missing collector does not delay the
 * running program, and delays the exit by at most half a second.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import * as HttpClient from "effect/http/HttpClient"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import { VERSION } from "../base/Version.ts"
import * as ExporterClient from "./ExporterClient.ts"
import * as RedactingTracer from "./RedactingTracer.ts"
import { lookup } from "./DnsLookup.ts"

/** Time limit of the final export when the program ends. */
const SHUTDOWN_TIMEOUT = "500 millis"

/** Interval of exports while the program runs. */
const INTERVAL = "5 seconds"

/** Provides a tracer and a metrics exporter for the base URL of a collector. */
export const layer = (url: string) =>
  Layer.span("tongs").pipe(
    Layer.provideMerge(Layer.effectContext(exporters(url.replace(/\/+$/, "")))),
    Layer.provide([OtlpExporter.layerFlusher, OtlpSerialization.layerJson, NodeHttpClient.layerNodeHttpNoAgent]),
    Layer.provide(NodeHttpClient.layerAgentOptions({ lookup }))
  )

const exporters = Effect.fnUntraced(function* (url: string) {
  const delivery = yield* ExporterClient.make(new URL(url).host)
  // Runs finalizers in parallel, so that the exit waits only for the slower exporter.
  const scope = yield* Effect.acquireRelease(Scope.make("parallel"), (scope, exit) => Scope.close(scope, exit))
  const options = {
    resource: { serviceName: "tongs", serviceVersion: VERSION },
    headers: yield* headers,
    exportInterval: INTERVAL,
    shutdownTimeout: SHUTDOWN_TIMEOUT
  } as const // durations are literal types
  const tracer = yield* OtlpTracer.make({ ...options, url: `${url}/v1/traces` }).pipe(
    Effect.provideService(HttpClient.HttpClient, delivery.client("traces")),
    Scope.provide(yield* Scope.fork(scope, "sequential"))
  )
  yield* OtlpMetrics.make({ ...options, url: `${url}/v1/metrics` }).pipe(
    Effect.provideService(HttpClient.HttpClient, delivery.client("metrics")),
    Scope.provide(yield* Scope.fork(scope, "sequential"))
  )
  yield* Effect.addFinalizer(() => delivery.end)
  return Context.make(Tracer.Tracer, RedactingTracer.make(tracer))
})

/** Reads `OTEL_EXPORTER_OTLP_HEADERS`: headers for the collector, for example `api-key=secret,x=y`. */
const headers = Config.String("OTEL_EXPORTER_OTLP_HEADERS").pipe(
  Config.option,
  Config.map((text) =>
    Object.fromEntries(
      Option.getOrElse(text, () => "")
        .split(",")
        .flatMap((pair) => {
          const [name = "", ...value] = pair.split("=")
          return value.length === 0 ? [] : [[name.trim(), decodeURIComponent(value.join("=").trim())]]
        })
    )
  ),
  Effect.orElseSucceed(() => ({}))
)
