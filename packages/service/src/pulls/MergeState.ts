/** The state of pull requests without conflicts, by their checks and the rules of their base branch. */
import * as Effect from "effect/Effect"
import { type Rollup, Rollups } from "../checks/Rollup.ts"
import { DeploymentRows } from "../deployments/DeploymentRows.ts"
import type { PullRequestRow } from "../issues/PullRequestRows.ts"
import { mergeableState } from "../issues/PullRequestShapes.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { Enforcement } from "../rules/Enforcement.ts"
import * as ReviewRequirements from "../rules/ReviewRequirements.ts"
import * as RuleChecks from "../rules/RuleChecks.ts"
import type { AppliedRule } from "../rules/RuleSources.ts"
import { lower } from "../storage/SqlFragments.ts"
import * as RequiredChecks from "./RequiredChecks.ts"
import * as RequiredReviews from "./RequiredReviews.ts"

/** True if a rule prevents a merge, besides required checks. Who merges does not matter. */
const isBlockedBy = (rule: AppliedRule, reviews: ReviewRequirements.ReviewState): boolean => {
  switch (rule.type) {
    case "pull_request":
      return ReviewRequirements.violations(rule.parameters, reviews).length > 0
    case "required_review_thread_resolution":
      return ReviewRequirements.unresolved(reviews) !== undefined
    case "lock_branch":
      return true
    default:
      return false
  }
}

/** Returns the state of a pull request without conflicts. */
export const stateOf = (
  rules: ReadonlyArray<AppliedRule>,
  reviews: ReviewRequirements.ReviewState,
  checks: Rollup | undefined,
  behind: PullRequestRow["behind"]
) =>
  rules.some((rule) => isBlockedBy(rule, reviews))
    ? "blocked"
    : RequiredChecks.stateOf(RuleChecks.requiredChecksOf(rules), checks, behind)

/** Makes the function that returns whether the head was not yet deployed to an environment that a rule names. */
export const makeLacksDeployment = Effect.map(DeploymentRows, (deployments) =>
  Effect.fnUntraced(function* (
    { head_sha: head }: PullRequestRow,
    { row }: ServedRepository,
    active: ReadonlyArray<AppliedRule>
  ) {
    const environments = RuleChecks.requiredDeploymentsOf(active)
    if (environments.length === 0) return false
    const deployed = (yield* deployments.deployedTo(row.id, [head])).get(head)
    return environments.some((name) => deployed?.has(lower(name)) !== true)
  })
)

/** Makes the function that returns the state of a pull request. */
export const make = Effect.gen(function* () {
  const lacksDeployment = yield* makeLacksDeployment
  const reviewsOf = yield* RequiredReviews.make
  const rollups = yield* Rollups
  const rules = yield* Enforcement

  return Effect.fnUntraced(function* (pull: PullRequestRow, repository: ServedRepository) {
    const state = mergeableState(pull)
    if (state !== "clean") return state
    const checks = (yield* rollups.ofCommits(repository.row.id, [pull.head_sha])).get(pull.head_sha)
    const active = yield* rules.activeRules(repository, pull.base_ref)
    if (yield* lacksDeployment(pull, repository, active)) return "blocked"
    return stateOf(active, yield* reviewsOf(pull, repository, active), checks, pull.behind)
  })
})
