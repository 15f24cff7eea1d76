import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { demoArguments, unavailable } from "@tongs/connection/DemoArguments.test-support"
import { entries } from "@tongs/core/contract/Catalog"
import { MAX_TOKENS } from "../answer/Answer.ts"
import { texts } from "../McpClient.test-support.ts"
import { estimateTokens } from "../text/TokenEstimate.ts"
import { connect, demo } from "./DemoClient.test-support.ts"
import * as OperationName from "./OperationName.ts"

const reads = entries.filter((entry) => entry.readonly && !unavailable.has(OperationName.idOf(entry)))

layer(demo, { excludeTestServices: true, timeout: 60_000 })("run_operation over the demonstration", (it) => {
  for (const entry of reads) {
    const operation = OperationName.idOf(entry)
    it.effect(`reads ${operation} to its end`, () =>
      Effect.gen(function* () {
        const client = yield* connect()
        let given: Record<string, unknown> | undefined = { operation, arguments: demoArguments(entry) }
        for (let calls = 0; given !== undefined; calls++) {
          assert.isBelow(calls, 30)
          const result: {
            readonly isError?: boolean | undefined
            readonly content: ReadonlyArray<{ readonly type: string }>
          } = yield* client.callTool({ name: "run_operation", arguments: given })
          const text = texts(result).join("\n")
          assert.notStrictEqual(result.isError, true, text)
          assert.isAtMost(estimateTokens(text), 2_000, text)
          assert.isAtMost(estimateTokens(text), MAX_TOKENS)
          if (operation !== "root.get")
            assert.notMatch(text, /https?:\/\/[^\s"]*\/api\/v3|\b(?!ssh|clone)\w+_url:|node_id/)
          const [, next] = /^More: call again with (.*)$/m.exec(text) ?? []
          given = next === undefined ? undefined : JSON.parse(next)
        }
      }).pipe(Effect.scoped)
    )
  }
})
