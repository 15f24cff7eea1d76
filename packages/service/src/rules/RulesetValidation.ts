/** What makes a ruleset one that can be kept, beyond the types of its members (spec part 3 §4.9). */
import * as Effect from "effect/Effect"
import type { FieldError } from "@tongs/core/contract/Failure"
import type { NewRule, Pattern } from "@tongs/core/contract/Rules"
import type { NewBypassActor, NewConditions, NewRuleset } from "@tongs/core/contract/Rulesets"
import * as PatternMatching from "./PatternMatching.ts"

type Target = NonNullable<NewRuleset["target"]>

/** What is wrong with a ruleset, by field; nothing where it can be kept. */
export const validate = Effect.fn("RulesetValidation.validate")(function* (ruleset: NewRuleset) {
  const { bypass_actors = [], conditions, name, rules = [], target = "branch" } = ruleset
  return [
    ...(name.trim() === "" ? [fieldError("name", "it cannot be blank")] : []),
    ...(name.length > maxNameLength ? [fieldError("name", `it is longer than ${maxNameLength} characters`)] : []),
    ...bypass_actors.flatMap(actorProblems),
    ...(rules.length > maxRules ? [fieldError("rules", `there are more than ${maxRules}`)] : []),
    ...conditionProblems(conditions, target),
    ...rules.flatMap((rule, index) => ruleProblems(rule, index, target)),
    ...(yield* Effect.forEach(rules, patternProblems)).flat()
  ]
})

/** Rules of a ruleset, and patterns of its conditions: every change of a reference is held against them. */
const maxRules = 200
const maxPatterns = 500

/** Characters of a ruleset's name. */
const maxNameLength = 255

const fieldError = (field: string, message: string): FieldError => ({
  resource: "Ruleset",
  field,
  code: "invalid",
  message: `${field}: ${message}`
})

const actorProblems = ({ actor_id, actor_type }: NewBypassActor, index: number): ReadonlyArray<FieldError> => {
  const at = `bypass_actors.${index}.actor_id`
  switch (actor_type) {
    case "OrganizationAdmin":
      return actor_id === undefined || actor_id === null || actor_id === 1
        ? []
        : [fieldError(at, "for OrganizationAdmin it is 1")]
    case "DeployKey":
      return actor_id === undefined || actor_id === null ? [] : [fieldError(at, "for DeployKey it is null")]
    default:
      return typeof actor_id === "number" ? [] : [fieldError(at, `for ${actor_type} it is needed`)]
  }
}

const repositorySelectors = ["repository_name", "repository_id", "repository_property"] as const

const conditionProblems = (conditions: NewConditions | undefined, target: Target): ReadonlyArray<FieldError> => {
  const given = repositorySelectors.filter((selector) => conditions?.[selector] !== undefined)
  const names = conditions?.ref_name
  const hasRefs = target === "branch" || target === "tag"
  const patterns = [
    ...(names?.include ?? []),
    ...(names?.exclude ?? []),
    ...(conditions?.repository_name?.include ?? []),
    ...(conditions?.repository_name?.exclude ?? [])
  ]
  return [
    ...(given.length === 1
      ? []
      : [
          fieldError(
            "conditions",
            `it needs one of ${repositorySelectors.join(", ")}${given.length > 1 ? ", and not more" : ""}`
          )
        ]),
    ...(hasRefs && names === undefined ? [fieldError("conditions.ref_name", `rulesets for a ${target} need it`)] : []),
    ...(target === "repository" && names !== undefined
      ? [fieldError("conditions.ref_name", "rulesets for repositories do not have it")]
      : []),
    ...(target === "tag" && [...(names?.include ?? []), ...(names?.exclude ?? [])].includes("~DEFAULT_BRANCH")
      ? [fieldError("conditions.ref_name", "~DEFAULT_BRANCH is no tag")]
      : []),
    ...(patterns.length > maxPatterns ? [fieldError("conditions", `there are more than ${maxPatterns} patterns`)] : []),
    ...(patterns.some((pattern) => pattern === "" || pattern.length > PatternMatching.maxPatternLength)
      ? [fieldError("conditions", `patterns have 1 to ${PatternMatching.maxPatternLength} characters`)]
      : [])
  ]
}

const pushRules: ReadonlyArray<NewRule["type"]> = [
  "file_path_restriction",
  "max_file_path_length",
  "file_extension_restriction",
  "max_file_size"
]

/** The targets whose rulesets can have a rule of the kind. */
const targetsOfRule = (type: NewRule["type"]): ReadonlyArray<Target> => {
  if (pushRules.includes(type)) return ["push"]
  if (type === "branch_name_pattern" || type === "pull_request") return ["branch"]
  return type === "tag_name_pattern" ? ["tag"] : ["branch", "tag"]
}

const ruleProblems = ({ type }: NewRule, index: number, target: Target): ReadonlyArray<FieldError> =>
  targetsOfRule(type).includes(target)
    ? []
    : [fieldError(`rules.${index}.type`, `rulesets for the target ${target} do not have ${type}`)]

const patternOf = (rule: NewRule): Pattern | undefined =>
  "parameters" in rule && "operator" in rule.parameters ? rule.parameters : undefined

const patternProblems = Effect.fnUntraced(function* (rule: NewRule, index: number) {
  const pattern = patternOf(rule)
  const at = `rules.${index}.parameters.pattern`
  if (pattern === undefined) return []
  if (pattern.pattern === "") return [fieldError(at, "it cannot be empty")]
  if (pattern.pattern.length > PatternMatching.maxPatternLength)
    return [fieldError(at, `it is longer than ${PatternMatching.maxPatternLength} characters`)]
  if (pattern.operator !== "regex") return []
  return yield* Effect.match(PatternMatching.compile(pattern.pattern), {
    onFailure: ({ detail }) => [fieldError(at, `RE2 cannot read it: ${detail}`)],
    onSuccess: () => []
  })
})
