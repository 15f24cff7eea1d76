import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Stub from "./Stub.test-support.ts"
import * as Trace from "./Trace.ts"

const get = HttpClientRequest.get("https://forge.test/a")

it.effect("sends no trace headers where nobody collects spans", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(() => Stub.json({}))
    yield* Effect.withSpan(Trace.make(client).execute(get), "outer")
    assert.deepStrictEqual(sent[0]?.headers, {})
  })
)

it.effect("makes a span, and sends its name, where somebody does", () =>
  Effect.gen(function* () {
    const spans: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        spans.push(options.name)
        return new Tracer.NativeSpan(options)
      }
    })
    const { client, sent } = Stub.make(() => Stub.json({}))
    yield* Effect.withTracer(Trace.make(client).execute(get), tracer)
    assert.strictEqual(spans.length, 1)
    assert.property(sent[0]?.headers, "traceparent")
  })
)
