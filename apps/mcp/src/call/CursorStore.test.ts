import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { estimateTokens } from "../text/TokenEstimate.ts"
import * as CursorStore from "./CursorStore.ts"

const continued = { tool: "list", args: { repo: "octo/hello", filter: { a: 1, b: 2 } }, position: { skip: 3 } }

describe("a cursor", () => {
  it.effect("is short, and stands for its call", () =>
    Effect.gen(function* () {
      const store = CursorStore.make()
      const cursor = store.create(continued)
      assert.isAtMost(estimateTokens(cursor), 20)
      assert.deepStrictEqual(yield* store.read(cursor, "list", {}), continued)
      assert.deepStrictEqual(yield* store.read(cursor, "list", { filter: { b: 2, a: 1 } }), continued)
    })
  )

  it.effect("is refused for another tool, other arguments, another server, and if it is made up", () =>
    Effect.gen(function* () {
      const store = CursorStore.make()
      const cursor = store.create(continued)
      const other = CursorStore.make()
      for (const read of [
        store.read(cursor, "other", {}),
        store.read(cursor, "list", { repo: "octo/other" }),
        store.read(cursor, "list", { added: 1 }),
        other.read(cursor, "list", {}),
        store.read("made-up", "list", {}),
        store.read({ cursor }, "list", {})
      ]) {
        assert.include((yield* Effect.flip(read)).message, "Invalid cursor")
      }
    })
  )

  it.effect("is forgotten after many others", () =>
    Effect.gen(function* () {
      const store = CursorStore.make()
      const first = store.create(continued)
      for (let count = 0; count < 10_000; count++) store.create(continued)
      yield* Effect.flip(store.read(first, "list", {}))
    })
  )
})
