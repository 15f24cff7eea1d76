import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as StdioMessages from "./StdioMessages.ts"

const read = (chunks: ReadonlyArray<string>) =>
  Stream.fromIterable(chunks).pipe(
    Stream.map((chunk): Uint8Array => Buffer.from(chunk)),
    StdioMessages.lines,
    Stream.map((line) => Buffer.from(line).toString("utf8")),
    Stream.runCollect
  )

describe("StdioMessages.lines", () => {
  it.effect("splits lines at any chunk boundary", () =>
    Effect.gen(function* () {
      const text = '{"a":1}\n\n{"b":"é\\n"}\r\n'
      for (let at = 0; at <= text.length; at++) {
        assert.deepStrictEqual(
          yield* read([text.slice(0, at), "", text.slice(at)]),
          ['{"a":1}\n', "\n", '{"b":"é\\n"}\r\n'],
          String(at)
        )
      }
      assert.deepStrictEqual(yield* read([...text, "open"]), ['{"a":1}\n', "\n", '{"b":"é\\n"}\r\n'])
    })
  )

  it.effect("drops the rest of an oversized line, and reads the next line", () =>
    Effect.gen(function* () {
      const mebibyte = "x".repeat(1024 * 1024)
      const found = yield* read([...Array.from({ length: 40 }, () => mebibyte), "\n{}\n"])
      assert.isAbove(found[0]?.length ?? 0, StdioMessages.MAX_MESSAGE_BYTES)
      assert.isBelow(found[0]?.length ?? 0, StdioMessages.MAX_MESSAGE_BYTES + 2 * mebibyte.length)
      assert.deepStrictEqual(found.slice(1), ["{}\n"])
    })
  )
})
