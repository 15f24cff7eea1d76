import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { linesOf, open } from "../organization/OpenScreen.test-support.ts"
import * as RuleText from "./RuleText.ts"

const ruleset = {
  id: 4,
  name: "Gold \u001b[31mrules",
  target: "branch",
  source: "acme",
  enforcement: "evaluate",
  conditions: {
    ref_name: { include: ["~DEFAULT_BRANCH", "refs/heads/release/*"], exclude: [] },
    repository_name: { include: ["~ALL"], exclude: ["old"] }
  },
  bypass_actors: [{ actor_id: 1, actor_type: "OrganizationAdmin", bypass_mode: "always" }],
  rules: [
    { type: "deletion" },
    {
      type: "pull_request",
      parameters: { required_approving_review_count: 2, require_code_owner_review: true }
    },
    { type: "commit_message_pattern", parameters: { operator: "starts_with", pattern: "\u001b[2Jx" } },
    { type: "from_the_future", parameters: { level: 9 } }
  ]
}

it.effect("lists rulesets with their enforcement", () =>
  Effect.gen(function* () {
    const { content } = yield* open("rulesets.listForOrg", { org: "acme" }, { "/orgs/acme/rulesets": [ruleset] })
    const [line = ""] = linesOf(content)
    assert.include(line, "branches | evaluate only | 4")
    assert.notInclude(line, "\u001b")
  })
)

it.effect("shows a ruleset in words", () =>
  Effect.gen(function* () {
    const bodies = { "/orgs/acme/rulesets/4": ruleset }
    const { content } = yield* open("rulesets.getForOrg", { org: "acme", ruleset_id: 4 }, bodies)
    const lines = linesOf(content).map((line) => line.replaceAll(/ {2,}/g, " | "))
    for (const words of [
      "repositories | all",
      "except repositories | old",
      "references | the default branch, release/*",
      "- Changes need a pull request: 2 approvals, review by code owners",
      '- from the future: {"level":9}',
      "- owners of the organization, always"
    ])
      assert.include(lines, words)
    assert.isFalse(lines.some((line) => line.includes("\u001b")))
  })
)

it.effect("says where the rules of a listed ruleset are", () =>
  Effect.gen(function* () {
    const { bypass_actors: _actors, conditions: _conditions, rules: _rules, ...summary } = ruleset
    const { content } = yield* open("rulesets.listForOrg", { org: "acme" }, { "/orgs/acme/rulesets": [summary] })
    const row = content?._tag === "Table" ? content.rows.at(0) : undefined
    assert.include(linesOf(row?.preview?.()), "Press Enter to see the rules and conditions.")
  })
)

it("describes parameters of unexpected types", () => {
  assert.strictEqual(
    RuleText.rule({
      type: "required_status_checks",
      parameters: { required_status_checks: [{ context: "ci" }, null] }
    }),
    "Status checks must pass: ci, null"
  )
  assert.strictEqual(
    RuleText.rule({ type: "pull_request", parameters: { required_approving_review_count: "many" } }),
    "Changes need a pull request: 0 approvals"
  )
})
