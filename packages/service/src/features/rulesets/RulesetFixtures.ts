/** Fixtures of rulesets, in the format of the API's create request. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { NewRuleset } from "@tongs/core/contract/groups/Rulesets"
import * as RulesetValidation from "../../rules/RulesetValidation.ts"
import { RulesetRows } from "../../rules/RulesetRows.ts"
import { RulesetVersionRows } from "../../rules/RulesetVersionRows.ts"
import { type RuleEvaluation, RuleSuiteRows, SuiteResult } from "../../rules/RuleSuiteRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"

/** Finds the owner of a ruleset: an organization or a repository, of which a row has one. */
const ownerOf = Effect.fnUntraced(function* (organization: string | undefined, repository: string | undefined) {
  if (organization !== undefined && repository !== undefined)
    return yield* FixtureSection.failAt("repository", "give an organization or a repository")
  if (repository !== undefined) return { repositoryId: (yield* FixtureSection.repository("repository", repository)).id }
  if (organization === undefined) return yield* FixtureSection.failAt("organization", "missing")
  return { organizationId: (yield* FixtureSection.organization("organization", organization)).id }
})

const RuleSuite = Schema.Struct({
  repository: Schema.String,
  user: Schema.String,
  ref: Schema.String,
  before: Schema.optionalKey(Schema.String),
  after: Schema.optionalKey(Schema.String),
  result: SuiteResult,
  evaluation_result: Schema.optionalKey(SuiteResult),
  rules: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        ruleset: Schema.String,
        rule: Schema.String,
        enforcement: Schema.Literals(["active", "evaluate"]),
        result: Schema.Literals(["pass", "fail"]),
        message: Schema.optionalKey(Schema.String)
      })
    )
  ),
  created_at: Schema.optionalKey(FixtureTimestamp)
})

/** Sections `rulesets` and `rule_suites`. */
export const sections = () => [
  FixtureSection.make(
    "rulesets",
    Schema.Struct({
      organization: Schema.optionalKey(Schema.String),
      repository: Schema.optionalKey(Schema.String),
      ...NewRuleset.fields
    }),
    ({ name, organization, repository }) => [
      FixtureSection.identity("name", FixtureSection.foldCase(organization ?? repository ?? ""), name)
    ],
    Effect.fnUntraced(function* ({ organization, repository, ...ruleset }) {
      const owner = yield* ownerOf(organization, repository)
      const kind = "organizationId" in owner ? "organization" : "repository"
      const [problem] = yield* RulesetValidation.validate(ruleset, kind)
      if (problem !== undefined) {
        const { field = "", message = "invalid value" } = problem
        return yield* FixtureSection.failAt(field, message.replace(`${field}: `, ""))
      }
      const { bypass_actors = [], conditions = null, enforcement, name, rules = [], target = "branch" } = ruleset
      const content = { name, target, enforcement, bypass_actors, conditions, rules }
      const versions = yield* RulesetVersionRows
      // Keeps an existing ruleset unchanged.
      yield* (yield* RulesetRows).add(owner, content).pipe(
        Effect.flatMap((row) => versions.add(row.id, null, content)),
        Effect.ignore
      )
    })
  ),
  FixtureSection.make(
    "rule_suites",
    RuleSuite,
    () => [],
    Effect.fnUntraced(function* ({ before, after, created_at, evaluation_result, ref, result, rules = [], ...names }) {
      const { id: repositoryId, owner } = yield* FixtureSection.repository("repository", names.repository)
      const { id: actorId } = yield* FixtureSection.user("user", names.user)
      const rulesets = yield* RulesetRows
      const known = [
        ...(yield* rulesets.listAll({ repositoryId })),
        ...(yield* rulesets.listAll({ organizationId: owner.id }))
      ]
      const evaluations: Array<RuleEvaluation> = []
      for (const [index, { ruleset: name, ...evaluation }] of rules.entries()) {
        const ruleset = known.find((one) => one.name === name)
        if (ruleset === undefined) return yield* FixtureSection.failAt(`rules[${index}].ruleset`, "no such ruleset")
        evaluations.push({ source: { type: "ruleset", id: ruleset.id, name }, ...evaluation })
      }
      const suite = { repository_id: repositoryId, actor_id: actorId, ref, result, evaluations, created_at }
      const oids = { before_oid: before ?? null, after_oid: after ?? null }
      yield* (yield* RuleSuiteRows).add({ ...suite, ...oids, evaluation_result: evaluation_result ?? null })
    })
  )
]
