/**
 * Step: tracing. A request on the wire has a span, and carries its trace headers, only where somebody collects spans:
 * otherwise they cost time, tell a stranger of us, and fail in browsers, whose preflight the forge does not answer to them.
 */
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
import * as Tracer from "effect/Tracer"
import * as HttpClient from "effect/http/HttpClient"

export const make = <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
  HttpClient.transform(client, (send) =>
    Effect.flatMap(Tracer.Tracer, (tracer) =>
      tracer === Tracer.nativeTracer ? Effect.provideService(send, HttpClient.TracerDisabledWhen, constTrue) : send
    )
  )
