/**
 * Traces and metrics to an OpenTelemetry collector over HTTP. One that is slow or not there costs nothing while the program
 * runs, and at most half a second when it ends.
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
import { version } from "../base/Version.ts"
import * as ExporterClient from "./ExporterClient.ts"
import * as RedactingTracer from "./RedactingTracer.ts"
import { lookup } from "./DnsLookup.ts"

/** How long the end of the program waits until what is left has been sent. */
const PATIENCE = "500 millis"

/** How often what there is goes out meanwhile. */
const INTERVAL = "5 seconds"

export const layer = (url: string) =>
  Layer.span("tongs").pipe(
    Layer.provideMerge(Layer.effectContext(exporters(url.replace(/\/+$/, "")))),
    Layer.provide([OtlpExporter.layerFlusher, OtlpSerialization.layerJson, NodeHttpClient.layerNodeHttpNoAgent]),
    Layer.provide(NodeHttpClient.layerAgentOptions({ lookup }))
  )

const exporters = Effect.fnUntraced(function* (url: string) {
  const delivery = yield* ExporterClient.make(new URL(url).host)
  // Together, so that the end waits for the slower of them and not for both in turn.
  const scope = yield* Effect.acquireRelease(Scope.make("parallel"), (scope, exit) => Scope.close(scope, exit))
  const options = {
    resource: { serviceName: "tongs", serviceVersion: version },
    headers: yield* headers,
    exportInterval: INTERVAL,
    shutdownTimeout: PATIENCE
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

/** `OTEL_EXPORTER_OTLP_HEADERS`, as in `api-key=secret,x=y`: what a collector wants of who sends to it. */
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
