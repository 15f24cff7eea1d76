/** Rulesets and branch protections as one list of rules, each with the actors that may bypass it. */
import type { NewRule } from "@tongs/core/contract/groups/Rules"
import type { NewBypassActor } from "@tongs/core/contract/groups/Rulesets"
import type { BranchProtectionRow, ProtectionActors } from "./BranchProtectionRows.ts"
import type { PullRequestParameters } from "./ReviewRequirements.ts"
import type { RulesetRow } from "./RulesetRows.ts"

/** Rules of branch protections that rulesets cannot have. */
type ProtectionRule =
  /** Only bypass actors may push. */
  | { readonly type: "authorization"; readonly appliesToCreation: boolean }
  | { readonly type: "lock_branch"; readonly allowsForkSync: boolean }
  | { readonly type: "required_review_thread_resolution" }

export type AppliedRule = NewRule | ProtectionRule

type Dismisser = NonNullable<NonNullable<PullRequestParameters["dismissal_restriction"]>["allowed_actors"]>[number]

/** A rule with the actors that may bypass it. */
export interface EnforcedRule {
  readonly rule: AppliedRule
  readonly bypassActors: ReadonlyArray<NewBypassActor>
}

/** The rules of an enabled ruleset or of a branch protection. */
export interface RuleSource {
  readonly type: "ruleset" | "protected_branch"
  readonly id: number
  readonly name: string
  readonly enforcement: "active" | "evaluate"
  readonly rules: ReadonlyArray<EnforcedRule>
}

export const ofRuleset = ({ bypass_actors, enforcement, id, name, rules }: RulesetRow): RuleSource => ({
  type: "ruleset",
  id,
  name,
  enforcement: enforcement === "evaluate" ? "evaluate" : "active",
  rules: rules.map((rule) => ({ rule, bypassActors: bypass_actors }))
})

/** Id of the role of administrators on GitHub. */
const ADMIN_ROLE = 5

const administrators = (mode: "always" | "exempt"): NewBypassActor => ({
  actor_type: "RepositoryRole",
  actor_id: ADMIN_ROLE,
  bypass_mode: mode
})

const actorsOf = (actors: ProtectionActors | null, bypass_mode: "always" | "exempt"): ReadonlyArray<NewBypassActor> => [
  ...(actors?.users ?? []).map((actor_id) => ({ actor_type: "User" as const, actor_id, bypass_mode })),
  ...(actors?.teams ?? []).map((actor_id) => ({ actor_type: "Team" as const, actor_id, bypass_mode })),
  ...(actors?.apps ?? []).map((actor_id) => ({ actor_type: "Integration" as const, actor_id, bypass_mode }))
]

const dismissersOf = ({ apps, teams, users }: ProtectionActors): ReadonlyArray<Dismisser> => [
  ...users.map((id) => ({ id, type: "User" as const })),
  ...teams.map((id) => ({ id, type: "Team" as const })),
  ...apps.map((id) => ({ id, type: "IntegrationInstallation" as const }))
]

/** Returns, for each rule that restricts who may dismiss reviews, the actors that may. Administrators always may. */
export const dismissersByRule = (rules: ReadonlyArray<AppliedRule>): ReadonlyArray<ReadonlyArray<NewBypassActor>> =>
  rules.flatMap((rule) => {
    const restriction = rule.type === "pull_request" ? rule.parameters.dismissal_restriction : undefined
    if (restriction?.enabled !== true) return []
    const actors = (restriction.allowed_actors ?? []).map(({ id, type }) => ({
      actor_id: id,
      actor_type: type === "IntegrationInstallation" ? ("Integration" as const) : type
    }))
    return [[...actors, administrators("always")]]
  })

/**
 * Forced pushes and deletions are refused also to administrators, who may bypass all other rules unless they are
 * enforced for administrators.
 */
export const ofProtection = ({ branch, id, settings }: BranchProtectionRow): RuleSource => {
  const { required_pull_request_reviews: reviews, required_status_checks: checks, restrictions } = settings
  const bypassActors = settings.enforce_admins ? [] : [administrators("always")]
  const when = (isWanted: boolean, rule: AppliedRule, actors = bypassActors): ReadonlyArray<EnforcedRule> =>
    isWanted ? [{ rule, bypassActors: actors }] : []
  const pullRequest: ReadonlyArray<EnforcedRule> =
    reviews === null
      ? []
      : [
          {
            rule: {
              type: "pull_request",
              parameters: {
                dismiss_stale_reviews_on_push: reviews.dismiss_stale_reviews,
                require_code_owner_review: reviews.require_code_owner_reviews,
                require_last_push_approval: reviews.require_last_push_approval,
                required_approving_review_count: reviews.required_approving_review_count,
                required_review_thread_resolution: false,
                ...(reviews.dismissal_restrictions === null
                  ? {}
                  : {
                      dismissal_restriction: {
                        enabled: true,
                        allowed_actors: dismissersOf(reviews.dismissal_restrictions)
                      }
                    })
              }
            },
            bypassActors: [...bypassActors, ...actorsOf(reviews.bypass_pull_request_allowances, "always")]
          }
        ]
  const statusChecks: ReadonlyArray<EnforcedRule> =
    checks === null
      ? []
      : [
          {
            rule: {
              type: "required_status_checks",
              parameters: {
                do_not_enforce_on_create: true,
                required_status_checks: checks.checks.map(({ app_id, context }) => ({
                  context,
                  ...(app_id === null ? {} : { integration_id: app_id })
                })),
                strict_required_status_checks_policy: checks.strict
              }
            },
            bypassActors
          }
        ]
  return {
    type: "protected_branch",
    id,
    name: branch,
    enforcement: "active",
    rules: [
      ...when(!settings.allow_force_pushes, { type: "non_fast_forward" }, []),
      ...when(!settings.allow_deletions, { type: "deletion" }, []),
      ...when(settings.lock_branch, { type: "lock_branch", allowsForkSync: settings.allow_fork_syncing }),
      ...when(restrictions !== null, { type: "authorization", appliesToCreation: settings.block_creations }, [
        administrators("exempt"),
        ...actorsOf(restrictions, "exempt")
      ]),
      ...when(settings.required_linear_history, { type: "required_linear_history" }),
      ...when(settings.required_signatures, { type: "required_signatures" }),
      ...pullRequest,
      ...when(settings.required_conversation_resolution, { type: "required_review_thread_resolution" }),
      ...statusChecks
    ]
  }
}
