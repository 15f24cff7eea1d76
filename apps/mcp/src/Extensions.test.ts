import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as StubForge from "./tools/StubForge.test-support.ts"

const connect = (hasExtensions: boolean, kind: "embedded" | "remote") =>
  Effect.gen(function* () {
    const { client, requests } = yield* StubForge.connect(
      ({ pathname }) => (hasExtensions && pathname === "/tongs/index" ? { body: { repositories: [] } } : undefined),
      {},
      kind
    )
    const list = Effect.map(client.listTools({}), ({ tools }) => tools.map(({ name }) => name))
    return { client, list, requests }
  })

describe("tools that need extensions", () => {
  it.effect("are not listed on a remote forge without them, which is asked once", () =>
    Effect.gen(function* () {
      const { client, list, requests } = yield* connect(false, "remote")
      for (let times = 0; times < 2; times++) {
        const names = yield* list
        assert.include(names, "search_code")
        assert.notInclude(names, "symbols")
      }
      assert.deepStrictEqual(requests, ["/tongs/index"])
      const error = yield* Effect.flip(client.callTool({ name: "symbols", arguments: { path: "a" } }))
      assert.include(error.message, "not found")
    })
  )

  it.effect("are listed on a remote forge with them", () =>
    Effect.gen(function* () {
      const { list, requests } = yield* connect(true, "remote")
      assert.include(yield* list, "symbols")
      assert.include(yield* list, "symbols")
      assert.deepStrictEqual(requests, ["/tongs/index"])
    })
  )

  it.effect("are listed on the embedded forge, which is not asked", () =>
    Effect.gen(function* () {
      const { list, requests } = yield* connect(false, "embedded")
      assert.include(yield* list, "symbols")
      assert.deepStrictEqual(requests, [])
    })
  )
})
