import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { NewConditions } from "@tongs/core/contract/Rulesets"
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
  ["none at all", null, false],
  ["the repository's id", { ...anyRef, repository_id: { repository_ids: [1, 7] } }, true],
  ["another id", { ...anyRef, repository_id: { repository_ids: [1] } }, false],
  ["a name in another case", names(["HEL*"]), true],
  ["a name that is excluded", names(["~ALL"], ["h?llo"]), false],
  ["part of a name", names(["ell"]), false],
  ["no name", { ...anyRef, repository_name: {} }, false],
  ["a property", { ...anyRef, repository_property: { include: [property("Tier", "silver", "gold")] } }, true],
  [
    "one property of two",
    { ...anyRef, repository_property: { include: [property("tier", "gold"), property("x", "y")] } },
    false
  ],
  [
    "a property that is excluded",
    { ...anyRef, repository_property: { include: [property("tier", "gold")], exclude: [property("teams", "b")] } },
    false
  ],
  [
    "a property of every repository",
    { ...anyRef, repository_property: { include: [{ ...property("visibility", "public"), source: "system" }] } },
    true
  ],
  [
    "one of those, taken for a custom one",
    { ...anyRef, repository_property: { include: [property("visibility", "public")] } },
    false
  ],
  ["folders below", refs(["refs/heads/release/**/*"]), true],
  ["folders of any depth, none too", refs(["refs/heads/release/1/**/x"]), true],
  ["a star that would have to take a slash", refs(["refs/heads/release/*"]), false],
  ["a short name, with a class", refs(["release/*/[w-z]"]), true],
  ["a class without", refs(["release/*/[!w-z]"]), false],
  ["a dot, taken for itself", refs(["release/./x"]), false],
  ["a reference that is excluded", refs(["~ALL"], ["refs/heads/release/1/*"]), false],
  ["the default branch", refs(["~DEFAULT_BRANCH"]), false],
  ["a class that is not closed", refs(["release/1/[x"]), false],
  ["no reference", refs([]), false]
]

describe("conditions", () => {
  it.effect.each(cases)("%s", ([, conditions, expected]) =>
    Effect.map(RulesetConditions.matchesConditions(ruleset(conditions), subject), (holds) =>
      assert.strictEqual(holds, expected)
    )
  )

  it.effect("are about references of the target alone", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* RulesetConditions.matchesConditions(ruleset(refs(["~ALL"]), "tag"), subject))
      assert.isTrue(yield* RulesetConditions.matchesConditions(ruleset(names(["~ALL"]), "push"), subject))
      assert.isFalse(yield* RulesetConditions.matchesConditions(ruleset(names(["~ALL"]), "repository"), subject))
      assert.isTrue(
        yield* RulesetConditions.matchesConditions(ruleset(refs(["~DEFAULT_BRANCH"])), {
          ...subject,
          ref: "refs/heads/main"
        })
      )
    })
  )
})
