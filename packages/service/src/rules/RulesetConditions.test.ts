import { assert, describe, it } from "@effect/vitest"
import type { NewConditions } from "@tongs/core/contract/groups/Rulesets"
import type { RulesetRow } from "./RulesetRows.ts"
import * as RulesetConditions from "./RulesetConditions.ts"

const subject: RulesetConditions.ConditionSubject = {
  repositoryId: 7,
  repositoryName: "Hello",
  properties: {
    custom: new Map([
      ["tier", ["gold"]],
      ["teams", ["a", "b"]]
    ]),
    system: new Map([["visibility", ["public"]]])
  },
  ref: "refs/heads/release/1/x",
  defaultBranch: "main"
}

const ruleset = (conditions: NewConditions | null, target: RulesetRow["target"] = "branch"): RulesetRow => ({
  id: 1,
  organization_id: 1,
  repository_id: null,
  name: "r",
  target,
  enforcement: "active",
  bypass_actors: [],
  conditions,
  rules: [],
  created_at: "",
  updated_at: ""
})

const anyRef = { ref_name: { include: ["~ALL"] } }
const property = (name: string, ...property_values: ReadonlyArray<string>) => ({ name, property_values })
const names = (include: ReadonlyArray<string>, exclude: ReadonlyArray<string> = []): NewConditions => ({
  ...anyRef,
  repository_name: { include, exclude }
})
const refs = (include: ReadonlyArray<string>, exclude: ReadonlyArray<string> = []): NewConditions => ({
  ref_name: { include, exclude },
  repository_name: { include: ["~ALL"] }
})

const cases: ReadonlyArray<readonly [string, NewConditions | null, boolean]> = [
  ["rejects missing conditions", null, false],
  ["matches the repository id", { ...anyRef, repository_id: { repository_ids: [1, 7] } }, true],
  ["rejects another id", { ...anyRef, repository_id: { repository_ids: [1] } }, false],
  ["matches a name case-insensitively", names(["HEL*"]), true],
  ["rejects an excluded name", names(["~ALL"], ["h?llo"]), false],
  ["rejects a partial name", names(["ell"]), false],
  ["rejects empty name conditions", { ...anyRef, repository_name: {} }, false],
  ["matches a property", { ...anyRef, repository_property: { include: [property("Tier", "silver", "gold")] } }, true],
  [
    "rejects if one of two properties is missing",
    { ...anyRef, repository_property: { include: [property("tier", "gold"), property("x", "y")] } },
    false
  ],
  [
    "rejects an excluded property",
    { ...anyRef, repository_property: { include: [property("tier", "gold")], exclude: [property("teams", "b")] } },
    false
  ],
  [
    "matches a system property",
    { ...anyRef, repository_property: { include: [{ ...property("visibility", "public"), source: "system" }] } },
    true
  ],
  [
    "rejects a system property declared as custom",
    { ...anyRef, repository_property: { include: [property("visibility", "public")] } },
    false
  ],
  ["matches subfolders", refs(["refs/heads/release/**/*"]), true],
  ["matches folders of any depth, including none", refs(["refs/heads/release/1/**/x"]), true],
  ["rejects a star that would have to match a slash", refs(["refs/heads/release/*"]), false],
  ["matches a short name with a character class", refs(["release/*/[w-z]"]), true],
  ["rejects a negated character class", refs(["release/*/[!w-z]"]), false],
  ["treats a dot literally", refs(["release/./x"]), false],
  ["rejects an excluded reference", refs(["~ALL"], ["refs/heads/release/1/*"]), false],
  ["rejects another branch than the default branch", refs(["~DEFAULT_BRANCH"]), false],
  ["rejects an unclosed character class", refs(["release/1/[x"]), false],
  ["rejects empty reference conditions", refs([]), false]
]

describe("RulesetConditions", () => {
  it.each(cases)("%s", (_, conditions, expected) => {
    assert.strictEqual(RulesetConditions.matchesConditions(ruleset(conditions), subject), expected)
  })

  it("match only references of the target", () => {
    assert.isFalse(RulesetConditions.matchesConditions(ruleset(refs(["~ALL"]), "tag"), subject))
    assert.isTrue(RulesetConditions.matchesConditions(ruleset(names(["~ALL"]), "push"), subject))
    assert.isFalse(RulesetConditions.matchesConditions(ruleset(names(["~ALL"]), "repository"), subject))
    assert.isTrue(
      RulesetConditions.matchesConditions(ruleset(refs(["~DEFAULT_BRANCH"])), { ...subject, ref: "refs/heads/main" })
    )
  })
})
