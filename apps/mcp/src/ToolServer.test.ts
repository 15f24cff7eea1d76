import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { connect, texts } from "./McpClient.test-support.ts"

describe("a call", () => {
  it.effect("ends at its time limit, and says what to do", () =>
    Effect.gen(function* () {
      const client = yield* connect({ toolsets: ["commits"], deadline: 10 })
      const call = yield* Effect.forkChild(client.callTool({ name: "commits_get", arguments: { ref: "hanging" } }))
      yield* TestClock.adjust("11 seconds")
      const result = yield* Fiber.join(call)
      assert.isTrue(result.isError)
      assert.include(texts(result).join(""), "did not answer within 10 s")
    }).pipe(Effect.scoped)
  )

  it.effect(
    "answers with structured content if the call or the server asks for it, beside the text with its frame",
    () =>
      Effect.gen(function* () {
        const request = { name: "branches_list", arguments: {} }
        const asking = yield* connect({ toolsets: ["branches"] })
        const always = yield* connect({ toolsets: ["branches"], structured: true })
        for (const result of [
          yield* asking.callTool({ ...request, _meta: { "tongs/structured": true } }),
          yield* always.callTool(request)
        ]) {
          assert.include(texts(result).join(""), "<untrusted ")
          assert.isArray(Object(result.structuredContent).items)
        }
        const { tools } = yield* always.listTools({})
        assert.isDefined(tools[0]?.outputSchema)
        const plain = yield* asking.callTool(request)
        assert.isUndefined(plain.structuredContent)
      }).pipe(Effect.scoped)
  )
})
