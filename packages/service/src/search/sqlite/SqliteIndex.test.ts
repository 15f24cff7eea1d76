import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { type CodeQuery, defaultOptions } from "@tongs/core/query/CodeQuery"
import { folder } from "../../git/Fixture.test-support.ts"
import { CodeIndex } from "../CodeIndex.ts"
import * as SqliteIndex from "./SqliteIndex.ts"

const span = { start: 0, length: 0 }
const query: CodeQuery = {
  ...defaultOptions,
  expression: { _tag: "Text", text: "x", span },
  inPath: false
}

describe("SqliteIndex", () => {
  it.live("interrupts a search without waiting for a busy worker", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const program = Effect.gen(function* () {
        const index = yield* CodeIndex
        // Starts the worker, so that the following calls wait only for the work.
        assert.deepStrictEqual(yield* index.states([]), [])
        const many = Array.from({ length: 10_000 }, (_, at) => ({ gitDir: `/${at}`, fullName: "a/b" }))
        const busy = yield* Effect.forkChild(index.states(many), { startImmediately: true })
        const search = yield* Effect.forkChild(Stream.runDrain(index.candidates(query, [], "best")), {
          startImmediately: true
        })
        yield* Fiber.interrupt(search)
        assert.isUndefined(busy.pollUnsafe())
        assert.lengthOf(yield* Fiber.join(busy), many.length)
      })
      yield* Effect.provide(program, SqliteIndex.layer(data))
    })
  )
})
