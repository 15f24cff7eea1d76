/** Validates rulesets beyond the types of fields. */
import * as Effect from "effect/Effect"
import type { FieldError } from "@tongs/core/contract/Failure"
import type { NewRule, Pattern } from "@tongs/core/contract/groups/Rules"
import type { NewBypassActor, NewConditions, NewRuleset } from "@tongs/core/contract/groups/Rulesets"
import * as Glob from "@tongs/core/text/Glob"
import * as PatternMatching from "./PatternMatching.ts"

type Target = NonNullable<NewRuleset["target"]>

/** Returns the errors of a ruleset by field; empty for a valid ruleset. */
export const validate = Effect.fn("RulesetValidation.validate")(function* (
  ruleset: NewRuleset,
  owner: "organization" | "repository" = "organization"
) {
  const { bypass_actors = [], conditions, name, rules = [], target = "branch" } = ruleset
  return [
    ...(name.trim() === "" ? [fieldError("name", "must not be blank")] : []),
    ...(name.length > MAX_NAME_LENGTH ? [fieldError("name", `must have at most ${MAX_NAME_LENGTH} characters`)] : []),
    ...bypass_actors.flatMap(actorProblems),
    ...(rules.length > MAX_RULES ? [fieldError("rules", `must have at most ${MAX_RULES} rules`)] : []),
    ...conditionProblems(conditions, target, owner),
    ...rules.flatMap((rule, index) => ruleProblems(rule, index, target)),
    ...rules.flatMap(pathProblems),
    ...rules.flatMap(reviewerProblems),
    ...(yield* Effect.forEach(rules, patternProblems)).flat()
  ]
})

/** Maximum rules and condition patterns of a ruleset, which are checked on every change of a reference. */
const MAX_RULES = 200
const MAX_PATTERNS = 500

/** Maximum length of a ruleset's name in characters. */
const MAX_NAME_LENGTH = 255

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
        : [fieldError(at, "must be 1 for OrganizationAdmin")]
    case "DeployKey":
      return actor_id === undefined || actor_id === null ? [] : [fieldError(at, "must be null for DeployKey")]
    default:
      return typeof actor_id === "number" ? [] : [fieldError(at, `is required for ${actor_type}`)]
  }
}

const repositorySelectors = ["repository_name", "repository_id", "repository_property"] as const

const conditionProblems = (
  conditions: NewConditions | undefined,
  target: Target,
  owner: "organization" | "repository"
): ReadonlyArray<FieldError> => {
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
    ...(given.length === 1 || owner === "repository"
      ? []
      : [fieldError("conditions", `must have exactly one of ${repositorySelectors.join(", ")}`)]),
    ...(hasRefs && names === undefined && owner === "organization"
      ? [fieldError("conditions.ref_name", `is required for the target ${target}`)]
      : []),
    ...(target === "repository" && names !== undefined
      ? [fieldError("conditions.ref_name", "is not allowed for the target repository")]
      : []),
    ...(target === "tag" && [...(names?.include ?? []), ...(names?.exclude ?? [])].includes("~DEFAULT_BRANCH")
      ? [fieldError("conditions.ref_name", "~DEFAULT_BRANCH is not allowed for the target tag")]
      : []),
    ...(patterns.length > MAX_PATTERNS ? [fieldError("conditions", `must have at most ${MAX_PATTERNS} patterns`)] : []),
    ...(patterns.some((pattern) => pattern === "" || pattern.length > PatternMatching.MAX_PATTERN_LENGTH)
      ? [fieldError("conditions", `patterns must have 1 to ${PatternMatching.MAX_PATTERN_LENGTH} characters`)]
      : [])
  ]
}

const pushRules: ReadonlyArray<NewRule["type"]> = [
  "file_path_restriction",
  "max_file_path_length",
  "file_extension_restriction",
  "max_file_size"
]

/** Returns the ruleset targets that allow a rule of this type. */
const targetsOfRule = (type: NewRule["type"]): ReadonlyArray<Target> => {
  if (pushRules.includes(type)) return ["push"]
  if (type === "branch_name_pattern" || type === "pull_request") return ["branch"]
  return type === "tag_name_pattern" ? ["tag"] : ["branch", "tag"]
}

const ruleProblems = ({ type }: NewRule, index: number, target: Target): ReadonlyArray<FieldError> =>
  targetsOfRule(type).includes(target)
    ? []
    : [fieldError(`rules.${index}.type`, `${type} is not allowed for the target ${target}`)]

const pathProblems = (rule: NewRule, index: number): ReadonlyArray<FieldError> => {
  if (rule.type !== "file_path_restriction") return []
  const { restricted_file_paths: paths } = rule.parameters
  const at = `rules.${index}.parameters.restricted_file_paths`
  if (paths.length > MAX_PATTERNS) return [fieldError(at, `must have at most ${MAX_PATTERNS} paths`)]
  const isInvalid = (path: string) =>
    path.length > PatternMatching.MAX_PATTERN_LENGTH || Glob.compile(path, Glob.fnmatch) === undefined
  const invalid = paths.find(isInvalid)
  return invalid === undefined ? [] : [fieldError(at, `${JSON.stringify(invalid.slice(0, 100))} is not a valid path`)]
}

/** Maximum number of required reviewers of a rule. */
const MAX_REVIEWERS = 15

const reviewerProblems = (rule: NewRule, index: number): ReadonlyArray<FieldError> => {
  const required = rule.type === "pull_request" ? (rule.parameters.required_reviewers ?? []) : []
  const at = `rules.${index}.parameters.required_reviewers`
  if (required.length > MAX_REVIEWERS) return [fieldError(at, `must have at most ${MAX_REVIEWERS} reviewers`)]
  return required.flatMap(({ file_patterns: patterns, minimum_approvals: count }, index) => [
    ...(count < 0 || count > 10 ? [fieldError(`${at}.${index}.minimum_approvals`, "must be from 0 to 10")] : []),
    ...(patterns.length > MAX_PATTERNS ||
    patterns.some((pattern) => pattern === "" || pattern.length > PatternMatching.MAX_PATTERN_LENGTH)
      ? [
          fieldError(
            `${at}.${index}.file_patterns`,
            `must be at most ${MAX_PATTERNS} patterns of 1 to ${PatternMatching.MAX_PATTERN_LENGTH} characters`
          )
        ]
      : [])
  ])
}

const patternOf = (rule: NewRule): Pattern | undefined =>
  "parameters" in rule && "operator" in rule.parameters ? rule.parameters : undefined

const patternProblems = Effect.fnUntraced(function* (rule: NewRule, index: number) {
  const pattern = patternOf(rule)
  const at = `rules.${index}.parameters.pattern`
  if (pattern === undefined) return []
  if (pattern.pattern === "") return [fieldError(at, "must not be empty")]
  if (pattern.pattern.length > PatternMatching.MAX_PATTERN_LENGTH)
    return [fieldError(at, `must have at most ${PatternMatching.MAX_PATTERN_LENGTH} characters`)]
  if (pattern.operator !== "regex") return []
  return yield* Effect.match(PatternMatching.compile(pattern.pattern), {
    onFailure: ({ detail }) => [fieldError(at, `must be a valid RE2 expression: ${detail}`)],
    onSuccess: () => []
  })
})
