import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as StreamedBody from "./StreamedBody.ts"

it.effect.prop(
  "streams the same JSON as an in-memory response, for any chunks",
  [Schema.Array(Schema.Uint8Array)],
  ([pieces]) =>
    Effect.gen(function* () {
      const content = Buffer.concat(pieces)
      const value = { before: 'ä"', content: StreamedBody.wrapBase64(content), after: [1] }
      const streamed = StreamedBody.embedInJson(JSON.stringify({ ...value, content: "MARK" }), "MARK", {
        _tag: "Streamed",
        identity: "1",
        size: content.length,
        bytes: Stream.fromIterable(pieces)
      })
      const sent = Buffer.concat([...(yield* Stream.runCollect(streamed.bytes))])
      assert.strictEqual(sent.toString(), JSON.stringify(value))
      assert.strictEqual(streamed.size, sent.length)
    })
)
