/** Matches the conditions of a ruleset against repositories and references. */
import * as Effect from "effect/Effect"
import type { NewConditions } from "@tongs/core/contract/groups/Rulesets"
import * as RefName from "../git/values/RefName.ts"
import type { RulesetRow } from "./RulesetRows.ts"
import * as PatternMatching from "./PatternMatching.ts"

/** The repository and reference that conditions are matched against. */
export interface ConditionSubject {
  readonly repositoryId: number
  /** Name of the repository without its owner. */
  readonly repositoryName: string
  /** Custom and built-in properties of the repository, by name in lower case. */
  readonly properties: {
    readonly custom: ReadonlyMap<string, ReadonlyArray<string>>
    readonly system: ReadonlyMap<string, ReadonlyArray<string>>
  }
  /** Full name of the reference, for example `refs/heads/main`. */
  readonly ref: string
  readonly defaultBranch: string
}

/** Prefix of the references of each target. Rulesets for repositories do not apply to references. */
const prefixes: Readonly<Partial<Record<RulesetRow["target"], string>>> = {
  branch: "refs/heads/",
  tag: "refs/tags/",
  push: "refs/"
}

/** True if the ruleset applies to changes of the reference. */
export const matchesConditions = Effect.fnUntraced(function* (
  { conditions, target }: RulesetRow,
  subject: ConditionSubject
) {
  const prefix = prefixes[target]
  if (prefix === undefined || !subject.ref.startsWith(prefix) || conditions === null) return false
  if (!(yield* matchesRepository(conditions, subject))) return false
  return target === "push" || (yield* matchesRef(conditions.ref_name, subject))
})

const matchesRepository = Effect.fnUntraced(function* (conditions: NewConditions, subject: ConditionSubject) {
  const { repository_id, repository_name, repository_property } = conditions
  if (repository_id !== undefined) return repository_id.repository_ids?.includes(subject.repositoryId) ?? false
  if (repository_name !== undefined) {
    const matchesAny = (patterns: ReadonlyArray<string> = []) =>
      patterns.includes("~ALL")
        ? Effect.succeed(true)
        : PatternMatching.matchesAnyGlob(
            patterns.map((pattern) => pattern.toLowerCase()),
            subject.repositoryName.toLowerCase()
          )
    return (yield* matchesAny(repository_name.include)) && !(yield* matchesAny(repository_name.exclude))
  }
  if (repository_property === undefined) return false
  const { exclude = [], include = [] } = repository_property
  return (
    include.every((wanted) => hasProperty(subject, wanted)) &&
    !exclude.some((unwanted) => hasProperty(subject, unwanted))
  )
})

type Property = NonNullable<NonNullable<NewConditions["repository_property"]>["include"]>[number]

const hasProperty = ({ properties }: ConditionSubject, { name, property_values, source }: Property) => {
  const values = properties[source === "system" ? "system" : "custom"].get(name.toLowerCase()) ?? []
  return values.some((value) => property_values.includes(value))
}

const matchesRef = Effect.fnUntraced(function* (
  names: NewConditions["ref_name"],
  { defaultBranch, ref }: ConditionSubject
) {
  const matchesAny = Effect.fnUntraced(function* (patterns: ReadonlyArray<string> = []) {
    if (patterns.includes("~ALL")) return true
    if (patterns.includes("~DEFAULT_BRANCH") && ref === RefName.branch(defaultBranch)) return true
    // Patterns may omit `refs/heads/`.
    const [whole, short] = [patterns.filter(isFullName), patterns.filter((pattern) => !isFullName(pattern))]
    return (
      (yield* PatternMatching.matchesAnyGlob(whole, ref)) ||
      (yield* PatternMatching.matchesAnyGlob(short, RefName.short(ref)))
    )
  })
  return (yield* matchesAny(names?.include)) && !(yield* matchesAny(names?.exclude))
})

const isFullName = (pattern: string) => pattern.startsWith("refs/")
