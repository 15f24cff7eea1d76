/** Fixtures of rulesets, in the format of the API's create request. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { NewRuleset } from "@tongs/core/contract/groups/Rulesets"
import * as RulesetValidation from "../../rules/RulesetValidation.ts"
import { RulesetRows } from "../../rules/RulesetRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"

export const sections = () => [
  FixtureSection.make(
    "rulesets",
    Schema.Struct({ organization: Schema.String, ...NewRuleset.fields }),
    ({ name, organization }) => [FixtureSection.identity("name", FixtureSection.foldCase(organization), name)],
    Effect.fnUntraced(function* ({ organization, ...ruleset }) {
      const { id } = yield* FixtureSection.organization("organization", organization)
      const [problem] = yield* RulesetValidation.validate(ruleset)
      if (problem !== undefined) {
        const { field = "", message = "invalid value" } = problem
        return yield* FixtureSection.failAt(field, message.replace(`${field}: `, ""))
      }
      const { bypass_actors = [], conditions = null, enforcement, name, rules = [], target = "branch" } = ruleset
      // Keeps an existing ruleset unchanged.
      yield* Effect.ignore(
        (yield* RulesetRows).add(id, { name, target, enforcement, bypass_actors, conditions, rules })
      )
    })
  )
]
