import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { demoArguments, unavailable } from "@tongs/connection/DemoArguments.test-support"
import { Forge } from "@tongs/core/client/Forge"
import { entries } from "@tongs/core/contract/Catalog"
import { DEFAULT_TOKENS, maxTokens } from "../answer/Answer.ts"
import { texts } from "../McpClient.test-support.ts"
import { estimateTokens } from "../text/TokenEstimate.ts"
import { connect, demo } from "../DemoClient.test-support.ts"
import * as OperationName from "../operations/OperationName.ts"

/** All reads in `npm run test:long`, otherwise every eighth. */
const reads = entries
  .filter((entry) => entry.readonly && !unavailable.has(OperationName.idOf(entry)))
  .filter((_, index) => process.env["TONGS_LONG_TESTS"] !== undefined || index % 8 === 0)

/** A link of the API in the demonstration, and members with API links. The URLs of git repositories are data. */
const link =
  /http:\/\/forge\.localhost\/(?!\S+\.git\b)|\b(?!ssh|clone|mirror|submodule|target|details|external)\w+_url\b|node_id/

/** Operations that answer with links: the root, and issues of many repositories, which only a link names. */
const withLinks: ReadonlySet<string> = new Set(["root.get", "issues.search"])

/** Calls `run_operation`, and follows the cursors to the end. Returns the texts of the answers. */
const readAll = Effect.fnUntraced(function* (call: Record<string, unknown>) {
  const client = yield* connect()
  const answers: Array<string> = []
  let given: Record<string, unknown> | undefined = call
  while (given !== undefined) {
    assert.isBelow(answers.length, 40)
    const result: {
      readonly isError?: boolean | undefined
      readonly content: ReadonlyArray<{ readonly type: string }>
    } = yield* client.callTool({ name: "run_operation", arguments: given })
    const text = texts(result).join("\n")
    assert.notStrictEqual(result.isError, true, text)
    answers.push(text)
    const [, next]: ReadonlyArray<string> = /^More: call again with (.*)$/m.exec(text) ?? []
    given = next === undefined ? undefined : JSON.parse(next)
  }
  return answers
}, Effect.scoped)

layer(demo, { excludeTestServices: true, timeout: 60_000 })("run_operation over the demonstration", (it) => {
  for (const entry of reads) {
    const operation = OperationName.idOf(entry)
    it.effect(`reads ${operation} to its end, in few tokens and without links`, () =>
      Effect.gen(function* () {
        for (const text of yield* readAll({ operation, arguments: demoArguments(entry) })) {
          assert.isAtMost(estimateTokens(text), DEFAULT_TOKENS, text)
          if (!withLinks.has(operation)) assert.notMatch(text, link)
        }
      })
    )
  }

  // Every call changes the statistics of calls.
  for (const entry of reads.filter(({ group, operation }) => operation.paging !== undefined && group !== "insights")) {
    const operation = OperationName.idOf(entry)
    it.effect(`reads every item of ${operation}, with all members`, () =>
      Effect.gen(function* () {
        const forge = yield* Forge
        const items = yield* Stream.runCollect(forge.list(entry, demoArguments(entry)).items)
        const answers = yield* readAll({ operation, arguments: demoArguments(entry), fields: ["*"], limit: 3 })
        for (const text of answers) assert.isAtMost(estimateTokens(text), maxTokens)
        const rows = answers.join("\n").match(/^(?:<untrusted [^>]*>)?\{/gm) ?? []
        assert.strictEqual(rows.length, items.length)
      })
    )
  }

  it.effect("gives the members of each answer as structured content", () =>
    Effect.gen(function* () {
      const client = yield* connect({ structured: true })
      for (const entry of reads) {
        const operation = OperationName.idOf(entry)
        const given = { operation, arguments: demoArguments(entry) }
        const { structuredContent } = yield* client.callTool({ name: "run_operation", arguments: given })
        const { items }: { readonly items?: unknown } = Object(structuredContent)
        assert.isArray(items, operation)
        const text = JSON.stringify(structuredContent)
        assert.isAtMost(estimateTokens(text), DEFAULT_TOKENS, operation)
        if (!withLinks.has(operation)) assert.notMatch(text, link)
        assert.notInclude(text, "more characters)", operation)
      }
    }).pipe(Effect.scoped)
  )
})
