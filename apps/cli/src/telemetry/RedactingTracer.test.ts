import { inspect } from "node:util"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import * as RedactingTracer from "./RedactingTracer.ts"

it.effect("removes secrets from the spans of libraries, too", () =>
  Effect.gen(function* () {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const attributes = {
      "url.full": "https://canary:canary@forge.test/a/b?signature=canary#canary",
      "url.path": "/a/b",
      "url.query": "canary",
      "http.request.header.authorization": "Bearer canary",
      "http.response.header.location": "/file?signature=canary",
      said: "GET /a?key=canary went with Bearer canary and ghp_canary0123456789 and tongs_canary-0123456789",
      count: 3
    }
    const failing = Effect.die(new Error("canary")).pipe(
      Effect.withSpan("inner", { attributes }),
      Effect.ensuring(Effect.annotateCurrentSpan(attributes)),
      Effect.withSpan("outer")
    )
    yield* Effect.exit(Effect.withTracer(failing, RedactingTracer.make(tracer)))
    assert.deepStrictEqual(
      spans.map(({ name, status }) => [name, status._tag]),
      [
        ["outer", "Ended"],
        ["inner", "Ended"]
      ]
    )
    assert.deepStrictEqual(Object.fromEntries(spans[0]?.attributes ?? []), {
      "url.full": "https://forge.test/a/b",
      "url.path": "/a/b",
      said: "GET /a went with Bearer … and … and …",
      count: 3
    })
    assert.isFalse(inspect(spans, { depth: 20 }).includes("canary"))
  })
)
