import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { connect, sent, texts } from "./McpClient.test-support.ts"

describe("a list", () => {
  it.effect("continues with a cursor, which no other call accepts", () =>
    Effect.gen(function* () {
      const client = yield* connect({ toolsets: ["branches", "tags"] })
      const first = texts(yield* client.callTool({ name: "branches_list", arguments: {} })).join("")
      const { cursor }: { readonly cursor?: unknown } = JSON.parse(
        /^More: call again with (.*)$/m.exec(first)?.[1] ?? "{}"
      )
      assert.isString(cursor)
      const second = yield* client.callTool({ name: "branches_list", arguments: { cursor } })
      assert.notStrictEqual(second.isError, true)
      sent.length = 0
      for (const [name, args] of [
        ["tags_list", { cursor }],
        ["branches_list", { cursor: "made-up" }],
        ["branches_list", { cursor, repo: "octo/other" }]
      ] as const) {
        const refused = yield* client.callTool({ name, arguments: args })
        assert.isTrue(refused.isError)
        assert.include(texts(refused).join(""), "Invalid cursor")
      }
      assert.deepStrictEqual(sent, [])
    }).pipe(Effect.scoped)
  )
})
