import { assert, describe, it } from "@effect/vitest"
import { resultSchemas } from "@tongs/core/contract/Catalog"
import type { Item } from "../answer/Answer.ts"
import { entryOf } from "../call/Tool.ts"
import { estimateTokens } from "../text/TokenEstimate.ts"
import * as ResourceItems from "./ResourceItems.ts"

const now = Date.parse("2026-01-31T12:00:00Z")

const itemsOf = (operation: string, value: object, selection?: "all" | ReadonlyArray<ReadonlyArray<string>>) =>
  ResourceItems.make(value, resultSchemas(entryOf(operation)), selection, now)

const textOf = (items: ReadonlyArray<Item>) => items.map(({ text }) => text).join("")

const nested = (depth: number) => {
  let value: unknown = "end"
  for (let level = 0; level < depth; level++) value = { value }
  return value
}

describe("the items of a resource", () => {
  it("are one item with all data, if the resource is short", () => {
    const [item, ...others] = itemsOf("artifacts.get", {
      id: 1,
      name: "a",
      expires_at: "2026-02-01T12:00:00Z",
      url: "u"
    })
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(item, {
      data: { id: 1, name: "a", expires_at: "2026-02-01T12:00:00Z" },
      text: "id: 1\nname: a\nexpires_at: 2026-02-01T12:00:00Z (in 1 day)"
    })
  })

  for (const selection of [undefined, "all", [["request"]]] as const) {
    it(`contain all of a long payload, each in few tokens: ${JSON.stringify(selection)}`, () => {
      const words = Array.from({ length: 5_000 }, (_, index) => `word${index}`)
      const payload = { text: words.join(" "), list: words }
      const items = itemsOf("repositoryHooks.getDelivery", { id: 1, request: { headers: null, payload } }, selection)
      for (const { data, text } of items) {
        assert.isAtMost(estimateTokens(text), 1_600)
        assert.isAtMost(estimateTokens(JSON.stringify(data)), 1_700)
      }
      const text = textOf(items)
      for (const word of words) assert.include(text, word)
      assert.strictEqual(text.split("word4999").length, 3)
    })
  }

  it("contain all of a text without line breaks", () => {
    const message = Array.from({ length: 20_000 }, (_, index) => String.fromCharCode(97 + (index % 26))).join("")
    const items = itemsOf("gitTags.get", { tag: "v1", message })
    assert.isAbove(items.length, 2)
    assert.include(textOf(items), message)
  })

  it("do not follow deep nesting", () => {
    for (const selection of [undefined, "all"] as const) {
      const items = itemsOf("repositoryHooks.getDelivery", { request: { payload: nested(100_000) } }, selection)
      assert.include(textOf(items), "…")
    }
  })

  it("put the text of a comment into an item of its author", () => {
    const comment = { id: 1, body: "Hello\nthere", user: { login: "mona" }, author_association: "MEMBER" }
    assert.deepInclude(itemsOf("commitComments.get", comment).at(-1), {
      text: "Hello\nthere",
      author: { login: "mona", association: "MEMBER" }
    })
  })

  it("show the rules of a ruleset with their parameters, its conditions, and who may bypass it", () => {
    const rules = [
      { type: "required_signatures" },
      { type: "pull_request", parameters: { required_approving_review_count: 2, allowed_merge_methods: ["squash"] } },
      { type: "commit_message_pattern", parameters: { operator: "contains", pattern: "a, b\nc" } }
    ]
    const ruleset = {
      id: 4,
      name: "protect",
      source: "acme",
      enforcement: "active",
      bypass_actors: [{ actor_id: 5, actor_type: "Team", bypass_mode: "always" }],
      conditions: { ref_name: { include: ["~DEFAULT_BRANCH"] }, repository_name: { include: ["~ALL"] } },
      rules
    }
    const [item, ...others] = itemsOf("rulesets.createForOrg", ruleset)
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(item?.text.split("\n"), [
      "id: 4",
      "name: protect",
      "source: acme",
      "enforcement: active",
      "conditions:",
      "  ref_name.include: ~DEFAULT_BRANCH",
      "  repository_name.include: ~ALL",
      "bypass_actors (1): actor_type\tactor_id\tbypass_mode",
      "Team\t5\talways",
      "rules (3): type\tparameters",
      "required_signatures\t-",
      'pull_request\trequired_approving_review_count 2, allowed_merge_methods ["squash"]',
      'commit_message_pattern\toperator contains, pattern "a, b\\nc"'
    ])
    assert.notInclude(ResourceItems.tablesOf(ruleset, resultSchemas(entryOf("rulesets.createForOrg"))), "rules")
  })

  it("keep the parameters of each rule of a long ruleset", () => {
    const rules = Array.from({ length: 100 }, (_, index) => ({
      type: "file_path_restriction",
      parameters: { restricted_file_paths: Array.from({ length: 25 }, (_, path) => `folder${index}/file${path}`) }
    }))
    const items = itemsOf("rulesets.createForOrg", { id: 4, name: "paths", rules })
    assert.isAbove(items.length, 2)
    for (const [index, rule] of rules.entries()) {
      const item = items.at(index - rules.length)
      assert.include(item?.text, `restricted_file_paths ${JSON.stringify(rule.parameters.restricted_file_paths)}`)
      assert.deepStrictEqual(item?.data, { rules: [rule] })
    }
  })
})
