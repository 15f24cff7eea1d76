import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { entries } from "@tongs/core/contract/Catalog"
import { connect, texts } from "../McpClient.test-support.ts"
import * as Tools from "../Tools.ts"

const toolsets = Tools.toolsets()

describe("one tool per operation", () => {
  it.effect("has the name of its operation, and honest hints", () =>
    Effect.gen(function* () {
      const { tools } = yield* (yield* connect({ toolsets, allowWrites: true })).listTools({})
      assert.deepStrictEqual(
        tools.map(({ name }) => name),
        entries.map(({ tool }) => tool)
      )
      for (const entry of entries) {
        const { annotations } = tools.find(({ name }) => name === entry.tool) ?? {}
        assert.strictEqual(annotations?.readOnlyHint, entry.operation.effect === "read", entry.tool)
        assert.strictEqual(annotations?.idempotentHint, entry.operation.idempotent, entry.tool)
        if (entry.operation.effect === "delete") assert.isTrue(annotations?.destructiveHint, entry.tool)
        if (entry.operation.effect === "trigger") assert.isFalse(annotations?.destructiveHint, entry.tool)
      }
      const { tools: reading } = yield* (yield* connect({ toolsets })).listTools({})
      assert.isTrue(reading.every(({ annotations }) => annotations?.readOnlyHint))
    }).pipe(Effect.scoped)
  )

  it.effect("describes the members of bodies, and one repository instead of owner and name", () =>
    Effect.gen(function* () {
      const { tools } = yield* (yield* connect({ toolsets, allowWrites: true }, null)).listTools({})
      const schema = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema
      const properties = (name: string) => Object(schema(name)?.properties)
      assert.deepStrictEqual(schema("git_refs_get")?.required, ["repo", "ref"])
      assert.hasAllKeys(properties("git_refs_get"), ["repo", "ref", "fields", "cursor"])
      assert.containsAllKeys(properties("branches_list"), ["limit", "cursor"])
      const { config } = properties("repository_hooks_create")
      assert.deepInclude(config, { type: "object", required: ["url"] })
      assert.nestedPropertyVal(config, "properties.url.type", "string")
      assert.deepInclude(properties("git_commits_create").parents, { type: "array", items: { type: "string" } })
      assert.deepInclude(properties("project_views_create_for_user").visible_fields, { items: { type: "integer" } })
      assert.include(JSON.stringify(properties("rulesets_create").rules), '"enum":["required_linear_history"]')
      assert.notMatch(JSON.stringify(tools), /\$ref|900719/)
    }).pipe(Effect.scoped)
  )

  it.effect("reads, writes and checks arguments like run_operation and change", () =>
    Effect.gen(function* () {
      const client = yield* connect({ toolsets, allowWrites: true, confirm: "never" })
      const call = (name: string, given: Record<string, unknown>) =>
        Effect.map(client.callTool({ name, arguments: given }), (result) => texts(result).join("\n"))
      assert.include(
        yield* call("repository_hooks_list", { fields: ["id", "config.url"] }),
        "id\tconfig.url\n1\thttps://hooks.example/in"
      )
      assert.match(yield* call("git_refs_get", { reff: "x" }), /"reff" is unknown, did you mean ref\?; ref is missing/)
      assert.match(yield* call("branches_list", { limit: 0 }), /limit/)
      assert.match(yield* call("git_refs_get", { ref: "heads/no" }), /Not Found[^]*branches_list/)
      assert.include(yield* call("blocks_block", { username: "tilda" }), 'Undo: blocks_unblock {"username":"tilda"}')
    }).pipe(Effect.scoped)
  )
})
