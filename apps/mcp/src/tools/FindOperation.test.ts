import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { entries } from "@tongs/core/contract/Catalog"
import { connect, sent, texts } from "../McpClient.test-support.ts"
import { estimateTokens } from "../text/TokenEstimate.ts"
import * as OperationName from "../operations/OperationName.ts"

const find = Effect.fnUntraced(function* (args: Record<string, unknown>, allowWrites = false) {
  const client = yield* connect({ allowWrites })
  const result = yield* client.callTool({ name: "find_operation", arguments: args })
  return { text: texts(result).join("\n"), isError: result.isError === true }
}, Effect.scoped)

describe("find_operation", () => {
  it.effect("shows what an operation does, its parameters with types, and its scopes", () =>
    Effect.gen(function* () {
      sent.length = 0
      const { text } = yield* find({ query: "repositoryHooks.create" }, true)
      assert.include(text, "repositoryHooks.create (creates; gives data to others): Create a webhook.")
      assert.include(text, "  POST /repos/{owner}/{repo}/hooks\n")
      assert.include(text, "  repo*: owner/name\n")
      assert.include(text, "  config*: {url: string, content_type?: string, secret?: string")
      assert.match(text, /^ {2}scope: .*repo_hook/m)
      assert.deepStrictEqual(sent, [])
    })
  )

  it.effect("says what cannot be undone, and what needs --allow-writes", () =>
    Effect.gen(function* () {
      assert.include((yield* find({ query: "artifacts.delete" }, true)).text, "(deletes; cannot be undone)")
      assert.include((yield* find({ query: "artifacts.delete" })).text, "cannot be undone; needs --allow-writes)")
      assert.include(
        (yield* find({ query: "repositories.update" }, true)).text,
        "cannot be undone with private=false or visibility=public or archived=true"
      )
    })
  )

  it.effect("describes every operation in at most 450 tokens", () =>
    Effect.gen(function* () {
      for (const entry of entries) {
        const { text } = yield* find({ query: OperationName.idOf(entry) }, true)
        assert.isAtMost(estimateTokens(text), 450, text)
        for (const { name } of entry.fields)
          if (name !== "owner" && name !== "repo") assert.match(text, new RegExp(`^ {2}${name}\\*?: `, "m"), text)
      }
    })
  )

  it.effect("shows a long parameter completely, and parts of it", () =>
    Effect.gen(function* () {
      const { text } = yield* find({ query: "rulesets.create" }, true)
      assert.include(text, 'find_operation {"query":"rulesets.createForOrg","parameter":"rules"}')
      const rules = (yield* find({ query: "rulesets.create", parameter: "rules" })).text
      assert.include(rules, 'type: "max_file_size", parameters: {max_file_size: integer}')
      assert.include(rules, "required_reviewers?: {file_patterns: string[], minimum_approvals: integer")
      const one = (yield* find({ query: "rulesets.create", parameter: "rules.pull_request.parameters" })).text
      assert.include(one, "require_code_owner_review*: boolean")
      const unknown = yield* find({ query: "rulesets.create", parameter: "rule" })
      assert.isTrue(unknown.isError)
      assert.include(unknown.text, "It has: org, name")
    })
  )

  it.effect("continues a long result, and names the groups without one", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const seen: Array<string> = []
      let given: Record<string, unknown> | undefined = { query: "list" }
      while (given !== undefined) {
        const text: string = texts(yield* client.callTool({ name: "find_operation", arguments: given })).join("\n")
        assert.isAtMost(estimateTokens(text), 2_000)
        seen.push(...[...text.matchAll(/^(\w+\.\w+) \(/gm)].map(([, id = ""]) => id))
        const [, next]: ReadonlyArray<string> = /^More: call again with (.*)$/m.exec(text) ?? []
        given = next === undefined ? undefined : JSON.parse(next)
      }
      assert.strictEqual(new Set(seen).size, seen.length)
      assert.isAbove(seen.length, 20)
      const { text } = yield* find({ query: "zzzzzz" })
      assert.match(text, /0 operations\nNothing matches.*repositoryHooks/)
    }).pipe(Effect.scoped)
  )
})
