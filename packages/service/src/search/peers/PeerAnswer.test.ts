import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { IndexError } from "../CodeIndex.ts"
import * as PeerAnswer from "./PeerAnswer.ts"
import * as PeerLines from "../cluster/PeerLines.ts"

const read = (bytes: Stream.Stream<Uint8Array>) =>
  Effect.map(Stream.runCollect(PeerLines.split(bytes, (detail) => detail)), (lines) =>
    lines.map((line) => JSON.parse(line)._tag)
  )

describe("PeerAnswer", () => {
  it.effect("shows that the process is alive while it searches", () =>
    Effect.gen(function* () {
      const slow = Stream.fromEffect(Effect.delay(Effect.succeed('{"_tag":"Line"}'), "1 second"))
      const lines = yield* Effect.forkChild(read(PeerAnswer.bytes("", slow)))
      for (let at = 0; at < 5; at++) yield* TestClock.adjust("250 millis")
      assert.deepStrictEqual(yield* Fiber.join(lines), ["Begin", "Alive", "Alive", "Alive", "Line", "End"])
    })
  )

  it.effect("ends with the reason of a failure", () =>
    Effect.gen(function* () {
      const failing = Stream.concat(Stream.succeed('{"_tag":"Line"}'), Stream.fail(new IndexError({ detail: "gone" })))
      assert.deepStrictEqual(yield* read(PeerAnswer.bytes("", failing)), ["Begin", "Line", "Failed"])
    })
  )

  it.live("reads little ahead of the connection, and ends with it", () =>
    Effect.gen(function* () {
      let count = 0
      let hasEnded = false
      const endless = Stream.fromIterable(Array.from({ length: 10_000 }, (_, at) => `{"_tag":"Line","at":${at}}`)).pipe(
        Stream.rechunk(1),
        Stream.tap(() => Effect.sync(() => (count += 1))),
        Stream.ensuring(Effect.sync(() => (hasEnded = true)))
      )
      const response = HttpServerResponse.toWeb(HttpServerResponse.stream(PeerAnswer.bytes("", endless)))
      const reader = response.body?.getReader()
      yield* Effect.promise(async () => reader?.read())
      yield* Effect.sleep("50 millis")
      assert.isBelow(count, 10)
      yield* Effect.promise(async () => reader?.cancel())
      yield* Effect.sleep("50 millis")
      assert.isTrue(hasEnded)
    })
  )
})

describe("PeerLines", () => {
  it.effect("splits lines at any byte", () =>
    Effect.gen(function* () {
      const bytes = Buffer.from('{"_tag":"ä€😀"}\n\n{"_tag":"b"}\n{"_tag":"cut')
      for (const size of [1, 2, 3, 7, 100]) {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, at * size + size)
        )
        const lines = yield* Stream.runCollect(PeerLines.split(Stream.fromIterable(chunks), (detail) => detail))
        assert.deepStrictEqual([...lines], ['{"_tag":"ä€😀"}', "", '{"_tag":"b"}'])
      }
    })
  )

  it.effect("refuses an endless line", () =>
    Effect.gen(function* () {
      const chunk = Buffer.alloc(16 * 1024 * 1024, 120)
      let count = 0
      const endless = Stream.tap(Stream.forever(Stream.succeed(chunk)), () => Effect.sync(() => (count += 1)))
      const refusal = yield* Effect.flip(Stream.runDrain(PeerLines.split(endless, (detail) => detail)))
      assert.deepStrictEqual([refusal, count], ["sent an endless line", 5])
    })
  )
})
