/** Matches the conditions of a ruleset against repositories and references. */
import type { NewConditions } from "@tongs/core/contract/groups/Rulesets"
import * as Glob from "@tongs/core/text/Glob"
import * as RefName from "../git/values/RefName.ts"
import type { RulesetRow } from "./RulesetRows.ts"

/** The repository and reference that conditions are matched against. */
export interface ConditionSubject {
  readonly repositoryId: number
  /** Name of the repository without the owner. */
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
export const matchesConditions = (ruleset: RulesetRow, subject: ConditionSubject): boolean => {
  const { conditions, target } = ruleset
  const prefix = prefixes[target]
  if (prefix === undefined || !subject.ref.startsWith(prefix) || !matchesRepository(ruleset, subject)) return false
  return target === "push" || matchesRef(conditions?.ref_name, subject)
}

/** True if the ruleset is of the repository, or of its organization with conditions that select the repository. */
export const matchesRepository = (
  { conditions, repository_id: owner }: RulesetRow,
  subject: Omit<ConditionSubject, "ref">
): boolean => (owner === null ? selectsRepository(conditions ?? {}, subject) : owner === subject.repositoryId)

const selectsRepository = (conditions: NewConditions, subject: Omit<ConditionSubject, "ref">): boolean => {
  const { repository_id, repository_name, repository_property } = conditions
  if (repository_id !== undefined) return repository_id.repository_ids?.includes(subject.repositoryId) ?? false
  if (repository_name !== undefined) {
    const matchesAny = (patterns: ReadonlyArray<string> = []) =>
      patterns.includes("~ALL") ||
      Glob.compileAny(patterns, { ...Glob.fnmatch, ignoresCase: true })(subject.repositoryName)
    return matchesAny(repository_name.include) && !matchesAny(repository_name.exclude)
  }
  if (repository_property === undefined) return false
  const { exclude = [], include = [] } = repository_property
  return (
    include.every((wanted) => hasProperty(subject, wanted)) &&
    !exclude.some((unwanted) => hasProperty(subject, unwanted))
  )
}

type Property = NonNullable<NonNullable<NewConditions["repository_property"]>["include"]>[number]

const hasProperty = (
  { properties }: Pick<ConditionSubject, "properties">,
  { name, property_values, source }: Property
) => {
  const values = properties[source === "system" ? "system" : "custom"].get(name.toLowerCase()) ?? []
  return values.some((value) => property_values.includes(value))
}

const matchesRef = (names: NewConditions["ref_name"], { defaultBranch, ref }: ConditionSubject): boolean => {
  const matchesAny = (patterns: ReadonlyArray<string> = []) => {
    if (patterns.includes("~ALL")) return true
    if (patterns.includes("~DEFAULT_BRANCH") && ref === RefName.branch(defaultBranch)) return true
    // Patterns may omit `refs/heads/`.
    const [whole, short] = [patterns.filter(isFullName), patterns.filter((pattern) => !isFullName(pattern))]
    return Glob.compileAny(whole, Glob.fnmatch)(ref) || Glob.compileAny(short, Glob.fnmatch)(RefName.short(ref))
  }
  return matchesAny(names?.include) && !matchesAny(names?.exclude)
}

const isFullName = (pattern: string) => pattern.startsWith("refs/")
